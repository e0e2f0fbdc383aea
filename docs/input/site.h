/// \file
/// From the Markdown files of the repository to what Doxygen reads.
///
///     Site site = find_site("/path/to/repository", problems);
///     for (const Page& page : site.pages) write(page.file, site.for_doxygen(page, problems));
///
/// Pages are written so that they read well on GitHub too, and say nothing about Doxygen. What a page gets here:
/// - ids: `page.md` of chapters/01_... is chapter_01, the README of its exercise x is exercise_01_x, and a heading's is
///   the page's followed by what GitHub calls the heading, so that links with `#` mean the same on both;
/// - links to pages, headings and headers of common/ become links inside the site; a link to any other file
///   of the repository leads to a page that shows the file (a Listing);
/// - `\fig{name}` becomes the figure, a line `\picture{name}` the picture, and a line `\chapters` the table of chapters;
/// - a last line that leads to the pages below it in the navigation: exercises, hints, listings.
///
/// Code, in spans or blocks, stays as it is.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "figures.h"
#include "finish.h"
#include "pictures.h"
#include "support/result.h"

namespace lanescope::docs {

struct Page {
    std::filesystem::path file;   ///< relative to the repository
    std::string id;
    std::string title;
    std::string summary;          ///< its first sentence
    std::string parent;           ///< id of the page above it; empty: the start page itself
    std::map<std::string, std::string> headings;   ///< from GitHub's name for a heading to its id
};

/// A file of the repository that a page links to, shown as a page of its own.
struct Listing {
    std::string id;
    std::string parent;
};

struct Site {
    std::filesystem::path root;
    std::vector<Page> pages;        ///< in the order of the navigation, the start page first
    std::map<std::filesystem::path, Listing> listings;   ///< by file
    std::map<std::string, std::filesystem::path> images;  ///< by file name: Doxygen puts all into one folder
    Figures figures;
    std::set<std::string> used_figures;
    Pictures pictures;
    std::set<std::string> used_pictures;

    /// The text of a page for Doxygen, with as many lines as the file. Problems: links that lead nowhere,
    /// figures and pictures that are not defined. Adds to listings, images, used_figures and used_pictures.
    std::string for_doxygen(const Page& page, std::vector<Diagnostic>& problems);

    /// What the search should find on a page: its headings from every word on, and names in `code`. Valid as below().
    std::vector<SearchTerm> search_terms(const Page& page) const;

    /// The line that leads to the pages below this one; empty: there are none. Valid once all pages were read.
    std::string below(const std::string& id) const;
};

/// Finds docs/start.md, the pages of chapters with their exercises and hints, CONTRIBUTING.md and the rest of docs/, and reads
/// the figures and the list of pictures.
Site find_site(const std::filesystem::path& root, std::vector<Diagnostic>& problems);

/// What GitHub calls a heading in a link: "A name, not an address" is a-name-not-an-address.
std::string github_name(const std::string& heading);

}  // namespace lanescope::docs
