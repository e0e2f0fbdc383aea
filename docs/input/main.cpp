// Before Doxygen: docs_input pages REPOSITORY FOLDER BUILD writes what it reads, to FOLDER/input and FOLDER/pictures; BUILD holds the
// programs. After it: docs_input finish REPOSITORY HTML.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "site.h"

namespace fs = std::filesystem;
using namespace lanescope;

namespace {

void write_pages(docs::Site& site, const std::map<std::string, std::string>& texts, const fs::path& folder) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::string inputs = "INPUT =";   // in the order of the navigation
    const auto write = [&](const std::string& id, const std::string& text) {
        const fs::path file = folder / (id + ".md");
        std::ofstream(file) << text;
        inputs += fmt::format(" \\\n  \"{}\"", file.string());
    };
    for (const docs::Page& page : site.pages) write(page.id, texts.at(page.id) + site.below(page.id));
    for (const auto& [file, listing] : site.listings) {
        write(listing.id, fmt::format("# {} {{#{}}}\n\nThe file `{}`.\n\n\\include {}\n", file.filename().string(), listing.id, file.string(), file.string()));
    }
    inputs += " \\\n  \"" + (site.root / "common").string() + "\"\nIMAGE_PATH =";
    for (const auto& [name, file] : site.images) inputs += fmt::format(" \\\n  \"{}\"", (site.root / file).string());
    std::ofstream(folder / "inputs.doxy") << inputs << "\n";
}

std::vector<docs::MenuEntry> menu_below(const docs::Site& site, const std::string& id) {
    std::vector<docs::MenuEntry> entries;
    for (const docs::Page& page : site.pages) {
        if (page.parent == id) entries.push_back({page.title, page.id + ".html", {}});
    }
    return entries;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string step = argc > 1 ? argv[1] : "";
    if (!(step == "pages" && argc == 5) && !(step == "finish" && argc == 4)) {
        fmt::print(stderr, "Usage: docs_input pages REPOSITORY FOLDER BUILD\n       docs_input finish REPOSITORY HTML\n");
        return 2;
    }
    std::vector<Diagnostic> problems;
    docs::Site site = docs::find_site(argv[2], problems);
    std::map<std::string, std::string> texts;
    for (const docs::Page& page : site.pages) texts[page.id] = site.for_doxygen(page, problems);
    for (const auto& [name, figure] : site.figures) {
        if (!site.used_figures.contains(name)) {
            problems.push_back({fmt::format("figure {} is on no page", name), fmt::format("{}:{}", figure.defined_in.string(), figure.line),
                                fmt::format("write \\fig{{{}}} on one, or remove it", name)});
        }
    }
    for (const auto& [name, picture] : site.pictures) {
        if (!site.used_pictures.contains(name)) {
            problems.push_back({fmt::format("picture {} is on no page", name), fmt::format("{}:{}", picture.defined_in.string(), picture.line),
                                fmt::format("write \\picture{{{}}} on one, or remove it", name)});
        }
    }
    if (problems.empty() && step == "pages") docs::draw_pictures(site.pictures, argv[4], fs::path(argv[3]) / "pictures", problems);
    if (problems.empty() && step == "pages") write_pages(site, texts, fs::path(argv[3]) / "input");
    if (problems.empty() && step == "finish") {
        std::vector<docs::SearchTerm> terms;
        for (const docs::Page& page : site.pages) {
            for (const docs::SearchTerm& term : site.search_terms(page)) terms.push_back(term);
        }
        for (const Result<void>& added : {docs::add_to_search(argv[3], terms), docs::add_to_menu(argv[3], menu_below(site, "index"))}) {
            if (!added) problems.push_back(added.error());
        }
    }
    for (const Diagnostic& problem : problems) fmt::print(stderr, "{}\n", problem.text());
    return problems.empty() ? 0 : 1;
}
