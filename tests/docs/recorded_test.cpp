// Recorded outputs, from which pages quote figures, are what the programs print today.
//
// chapters/*/recorded/*.txt open with lines `# command: ...` and `# GPU: ...`. Those of the simulated GPU are compared
// with a new run of the command; those of a real GPU cannot be repeated here.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

struct Recorded {
    std::string command, gpu, output;
};

Recorded read(const fs::path& file) {
    Recorded recorded;
    std::ifstream in(file);
    bool in_header = true;
    for (std::string line; std::getline(in, line);) {
        in_header = in_header && line.starts_with("#");
        if (!in_header) recorded.output += line + "\n";
        else if (line.starts_with("# command: ")) recorded.command = line.substr(11);
        else if (line.starts_with("# GPU: ")) recorded.gpu = line.substr(7);
    }
    return recorded;
}

// A program without arguments, whose exit status says whether all went well.
bool is_program_alone(const Recorded& recorded) {
    return recorded.command.starts_with("build/bin/lanescope run build/chapters/") && std::ranges::count(recorded.command, ' ') == 2;
}

bool is_simulated(const Recorded& recorded) { return recorded.gpu.starts_with("simulated"); }

std::vector<fs::path> recorded_files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE) / "chapters")) {
        if (entry.path().parent_path().filename() == "recorded" && entry.path().extension() == ".txt") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> simulated_files() {
    std::vector<std::string> files;
    for (const fs::path& file : recorded_files()) {
        if (is_simulated(read(file))) files.push_back(fs::relative(file, SOURCE));
    }
    return files;
}

TEST(RecordedFiles, SayWhatWasRunWhere) {
    for (const fs::path& file : recorded_files()) {
        const Recorded recorded = read(file);
        EXPECT_FALSE(recorded.command.empty()) << file << ": the first lines lack '# command: ...'";
        EXPECT_FALSE(recorded.gpu.empty()) << file << ": the first lines lack '# GPU: simulated ...' or the GPU's name";
        EXPECT_FALSE(recorded.output.empty()) << file;
    }
}

class SimulatedOutput : public testing::TestWithParam<std::string> {};

TEST_P(SimulatedOutput, IsWhatTheCommandPrintsNow) {
    const Recorded recorded = read(fs::path(SOURCE) / GetParam());
    // Commands are written for the top of the repository, with the default build folder.
    const test::TemporaryFolder folder("recorded");
    for (const char* name : {"chapters", "common", "exercises"}) fs::create_symlink(fs::path(SOURCE) / name, folder.path() / name);
    fs::create_symlink(BUILD, folder.path() / "build");
    const test::Finished now = test::run_program({"bash", "-c", "unset LANESCOPE_GPU LANESCOPE_SCHEDULE && cd '" + folder.path().string() + "' && " + recorded.command});
    EXPECT_EQ(now.out, recorded.output) << "If the new output is right, record it:\n  " << recorded.command << "\n" << now.err;
    if (is_program_alone(recorded)) {
        EXPECT_EQ(now.exit_status, 0) << now.err;
    }
}

// chapters/01_global_symbols/recorded/global_symbol.simulated.txt is 01_global_symbols_global_symbol.
std::string name_of(const testing::TestParamInfo<std::string>& info) {
    const fs::path file = info.param;
    std::string name = file.parent_path().parent_path().filename().string() + "_" + file.stem().stem().string();
    std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Chapters, SimulatedOutput, testing::ValuesIn(simulated_files()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SimulatedOutput);

}  // namespace
}  // namespace lanescope
