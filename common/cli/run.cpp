#include "cli/commands.h"
#include "cli/simulated_program.h"

namespace lanescope::cli {

int run(const RunOptions& options) {
    const Prepared program = prepare({options.gpu, options.schedule, options.command});
    return program.exit_status != 0 ? program.exit_status : become(program);
}

}  // namespace lanescope::cli
