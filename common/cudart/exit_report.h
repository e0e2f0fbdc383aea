/// \file
/// What a learner sees when a program ends without waiting for its work, or without asking why a launch failed.
#pragma once

namespace lanescope::cudart {

/// From now on the end of this process prints one line on stderr if operations never ran: how many,
/// which, and cudaDeviceSynchronize() as the next step. And one line if a <<<...>>> was refused and the
/// program never asked for the error. They are printed after the program's own exit handlers and
/// destructors, which may still wait or ask.
void report_forgotten_work_at_exit();

}  // namespace lanescope::cudart
