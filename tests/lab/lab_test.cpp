// What `./lab` says on a machine that lacks something. A copy of the script stands alone in a folder, and
// stand-ins for cmake, g++, dpkg-query, ... come first in PATH.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope {
namespace {

using test::Finished;
using test::run_program;
using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

class Lab : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(folder / "bin");
        fs::copy_file(LAB, folder / "lab");
        stand_in("dpkg-query", "echo installed");
    }

    void stand_in(const std::string& command, const std::string& script) {
        const fs::path path = folder / "bin" / command;
        std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(path, fs::perms::owner_all);
    }

    Finished lab(std::vector<std::string> arguments, std::map<std::string, std::string> environment = {}) {
        arguments.insert(arguments.begin(), folder / "lab");
        environment.insert({"PATH", (folder / "bin").string() + ":" + std::getenv("PATH")});
        environment.insert({"CUDACXX", NVCC});
        return run_program(arguments, environment);
    }

    const test::TemporaryFolder temporary{"lab test"};
    const fs::path folder = temporary.path();
};

TEST_F(Lab, MissingPackageWithoutRoot) {
    stand_in("dpkg-query", "case \"$*\" in *libfmt-dev) exit 1;; *) echo installed;; esac");
    stand_in("id", "echo 1000");
    stand_in("sudo", "exit 1");
    const Finished run = lab({"build"});
    EXPECT_NE(run.exit_status, 0);
    EXPECT_THAT(run.err, HasSubstr("next: sudo apt-get update && sudo apt-get install -y --no-install-recommends libfmt-dev\n"));
}

TEST_F(Lab, MissingPackageIsInstalledWithoutAQuestionWhenNobodyCanAnswer) {
    stand_in("dpkg-query", "case \"$*\" in *libfmt-dev) exit 1;; *) echo installed;; esac");
    stand_in("id", "echo 0");
    stand_in("apt-get", "echo \"$*\" >>'" + (folder / "log").string() + "'");
    lab({"build"}, {{"CI", "true"}});   // fails later: the copy has no CMakeLists.txt
    std::ifstream log(folder / "log");
    const std::string calls{std::istreambuf_iterator<char>(log), {}};
    EXPECT_EQ(calls, "update -qq\ninstall -y --no-install-recommends libfmt-dev\n");
}

// Doxygen is a large package: what a learner starts with must not ask for it.
TEST_F(Lab, TheSitesPackagesAreForTheSiteAndTheTests) {
    stand_in("dpkg-query", "case \"$*\" in *doxygen-awesome-css) exit 1;; *) echo installed;; esac");
    stand_in("id", "echo 1000");
    stand_in("sudo", "exit 1");
    for (const char* command : {"docs", "test"}) EXPECT_THAT(lab({command}).err, HasSubstr("doxygen-awesome-css")) << command;
    for (const char* command : {"build", "tour"}) EXPECT_THAT(lab({command}).err, Not(HasSubstr("doxygen"))) << command;
}

TEST_F(Lab, PackagesThatCannotBeInstalled) {
    stand_in("dpkg-query", "exit 1");
    stand_in("id", "echo 0");
    stand_in("apt-get", "echo 'E: no network'; exit 100");
    const Finished run = lab({"--yes", "build"});
    EXPECT_NE(run.exit_status, 0);
    EXPECT_THAT(run.err, AllOf(HasSubstr("E: no network"), HasSubstr("packages could not be installed"), HasSubstr("next: sudo apt-get install")));
}

TEST_F(Lab, OldCMake) {
    stand_in("cmake", "echo 'cmake version 3.22.1'");
    const Finished run = lab({"build"});
    EXPECT_NE(run.exit_status, 0);
    EXPECT_THAT(run.err, AllOf(HasSubstr("CMake 3.22.1 is too old, 3.25 is needed"), HasSubstr("next: ")));
}

TEST_F(Lab, OldCompiler) {
    stand_in("g++", "case $1 in --version) echo 'g++ 9.4, Free Software Foundation';; *) echo 9.4.0;; esac");
    const Finished run = lab({"build"}, {{"CXX", "g++"}});
    EXPECT_NE(run.exit_status, 0);
    EXPECT_THAT(run.err, AllOf(HasSubstr("g++ 9.4.0 is too old for C++20, 11 is needed"), HasSubstr("next: ")));
}

TEST_F(Lab, CompilerThatNvccRefuses) {
    stand_in("g++", "case $1 in --version) echo 'g++ 99, Free Software Foundation';; -dumpfullversion) echo 99.1.0;;"
                    " *) exec /usr/bin/g++ -U__GNUC__ -D__GNUC__=99 \"$@\";; esac");
    const Finished run = lab({"build"}, {{"CXX", "g++"}});
    EXPECT_NE(run.exit_status, 0);
    EXPECT_THAT(run.err, AllOf(HasSubstr("does not take g++ 99.1.0 as host compiler: unsupported GNU version"), HasSubstr("next: ")));
}

TEST_F(Lab, WrongUse) {
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"fly"}, {"--fly", "tour"}, {"--preset"}}) {
        EXPECT_NE(lab(wrong).exit_status, 0);
    }
    EXPECT_THAT(lab({"fly"}).err, AllOf(HasSubstr("there is no command fly"), HasSubstr("./lab help")));
    EXPECT_THAT(lab({"help"}).out, HasSubstr("Usage: ./lab"));
    EXPECT_EQ(lab({}).out, lab({"help"}).out);
}

TEST(LabScript, PassesShellcheck) {
    const Finished check = run_program({"shellcheck", LAB});
    if (check.exit_status == 127) GTEST_SKIP() << "shellcheck is not installed";
    EXPECT_EQ(check.exit_status, 0) << check.out;
}

}  // namespace
}  // namespace lanescope
