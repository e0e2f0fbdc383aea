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

Result<std::vector<const Gpu*>> find_all(std::string_view names) {
    std::vector<const Gpu*> gpus;
    for (size_t begin = 0; begin <= names.size();) {
        const size_t end = std::min(names.find(',', begin), names.size());
        const Result<const Gpu*> gpu = find(names.substr(begin, end - begin));
        if (!gpu) return gpu.error();
        gpus.push_back(*gpu);
        begin = end + 1;
    }
    return gpus;
}

Result<std::vector<const Gpu*>> selected() {
    const char* names = std::getenv("LANESCOPE_GPU");
    Result<std::vector<const Gpu*>> gpus = find_all(names && *names ? names : "h200");
    if (!gpus) return Diagnostic{gpus.error().what, "LANESCOPE_GPU", gpus.error().next};
    return gpus;
}

}  // namespace lanescope::gpus
