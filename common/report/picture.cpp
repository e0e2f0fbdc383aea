// Lanes over memory, as SVG: one panel for each way in which the lanes of a warp lie. Above the 32 lanes; below the lines of 128
// bytes that they touch, in the order of their addresses, each with its 4 sectors, or the 32 banks of shared memory.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <set>
#include <vector>

#include "report/format.h"
#include "report/report.h"

namespace lanescope::report {
namespace {

using counters::FirstRequest;

constexpr int lanes = 32;
constexpr int64_t line_bytes = 128, sector_bytes = 32, sectors_per_line = 4;

// Units of the picture.
constexpr double lane_width = 30, left = 20, width = left + lanes * lane_width + left;
constexpr double caption_y = 18, code_y = 37, lanes_y = 47, lane_height = 18, memory_y = 112, memory_height = 22, label_y = 149, cost_y = 172, panel_height = 200;

constexpr const char* style =
    "  <style>\n"
    "    .ls-lanes text { font: 13px sans-serif; fill: var(--page-foreground-color, #333); }\n"
    "    .ls-lanes .small { font-size: 11px; text-anchor: middle; }\n"
    "    .ls-lanes .start { font-size: 11px; text-anchor: start; }\n"
    "    .ls-lanes .strong { font-weight: bold; }\n"
    "    .ls-lanes .code { font-family: monospace; }\n"
    "    .ls-lanes .faint { fill: var(--page-secondary-foreground-color, #637485); }\n"
    "    .ls-lanes rect { fill: var(--page-background-color, #fff); stroke: var(--page-secondary-foreground-color, #637485); }\n"
    "    .ls-lanes .used { fill: var(--primary-color, #1779c4); fill-opacity: 0.35; }\n"
    "    .ls-lanes .off { stroke-dasharray: 3 3; }\n"
    "    .ls-lanes .line { fill: none; stroke-width: 2; stroke: var(--page-foreground-color, #333); }\n"
    "    .ls-lanes .thin { stroke-width: 1; }\n"
    "    .ls-lanes path { fill: none; stroke: var(--primary-color, #1779c4); stroke-width: 1; stroke-opacity: 0.8; }\n"
    "  </style>\n";

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
    return result;
}

bool takes_part(const FirstRequest& request, int lane) { return (request.mask >> lane & 1) != 0; }

int64_t floor_to(int64_t value, int64_t unit) { return (value >= 0 ? value : value - unit + 1) / unit * unit; }

std::string text_at(double x, double y, const char* kind, const std::string& text) {
    return fmt::format("  <text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kind, x, y, escaped(text));
}
std::string rectangle(double x, double y, double w, double h, const char* kind) {
    return fmt::format("  <rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", kind, x, y, w, h);
}

double middle_of(int lane) { return left + (lane + 0.5) * lane_width; }

// From a lane to the first of its bytes.
std::string connection(int lane, double x, double y) {
    return fmt::format("  <path d=\"M {:.1f} {:.1f} L {:.1f} {:.1f}\"/>\n", middle_of(lane), y + lanes_y + lane_height, x, y + memory_y);
}

std::string draw_lanes(const FirstRequest& request, double y) {
    std::string svg;
    for (int lane = 0; lane < lanes; ++lane) {
        const bool on = takes_part(request, lane);
        svg += rectangle(left + lane * lane_width, y + lanes_y, lane_width, lane_height, on ? "" : "off");
        svg += text_at(middle_of(lane), y + lanes_y + 13, on ? "small" : "small faint", std::to_string(lane));
    }
    return svg;
}

std::string draw_lines(const FirstRequest& request, double y) {
    std::set<int64_t> lines, sectors;   // first bytes
    for (int lane = 0; lane < lanes; ++lane) {
        if (!takes_part(request, lane)) continue;
        const int64_t first = request.offset_bytes[lane], last = first + request.bytes - 1;
        for (int64_t sector = floor_to(first, sector_bytes); sector <= last; sector += sector_bytes) {
            sectors.insert(sector);
            lines.insert(floor_to(sector, line_bytes));
        }
    }
    // Neighbours lie side by side; between others there is a gap.
    constexpr double narrow = 2, wide = 12;
    double gaps = 0;
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        if (line != lines.begin()) gaps += *line == *std::prev(line) + line_bytes ? narrow : wide;
    }
    const double line_width = std::min(240.0, (lanes * lane_width - gaps) / static_cast<double>(lines.size()));
    double x = left + (lanes * lane_width - gaps - line_width * static_cast<double>(lines.size())) / 2;
    std::string svg, outlines;
    std::vector<std::pair<int64_t, double>> places;
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        if (line != lines.begin()) x += *line == *std::prev(line) + line_bytes ? narrow : wide;
        for (int64_t i = 0; i < sectors_per_line; ++i) {
            svg += rectangle(x + static_cast<double>(i) * line_width / sectors_per_line, y + memory_y, line_width / sectors_per_line, memory_height,
                             sectors.contains(*line + i * sector_bytes) ? "used" : "");
        }
        outlines += rectangle(x, y + memory_y, line_width, memory_height, line_width >= 60 ? "line" : "line thin");
        const bool few = line_width >= 60, at_end = line == lines.begin() || std::next(line) == lines.end();
        if (few || at_end) svg += text_at(x, y + label_y, "start faint", few || line == lines.begin() ? fmt::format("byte {}", *line) : std::to_string(*line));
        places.emplace_back(*line, x);
        x += line_width;
    }
    for (int lane = 0; lane < lanes; ++lane) {
        if (!takes_part(request, lane)) continue;
        const int64_t line = floor_to(request.offset_bytes[lane], line_bytes);
        const auto place = std::ranges::find(places, line, &std::pair<int64_t, double>::first);
        const double within = (static_cast<double>(request.offset_bytes[lane] - line) + request.bytes / 2.0) / line_bytes;
        svg += connection(lane, place->second + within * line_width, y);
    }
    return svg + outlines;
}

