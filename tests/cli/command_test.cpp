// The command as a user meets it. A copy of the executable stands beside a libcudart of our choice, because
// it looks for the drop-in at ../lib/lanescope; programs here do not launch kernels.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "cli/build_info.h"
#include "cli/commands.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope::cli {
namespace {

using test::Finished;
using test::run_program;
using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

class Command : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(folder / "bin");
        fs::create_directories(folder / "lib" / "lanescope");
        fs::copy_file(LANESCOPE_COMMAND, folder / "bin" / "lanescope");
        fs::copy_file(NVIDIA_CUDART, folder / "lib" / "lanescope" / fs::path(NVIDIA_CUDART).filename());
    }

    Finished lanescope(std::vector<std::string> arguments, const std::map<std::string, std::string>& environment = {}) {
        arguments.insert(arguments.begin(), folder / "bin" / "lanescope");
        return run_program(arguments, environment);
    }

    const test::TemporaryFolder temporary{"lanescope command"};
    const fs::path folder = temporary.path();
};

TEST_F(Command, RunPassesOutputErrorsArgumentsAndExitStatusThrough) {
    const Finished run = lanescope({"run", "/bin/sh", "-c", "echo \"$1 $2\"; echo oops >&2; exit 7", "sh", "--gpu", "two words"});
    EXPECT_EQ(run.out, "--gpu two words\n");
    EXPECT_EQ(run.err, "oops\n");
    EXPECT_EQ(run.exit_status, 7);
    EXPECT_EQ(lanescope({"run", "/bin/sh", "-c", "kill -TERM $$"}).exit_status, 128 + 15);
}

TEST_F(Command, RunOnSeveralGpus) {
    const std::vector<std::string> show{"/bin/sh", "-c", "echo $LANESCOPE_GPU"};
    EXPECT_EQ(lanescope({"run", "--gpu", "H200,k80", show[0], show[1], show[2]}).out, "h200,k80\n");
    EXPECT_EQ(lanescope({"run", show[0], show[1], show[2]}, {{"LANESCOPE_GPU", "k80,k80"}}).out, "k80,k80\n");
    const Finished unknown = lanescope({"run", "--gpu", "h200,voodoo", show[0], show[1], show[2]});
    EXPECT_EQ(unknown.exit_status, exit_usage);
    EXPECT_THAT(unknown.err, HasSubstr("\"voodoo\""));
}

TEST_F(Command, RunSetsTheEnvironment) {
    const std::string show = "echo $LANESCOPE_GPU,$LANESCOPE_SCHEDULE,$LD_LIBRARY_PATH";
    const std::string library = (folder / "lib" / "lanescope").string();
    EXPECT_EQ(lanescope({"run", "--gpu", "K80", "--schedule", "5", "/bin/sh", "-c", show}, {{"LD_LIBRARY_PATH", "/mine"}}).out,
              "k80,5," + library + ":/mine\n");
    EXPECT_EQ(lanescope({"run", "/bin/sh", "-c", show}, {{"LD_LIBRARY_PATH", ""}, {"LANESCOPE_GPU", "t4"}, {"LANESCOPE_SCHEDULE", "9"}}).out,
              "t4,9," + library + "\n");
    EXPECT_EQ(lanescope({"run", "/bin/sh", "-c", show}, {{"LD_LIBRARY_PATH", ""}, {"LANESCOPE_GPU", ""}, {"LANESCOPE_SCHEDULE", ""}}).out,
              "h200,," + library + "\n");
}

TEST_F(Command, RunStartsAProgramBuiltByNvcc) {
    const Finished run = lanescope({"run", std::string(PROGRAMS) + "/good"});
    EXPECT_EQ(run.exit_status, 0) << run.err;
    EXPECT_EQ(run.out, "hello from the host\n");
}

TEST_F(Command, RunCompilesACuFileFirst) {
    const fs::path source = folder / "status.cu";
    std::ofstream(source) << "#include <cstdio>\nint main(int argc, char** argv) { std::printf(\"%s\\n\", argv[argc - 1]); return 3; }\n";
    const std::map<std::string, std::string> environment{{"XDG_CACHE_HOME", folder / "cache"}};
    const Finished run = lanescope({"run", source, "last"}, environment);
    EXPECT_EQ(run.out, "last\n") << run.err;
    EXPECT_EQ(run.exit_status, 3);

    std::ofstream(source) << "int main() { return undeclared; }\n";
    const Finished broken = lanescope({"run", source}, environment);
    EXPECT_THAT(broken.err, HasSubstr("identifier \"undeclared\" is undefined"));
    EXPECT_NE(broken.exit_status, 0);
}

