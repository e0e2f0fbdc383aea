/// \file
/// From the JSON text of a profile to a Gpu.
///
///     Result<Gpu> gpu = parse_profile(text);
///
/// A profile looks like this; every value says where it comes from:
///
///     { "name": "h200", "product_name": "NVIDIA H200",
///       "sources": { "attributes": "cudaDeviceGetAttribute on an H200" },
///       "values": { "sm_count": {"value": 132, "unit": "SMs", "status": "measured", "source": "attributes"}, ... } }
///
/// To add a value: write it in profiles/NAME.json. It is listed by `lanescope gpus NAME`; if code needs
/// it, give Gpu a field and profile.cpp a line in its table. Host side only.
#pragma once

#include <string_view>
#include <vector>

#include "gpus/gpu.h"

namespace lanescope::gpus {

struct EmbeddedProfile {
    std::string_view name;   ///< the file's stem
    std::string_view json;
};

/// The files of gpus/profiles/, oldest GPU first.
const std::vector<EmbeddedProfile>& embedded_profiles();

/// Errors: not JSON, a missing or unknown part, a value of the wrong type or sign, a source that
/// "sources" does not explain, an explained source that no value uses. Diagnostic::where names the value.
Result<Gpu> parse_profile(std::string_view json);

}  // namespace lanescope::gpus