std::string draw_banks(const FirstRequest& request, int bank_bytes, double y) {
    std::array<std::set<int64_t>, lanes> words;   // that lanes want of each bank
    std::string svg, connections;
    for (int lane = 0; lane < lanes; ++lane) {
        if (!takes_part(request, lane)) continue;
        for (int64_t byte = 0; byte < request.bytes; byte += std::min<int64_t>(bank_bytes, request.bytes)) {
            const int64_t word = (request.offset_bytes[lane] + byte) / bank_bytes;
            words[static_cast<size_t>(word % lanes)].insert(word);
            if (byte == 0) connections += connection(lane, middle_of(static_cast<int>(word % lanes)), y);
        }
    }
    for (int bank = 0; bank < lanes; ++bank) {
        const size_t wanted = words[static_cast<size_t>(bank)].size();
        svg += rectangle(left + bank * lane_width, y + memory_y, lane_width, memory_height, wanted != 0 ? "used" : "");
        if (wanted != 0) svg += text_at(middle_of(bank), y + memory_y + 15, "small", std::to_string(wanted));
        svg += text_at(middle_of(bank), y + label_y, "small faint", std::to_string(bank));
    }
    return svg + connections;
}

std::string plural(uint64_t count, const std::string& one) { return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s"); }

std::string cost_of(const FirstRequest& request, bool kepler) {
    if (request.space == "shared") {
        const SharedTraffic& t = request.shared;
        return fmt::format("{}, {}, {}. In each bank: how many different words are wanted of it.", plural(t.requests, "request"), plural(t.wavefronts, "wavefront"),
                           t.conflicts == 0 ? "no conflicts" : plural(t.conflicts, "bank conflict"));
    }
    const MemoryTraffic& t = request.memory;
    const std::string blocks = kepler ? plural(t.transactions, "transaction") + ", " + plural(t.sectors, "sector") : plural(t.sectors, "sector");
    return fmt::format("{}, {}: {} bytes moved, {} asked for, {:.1f} %", plural(t.requests, "request"), blocks, t.moved_bytes, t.requested_bytes,
                       t.efficiency_percent());
}

std::string trimmed(const std::string& text) {
    const size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

// Where the lanes lie in relation to the first line.
std::array<int64_t, lanes> shape_of(const FirstRequest& request) {
    int64_t first = INT64_MAX;
    for (int lane = 0; lane < lanes; ++lane) {
        if (takes_part(request, lane)) first = std::min(first, floor_to(request.offset_bytes[lane], line_bytes));
    }
    std::array<int64_t, lanes> shape = request.offset_bytes;
    for (int lane = 0; lane < lanes; ++lane) shape[lane] = takes_part(request, lane) ? shape[lane] - first : 0;
    return shape;
}

bool look_alike(const FirstRequest& a, const FirstRequest& b) {
    return a.action == b.action && a.space == b.space && a.bytes == b.bytes && a.mask == b.mask && a.line == b.line && a.file == b.file &&
           shape_of(a) == shape_of(b);
}

}  // namespace

std::string picture(std::span<const Launch> launches, const SourceLine& source) {
    std::string panels, title;
    std::vector<std::pair<std::string, FirstRequest>> drawn;   // with the kernel's name
    double y = 0;
    for (const Launch& launch : launches) {
        const bool kepler = is_kepler(launch.gpu);
        const std::string kernel = short_name(launch.kernel);
        for (const FirstRequest& request : launch.first_requests) {
            const bool is_new = std::ranges::none_of(drawn, [&](const auto& other) { return other.first == launch.kernel && look_alike(other.second, request); });
            if (!is_new || request.mask == 0) continue;
            drawn.emplace_back(launch.kernel, request);
            const std::string code = request.line == 0 ? "" : trimmed(source(request.file, static_cast<int>(request.line)));
            const std::string what = fmt::format("{}: {} of {} by each of {} lane{}, {} memory", kernel, request.action, plural(request.bytes, "byte"),
                                                 std::popcount(request.mask), std::popcount(request.mask) == 1 ? "" : "s", request.space);
            if (title.empty()) title = what;
            panels += text_at(left, y + caption_y, "strong", what);
            if (!code.empty()) panels += text_at(left, y + code_y, "code faint", code);
            panels += draw_lanes(request, y);
            panels += request.space == "shared" ? draw_banks(request, kepler ? 8 : 4, y) : draw_lines(request, y);
            panels += text_at(left, y + cost_y, "", cost_of(request, kepler));
            y += panel_height;
        }
    }
    if (panels.empty()) {
        title = "No kernel touched memory";
        panels = text_at(left, caption_y, "", title);
        y = 2 * caption_y;
    }
    return fmt::format("<svg class=\"ls-lanes\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\"\n"
                       "     style=\"display: block; width: 100%; max-width: {:.0f}px; margin: 1em 0\">\n{}{}</svg>\n",
                       width, y, escaped(title), width, style, panels);
}

}  // namespace lanescope::report
