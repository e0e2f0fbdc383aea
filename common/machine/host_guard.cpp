#include "machine/host_guard.h"

#include <signal.h>
#include <unistd.h>

#include <fmt/format.h>

namespace lanescope::machine {
namespace {

const AddressSpace* guarded = nullptr;
struct sigaction previous;

// Formatting is not async-signal-safe, but the program is at its end: the fault came from its own code,
// not from inside malloc, and the text below is all that happens before it dies.
void on_fault(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<uint64_t>(info->si_addr);
    if (guarded && guarded->is_reserved(address)) {
        const std::string report = fmt::format(
            "lanescope: host code used the device pointer {:#x}: {}\n"
            "  next: copy the data to the host with cudaMemcpy, or allocate it with cudaMallocManaged or cudaHostAlloc\n",
            address, guarded->describe(address));
        (void)!write(STDERR_FILENO, report.data(), report.size());
        ::signal(signal, SIG_DFL);   // returning repeats the access, which now ends the program
        return;
    }
    if ((previous.sa_flags & SA_SIGINFO) && previous.sa_sigaction) return previous.sa_sigaction(signal, info, context);
    if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN && previous.sa_handler) return previous.sa_handler(signal);
    ::signal(signal, SIG_DFL);
}

}  // namespace

void install_host_guard(const AddressSpace& space) {
    guarded = &space;
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous);
}

}  // namespace lanescope::machine
