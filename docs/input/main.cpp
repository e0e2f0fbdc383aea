// Prepares the input of Doxygen: docs_input REPOSITORY OUTPUT_FOLDER.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "site.h"

namespace fs = std::filesystem;
using namespace lanescope;

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "Usage: docs_input REPOSITORY OUTPUT_FOLDER\n");
        return 2;
    }
    const fs::path root = argv[1], output = argv[2];
    std::vector<Diagnostic> problems;
    docs::Site site = docs::find_site(root, problems);
    std::map<std::string, std::string> texts;
    for (const docs::Page& page : site.pages) texts[page.id] = site.for_doxygen(page, problems);
    for (const auto& [name, figure] : site.figures) {
        if (!site.used_figures.contains(name)) {
            problems.push_back({fmt::format("figure {} is on no page", name), fmt::format("{}:{}", figure.defined_in.string(), figure.line),
                                fmt::format("write \\fig{{{}}} on one, or remove it", name)});
        }
    }
    for (const Diagnostic& problem : problems) fmt::print(stderr, "{}\n", problem.text());
    if (!problems.empty()) return 1;

    fs::remove_all(output);
    fs::create_directories(output);
    std::string inputs = "INPUT =";   // in the order of the navigation
    const auto write = [&](const std::string& id, const std::string& text) {
        const fs::path file = output / (id + ".md");
        std::ofstream(file) << text;
        inputs += fmt::format(" \\\n  \"{}\"", file.string());
    };
    for (const docs::Page& page : site.pages) write(page.id, texts.at(page.id) + site.below(page.id));
    for (const auto& [file, listing] : site.listings) {
        write(listing.id, fmt::format("# {} {{#{}}}\n\nThe file `{}`.\n\n\\include {}\n", file.filename().string(), listing.id, file.string(), file.string()));
    }
    inputs += " \\\n  \"" + (root / "common").string() + "\"\nIMAGE_PATH =";
    for (const auto& [name, file] : site.images) inputs += fmt::format(" \\\n  \"{}\"", (root / file).string());
    std::ofstream(output / "inputs.doxy") << inputs << "\n";
    return 0;
}
