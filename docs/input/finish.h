/// \file
/// What Doxygen's own output lacks for our pages.
///
/// The site's search finds headings of pages and what they say about an API, not only names in headers.
///
/// Doxygen's search knows pages by the start of their titles. It keeps its data in one JavaScript file for each kind
/// of thing and first letter, with one entry a line; the terms of our pages are added to these. The format is the same
/// in 1.9.4 and 1.9.8; a folder that looks otherwise is an error.
///
/// The menu of narrow windows, where the navigation beside the page is hidden, lists the pages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/result.h"

namespace lanescope::docs {

struct SearchTerm {
    std::string text;    ///< what is typed, from its start; only letters of ASCII are compared, in any case
    std::string shown;   ///< what the list of results shows
    std::string where;   ///< behind it, in small: the page
    std::string url;     ///< relative to the site
};

/// Adds the terms to the lists "All" and "Pages" of a built site; `html` is its folder.
Result<void> add_to_search(const std::filesystem::path& html, const std::vector<SearchTerm>& terms);

struct MenuEntry {
    std::string text;
    std::string url;
    std::vector<MenuEntry> below;
};

/// Puts the entries behind the start page, instead of a link to Doxygen's list of pages, which lacks those below it.
Result<void> add_to_menu(const std::filesystem::path& html, const std::vector<MenuEntry>& entries);

}  // namespace lanescope::docs
