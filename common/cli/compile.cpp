#include "cli/compile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "cli/build_info.h"
#include "support/process.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

// FNV-1a, 64 bits: tells versions of a file apart; nobody attacks the user's own cache.
class Hash {
public:
    void add(const std::string& text) {
        for (const unsigned char c : text) value_ = (value_ ^ c) * 0x100000001b3;
        value_ = (value_ ^ text.size()) * 0x100000001b3;   // "ab" + "c" differs from "a" + "bc"
    }
    std::string text() const { return fmt::format("{:016x}", value_); }

private:
    uint64_t value_ = 0xcbf29ce484222325;
};

std::optional<std::string> read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), {});
}

// Hash of the files' contents; nullopt if one is gone.
std::optional<std::string> hash_of_files(const std::vector<std::string>& paths) {
    Hash hash;
    for (const std::string& path : paths) {
        const auto text = read_text(path);
        if (!text) return std::nullopt;
        hash.add(path);
        hash.add(*text);
    }
    return hash.text();
}

// Removes what earlier versions of the same source left. A program that is running keeps its file until it ends.
void remove_stale(const fs::path& folder, const std::string& stem, const fs::path& keep) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(stem + "-") && entry.path() != keep) fs::remove(entry.path(), ignored);
    }
}

}  // namespace

Result<fs::path> cache_folder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    if (cache && *cache == '/') return fs::path(cache) / "lanescope";   // the XDG rules ignore relative paths
    if (home && *home) return fs::path(home) / ".cache" / "lanescope";
    return Diagnostic{"there is no folder for compiled programs: HOME is not set", "", "export XDG_CACHE_HOME=/tmp"};
}

std::vector<std::string> compile_flags(const Toolkit& toolkit, int sm) {
    const int architecture = toolkit.architecture_for(sm);
    return {"-std=c++17", "-O3", "-lineinfo", "--extended-lambda", "-cudart", "shared",
            fmt::format("-arch=compute_{}", architecture), fmt::format("-code=compute_{}", architecture),
            "-I", build_info::tutorial_headers};
}

std::vector<std::string> parse_dependencies(const std::string& rule) {
    std::vector<std::string> files;
    size_t i = rule.find(": ");   // after the target, which may hold colons of its own but not ": "
    if (i == std::string::npos) return files;
    std::string name;
    for (i += 1; i < rule.size(); ++i) {
        const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
        if (rule[i] == '\\' && next == ' ') {
            name += ' ';
            ++i;
        } else if (rule[i] == '\\' && next == '\n') {
            ++i;
        } else if (rule[i] == '$' && next == '$') {
            name += '$';
            ++i;
        } else if (rule[i] == ' ' || rule[i] == '\n' || rule[i] == '\t') {
            if (!name.empty()) files.push_back(std::exchange(name, {}));
            if (rule[i] == '\n') break;   // other rules follow
        } else {
            name += rule[i];
        }
    }
    if (!name.empty()) files.push_back(name);
    return files;
}

fs::path compile_cached(const fs::path& source, const Toolkit& toolkit, int sm, CompileError& error) {
    const Result<fs::path> folder = cache_folder();
    if (!folder) {
        error.diagnostic = folder.error();
        return {};
    }
    std::error_code code;
    fs::create_directories(*folder, code);
    if (code) {
        error.diagnostic = {"the folder for compiled programs cannot be made: " + code.message(), folder->string(),
                            "export XDG_CACHE_HOME=/tmp"};
        return {};
    }

    // The stem names the source and how it is compiled, the end of the file's name what went into it.
    const std::vector<std::string> flags = compile_flags(toolkit, sm);
    Hash how;
    how.add(fs::absolute(source).string());
    how.add(toolkit.nvcc);
    how.add(toolkit.version);
    for (const std::string& flag : flags) how.add(flag);
    for (const char* variable : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"}) {   // nvcc reads more options there
        const char* more = std::getenv(variable);
        how.add(more ? more : "");
    }
    const std::string stem = source.stem().string() + "-" + how.text();
    const fs::path inputs = *folder / (stem + ".inputs");   // the rule that nvcc -MD wrote
    const auto program_for = [&](const std::string& contents) { return *folder / (stem + "-" + contents); };

    if (const auto rule = read_text(inputs)) {
        const auto contents = hash_of_files(parse_dependencies(*rule));
        if (contents && access(program_for(*contents).c_str(), X_OK) == 0) return program_for(*contents);
    }

    // Compile beside the final names and move there: another run at the same time finds all or nothing.
    const fs::path temporary = *folder / fmt::format("{}.{}", stem, getpid());
    const fs::path temporary_rule = temporary.string() + ".d";
    std::vector<std::string> command{toolkit.nvcc};
    command.insert(command.end(), flags.begin(), flags.end());
    for (const std::string& argument : {std::string("-MD"), std::string("-MF"), temporary_rule.string(),
                                        fs::absolute(source).string(), std::string("-o"), temporary.string()}) {
        command.push_back(argument);
    }
    if (isatty(STDERR_FILENO)) fmt::print(stderr, "lanescope: compiling {} ...\n", source.string());
    error.exit_status = run_in_view(command);
    const auto rule = error.exit_status == 0 ? read_text(temporary_rule) : std::nullopt;
    const auto contents = rule ? hash_of_files(parse_dependencies(*rule)) : std::nullopt;
    if (!contents) {
        fs::remove(temporary, code);
        fs::remove(temporary_rule, code);
        if (error.exit_status == 0) {
            error.exit_status = 1;
            error.diagnostic = {"nvcc did not say which files it read", source.string(), "lanescope doctor"};
        }
        return {};
    }
    const fs::path program = program_for(*contents);
    fs::rename(temporary, program, code);
    if (!code) fs::rename(temporary_rule, inputs, code);
    if (code) {
        error.exit_status = 1;
        error.diagnostic = {"the compiled program cannot be stored: " + code.message(), program.string(),
                            "export XDG_CACHE_HOME=/tmp"};
        return {};
    }
    remove_stale(*folder, stem, program);
    return program;
}

}  // namespace lanescope::cli
