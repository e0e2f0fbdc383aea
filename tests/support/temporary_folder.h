// A folder of a test's own, removed at its end: ctest runs tests of one executable at the same time.
//
//   const TemporaryFolder folder("cache test");   // a name with a space finds missing quotes
//   std::ofstream(folder.path() / "input.txt") << text;
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace lanescope::test {

class TemporaryFolder {
public:
    explicit TemporaryFolder(const std::string& name) {
        std::string pattern = (std::filesystem::temp_directory_path() / (name + " XXXXXX")).string();
        if (const char* made = mkdtemp(pattern.data())) path_ = made;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }   // empty if it could not be made

private:
    std::filesystem::path path_;
};

}  // namespace lanescope::test
