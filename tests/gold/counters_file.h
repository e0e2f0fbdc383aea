// Reads the CSV files of counters, columns by name. Lines before the header start with # or ==.
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace lanescope::test {

using CsvRow = std::map<std::string, std::string>;

// Fields are separated by commas; one in double quotes may contain commas ("(32, 1, 1)").
inline std::vector<std::string> split_csv_line(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) fields.emplace_back();
        else if (c != '\r') fields.back() += c;   // lines may end as on Windows
    }
    return fields;
}

inline std::vector<CsvRow> read_csv(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line) && (line.starts_with("#") || line.starts_with("=="))) {}
    const std::vector<std::string> names = split_csv_line(line);
    std::vector<CsvRow> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> fields = split_csv_line(line);
        CsvRow row;
        for (size_t i = 0; i < names.size() && i < fields.size(); ++i) row[names[i]] = fields[i];
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace lanescope::test
