#include "cudart/exit_report.h"

#include <unistd.h>

#include "cudart/runtime.h"
#include "support/demangle.h"

namespace lanescope::cudart {

namespace {

constexpr size_t max_names = 4;
pid_t reporting_process = 0;  // a forked child did not queue its parent's work

std::string description_of(const Operation& operation) {
    if (operation.kind != OperationKind::kernel) return operation.name;
    return std::string("kernel ").append(demangled(operation.name));
}

// Runs when the loader unloads the library: after everything that the program registered with atexit().
__attribute__((destructor)) void report_forgotten_work() {
    if (getpid() != reporting_process) return;
    Runtime& runtime = Runtime::instance();
    if (!runtime.mutex.try_lock()) return;
    std::string names;
    size_t count = 0;
    for (const auto& [sequence, operation] : runtime.queue.pending()) {
        if (operation->kind == OperationKind::event || operation->kind == OperationKind::allocation) continue;
        if (++count <= max_names) names += (count > 1 ? ", " : "") + description_of(*operation);
    }
    if (count > max_names) names += ", ...";
    if (count > 0) {
        say(std::to_string(count) + (count == 1 ? " operation was" : " operations were") +
            " never waited for and did not run (" + names +
            "); next: call cudaDeviceSynchronize() before the program ends");
    }
    if (runtime.refusal_unread) {
        say(runtime.refused_launch +
            " and nothing asked for the error; next: call cudaGetLastError() after each launch");
    }
    runtime.mutex.unlock();
}

}  // namespace

void report_forgotten_work_at_exit() { reporting_process = getpid(); }

}  // namespace lanescope::cudart