TEST_F(Command, RunRefusesWithTheNextStep) {
    const Finished refused = lanescope({"run", std::string(PROGRAMS) + "/static_cudart"});
    EXPECT_EQ(refused.exit_status, 126);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("lanescope: "), HasSubstr("next: "), HasSubstr("-cudart shared")));
    const Finished missing = lanescope({"run", "no_such_program"});
    EXPECT_EQ(missing.exit_status, 127);
    EXPECT_THAT(missing.err, HasSubstr("no_such_program: no such file"));
    EXPECT_EQ(lanescope({"run", "no_such_file.cu"}).exit_status, 127);
}

TEST_F(Command, MissingDropIn) {
    const fs::path library = folder / "lib" / "lanescope" / fs::path(NVIDIA_CUDART).filename();
    fs::rename(library, library.string() + ".away");
    const Finished run = lanescope({"run", std::string(PROGRAMS) + "/good"});
    const Finished grade = lanescope({"grade", "lost_updates"});
    const Finished doctor = lanescope({"doctor"});
    fs::rename(library.string() + ".away", library);
    EXPECT_EQ(run.exit_status, 126);
    EXPECT_THAT(run.err, AllOf(HasSubstr("library is missing"), HasSubstr("./lab build")));
    EXPECT_EQ(grade.exit_status, 126);   // and not a bad grade
    EXPECT_THAT(grade.err, HasSubstr("library is missing"));
    EXPECT_EQ(doctor.exit_status, 1);
    EXPECT_THAT(doctor.out, HasSubstr("MISSING  simulated GPU"));
}

TEST_F(Command, WrongUse) {
    const Finished gpu = lanescope({"run", "--gpu", "voodoo", "/bin/true"});
    EXPECT_EQ(gpu.exit_status, 2);
    EXPECT_THAT(gpu.err, AllOf(HasSubstr("voodoo"), HasSubstr("k80"), HasSubstr("rtx5080")));
    EXPECT_THAT(lanescope({"run", "--schedule", "-1", "/bin/true"}).err, HasSubstr("whole number"));
    EXPECT_THAT(lanescope({"run", "--fast", "/bin/true"}).err, HasSubstr("no option --fast"));
    EXPECT_THAT(lanescope({"run"}).err, HasSubstr("needs a program"));
    EXPECT_THAT(lanescope({"fly"}).err, HasSubstr("there is no command fly"));
    EXPECT_THAT(lanescope({"--fly"}).err, HasSubstr("--fly"));
    EXPECT_THAT(lanescope({"gpus", "h200", "k80"}).err, HasSubstr("k80"));
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{}, {"fly"}, {"run"}, {"run", "--fast"}, {"gpus", "voodoo"}}) {
        EXPECT_EQ(lanescope(wrong).exit_status, 2);
    }
}

TEST_F(Command, GpusListsProfilesAndSources) {
    const Finished list = lanescope({"gpus"});
    EXPECT_EQ(list.exit_status, 0);
    EXPECT_THAT(list.out, AllOf(HasSubstr("NVIDIA H200"), HasSubstr("Tesla K80"), HasSubstr("132")));
    const Finished one = lanescope({"gpus", "H200"});
    EXPECT_EQ(one.exit_status, 0);
    EXPECT_THAT(one.out, testing::ContainsRegex("l2_bytes +62914560 bytes +measured +cudaDeviceGetAttribute"));
    EXPECT_THAT(lanescope({"gpus", "rtx5080"}).out, testing::ContainsRegex("l2_bytes +67108864 bytes +assumed "));
}

TEST_F(Command, DoctorFindsWhatTheTestsNeed) {
    const Finished doctor = lanescope({"doctor"});
    EXPECT_EQ(doctor.exit_status, 0) << doctor.out;
    EXPECT_THAT(doctor.out, AllOf(HasSubstr("CUDA Toolkit"), HasSubstr("CMake"), HasSubstr("hardware counters")));
}

TEST_F(Command, HelpAndVersion) {
    EXPECT_EQ(lanescope({"--help"}).exit_status, 0);
    EXPECT_THAT(lanescope({"run", "--help"}).out, HasSubstr("PROGRAM|FILE.cu"));
    EXPECT_THAT(lanescope({"--version"}).out, HasSubstr(build_info::toolkit_version));
}

}  // namespace
}  // namespace lanescope::cli
