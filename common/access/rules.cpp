#include "access/rules.h"

namespace lanescope::access {

Rules rules_of(const gpus::Gpu& gpu, L1 l1) {
    const bool kepler = gpu.cc_major == 3;
    const bool cached_by_default = gpu.cc_major >= 7 || gpu.sm() == 60;
    Rules rules;
    rules.caches_loads = l1 == L1::standard ? cached_by_default : l1 == L1::on;
    if (kepler) {
        rules.transaction_bytes = line_bytes;
        rules.load_block_bytes = rules.caches_loads ? line_bytes : sector_bytes;
        rules.splits_wide_lanes = true;
        rules.bank_bytes = 8;
    }
    return rules;
}

}  // namespace lanescope::access
