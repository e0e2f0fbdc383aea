// f32, f64 and f32x2: asks the parts of the family in turn.
#include "machine/operations/floating.h"

#include "machine/operations/operations.h"

namespace lanescope::machine {

Handler select_floating(const program::Operation& op) {
    if (Handler handler = select_rounded(op)) return handler;
    if (Handler handler = select_approximate(op)) return handler;
    return select_bitwise(op);
}

}  // namespace lanescope::machine
