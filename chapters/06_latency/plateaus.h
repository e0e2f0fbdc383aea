/// \file
/// find_plateaus: where a chase costs the same for many sizes.
///
///     const auto found = find_plateaus({{16, 32.1}, {32, 32.1}, {64, 276.0}, {128, 275.7}});
///     // two: 32.1 cycles from 16 to 32 KB, 275.85 cycles from 64 to 128 KB
///
/// A plateau is a run of neighbouring sizes whose cycles differ by at most 5 % (of the lowest), and whose largest size
/// is at least 1.25 times the smallest; a shorter run may be a piece of a slope. The run that spans most is taken first,
/// then the longest to its left and to its right, and so on. It knows nothing of caches: how many plateaus there are,
/// and what they are, is for the reader to say. Host side only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace latency {

struct Point {
    double kb;
    double cycles;
};

struct Plateau {
    double from_kb, to_kb;
    double cycles;  ///< the median of its sizes
    std::size_t sizes;
};

constexpr double plateau_tolerance = 0.05;
constexpr double plateau_span = 1.25;

inline double median_cycles(std::vector<Point> points) {
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.cycles < b.cycles; });
    const std::size_t n = points.size();
    return (points[(n - 1) / 2].cycles + points[n / 2].cycles) / 2;
}

/// `points` in order of their sizes. The plateaus come in the same order.
inline std::vector<Plateau> find_plateaus(const std::vector<Point>& points) {
    std::size_t best_first = 0, best_last = 0;
    double best_span = 0;
    for (std::size_t first = 0; first < points.size(); ++first) {
        double lowest = points[first].cycles, highest = lowest;
        for (std::size_t last = first + 1; last < points.size(); ++last) {
            lowest = std::min(lowest, points[last].cycles);
            highest = std::max(highest, points[last].cycles);
            if (highest > lowest * (1 + plateau_tolerance)) break;
            const double span = points[last].kb / points[first].kb;
            if (span <= best_span) continue;
            best_span = span;
            best_first = first;
            best_last = last;
        }
    }
    if (best_span < plateau_span) return {};
    const auto begin = points.begin() + std::ptrdiff_t(best_first),
               end = points.begin() + std::ptrdiff_t(best_last) + 1;
    std::vector<Plateau> found = find_plateaus({points.begin(), begin});
    found.push_back({begin->kb, (end - 1)->kb, median_cycles({begin, end}), std::size_t(end - begin)});
    for (const Plateau& right : find_plateaus({end, points.end()})) found.push_back(right);
    return found;
}

}  // namespace latency
