// cvt: asks the parts of the family in turn. type is the destination's type, type2 the source's.
#include "machine/operations/convert.h"

#include "machine/operations/operations.h"

namespace lanescope::machine {

Handler select_convert(const program::Operation& op) {
    if (op.opcode != program::Opcode::cvt) return nullptr;
    if (Handler handler = select_integer_conversion(op)) return handler;
    if (Handler handler = select_mixed_conversion(op)) return handler;
    if (Handler handler = select_floating_conversion(op)) return handler;
    return select_packed_conversion(op);
}

}  // namespace lanescope::machine
