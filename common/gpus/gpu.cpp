#include "gpus/gpu.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "gpus/profile.h"

namespace lanescope::gpus {
namespace {

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    }
    return result;
}

std::vector<Gpu> parse_all() {
    std::vector<Gpu> gpus;
    for (const EmbeddedProfile& profile : embedded_profiles()) {
        Result<Gpu> gpu = parse_profile(profile.json);
        if (!gpu) {
            // The text is part of the library: only an edit that skipped the tests can bring us here.
            std::fprintf(stderr, "lanescope: %s\n", gpu.error().text().c_str());
            std::abort();
        }
        gpus.push_back(std::move(*gpu));
    }
    return gpus;
}

}  // namespace

const std::vector<Gpu>& all() {
    static const std::vector<Gpu> gpus = parse_all();
    return gpus;
}

Result<const Gpu*> find(std::string_view name) {
    const std::string wanted = lower_case(name);
    const auto found = std::ranges::find(all(), wanted, &Gpu::name);
    if (found != all().end()) return &*found;
    std::string names;
    for (const Gpu& gpu : all()) names += (names.empty() ? "" : ", ") + gpu.name;
    return Diagnostic{"no GPU profile is named \"" + std::string(name) + "\"", "", "choose one of: " + names};
}

Result<const Gpu*> selected() {
    const char* name = std::getenv("LANESCOPE_GPU");
    if (!name || !*name) return find("h200");
    Result<const Gpu*> gpu = find(name);
    if (!gpu) return Diagnostic{gpu.error().what, "LANESCOPE_GPU", gpu.error().next};
    return gpu;
}

}  // namespace lanescope::gpus
