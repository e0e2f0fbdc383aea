#include "counters/launch.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/demangle.h"

namespace lanescope::counters {
namespace {

using nlohmann::json;

void read_counts(const json& from, LaunchCounts& counts) {
    MemoryCounts::for_each(static_cast<MemoryCounts&>(counts), [&](const std::string& name, uint64_t& value) { value = from.value(name, uint64_t{0}); });
    counts.warp_instructions = from.value("warp_instructions", uint64_t{0});
}

}  // namespace

Result<Launch> parse_launch(const std::string& text) {
    try {
        const json record = json::parse(text);
        Launch launch;
        launch.kernel = demangled(record.at("kernel"));
        launch.device = record.at("device");
        launch.gpu = record.at("gpu");
        launch.grid = record.at("grid");
        launch.block = record.at("block");
        read_counts(record.at("counters"), launch.counts);
        if (const json& time = record.at("time"); !time.is_null()) {
            launch.counts.time = {time.at("kernel_seconds"), time.at("cycles"), time.at("limit"), time.at("dram_read_bytes"), time.at("dram_write_bytes"),
                                  time.at("dram_peak_percent")};
        }
        for (const json& line : record.at("lines")) {
            LineCounts own;
            own.file = line.at("file");
            own.line = line.at("line");
            if (line.at("counters").is_object()) read_counts(line.at("counters"), own);   // null: nothing but zeros
            launch.lines.push_back(std::move(own));
        }
        for (const json& request : record.at("first_requests")) {
            FirstRequest own;
            own.action = request.at("action");
            own.space = request.at("space");
            own.file = request.at("file");
            own.line = request.at("line");
            own.bytes = request.at("bytes");
            own.mask = request.at("mask");
            own.offset_bytes = request.at("offset_bytes");
            MemoryCounts cost;   // its loads take up what the names say
            MemoryCounts::for_each(cost, [&](const std::string& name, uint64_t& value) {
                const size_t load = name.find("_load_");
                if (load != std::string::npos) value = request.at("cost").value(name.substr(load + 6), uint64_t{0});
            });
            if (own.space == "shared") own.shared = cost.shared_load;
            else own.memory = cost.global_load;
            launch.first_requests.push_back(std::move(own));
        }
        return launch;
    } catch (const json::exception& error) {
        return Diagnostic{std::string("not the counters of a launch: ") + error.what(), "", "run it again with the lanescope that belongs to this build"};
    }
}

Result<std::vector<Launch>> read_launches(const std::string& path) {
    std::vector<Launch> launches;
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        Result<Launch> launch = parse_launch(line);
        if (!launch) return Diagnostic{launch.error().what, path + ":" + std::to_string(number), launch.error().next};
        launches.push_back(std::move(*launch));
    }
    return launches;
}

}  // namespace lanescope::counters
