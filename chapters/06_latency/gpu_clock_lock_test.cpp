// gpu_clock_lock.sh against a stand-in nvidia-smi, which writes down how it was called. Nothing touches a real GPU: the
// script's PATH has no other nvidia-smi.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using lanescope::test::Finished;
using lanescope::test::run_program;
using lanescope::test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string script = std::string(CHAPTER) + "/gpu_clock_lock.sh";
const std::string query_gpus = "--query-gpu=index --format=csv,noheader";

// Two GPUs. REFUSE names options that fail, WARN options that nvidia-smi answers with a warning and exit status 0.
constexpr const char* stand_in = R"(#!/usr/bin/env bash
printf '%s\n' "$*" >>"$LOG"
one=""
if [[ $1 == -i ]]; then one=$2; shift 2; fi
case " $REFUSE " in *" $1 "*) printf 'The current user does not have permission for %s.\n' "$1"; exit 4 ;; esac
case " $WARN " in *" $1 "*) printf 'Setting with %s is not supported for GPU 0.\nTreating as warning and moving on.\nAll done.\n' "$1"; exit 0 ;; esac
answers=()
case $1 in
    --query-gpu=index) [[ -z $NO_DRIVER ]] || { echo 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.'; exit 9; }
        answers=(0 1) ;;
    --query-gpu=index,*) answers=('0, NVIDIA One, Enabled, 345 MHz, 1980 MHz, 2619 MHz, 3201 MHz'
                                  '1, NVIDIA Two, Disabled, 1500 MHz, 1980 MHz, 3201 MHz, 3201 MHz') ;;
    --query-gpu=clocks_event_reasons.active | --query-gpu=clocks_throttle_reasons.active)
        answers=(0x0000000000000001 0x0000000000000024) ;;
    *) echo "said $1"; echo 'All done.' ;;
esac
if [[ -n $one ]]; then printf '%s\n' "${answers[$one]}"; else for answer in "${answers[@]}"; do printf '%s\n' "$answer"; done; fi
)";

class ClockLock : public testing::Test {
protected:
    ClockLock() {
        for (const char* tool : {"bash", "env", "cat", "head", "sed", "grep"}) {
            const Finished found = run_program({"sh", "-c", std::string("command -v ") + tool});
            fs::create_symlink(found.out.substr(0, found.out.find('\n')), tools() / tool);
        }
        write("nvidia-smi", stand_in);
        write("id", "#!/usr/bin/env bash\necho \"$AS_USER\"\n");
    }

    fs::path tools() const { return folder_.path(); }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream(tools() / name) << text;
        fs::permissions(tools() / name, fs::perms::owner_all);
    }

    Finished run(std::vector<std::string> arguments, std::map<std::string, std::string> environment = {}) const {
        arguments.insert(arguments.begin(), script);
        fs::remove(log());
        environment.insert({{"AS_USER", "0"}, {"REFUSE", ""}, {"WARN", ""}, {"NO_DRIVER", ""}});
        environment["PATH"] = tools();
        environment["LOG"] = log();
        return run_program(arguments, environment);
    }

    // How nvidia-smi was called since the last run began.
    std::vector<std::string> calls() const {
        std::vector<std::string> lines;
        std::ifstream file(log());
        for (std::string line; std::getline(file, line);) lines.push_back(line);
        return lines;
    }

private:
    fs::path log() const { return tools() / "calls"; }

    TemporaryFolder folder_{"clock lock"};
};

TEST_F(ClockLock, LocksTheSmClockOfAllGpus) {
    const Finished done = run({"lock", "--sm", "1980"});
    EXPECT_EQ(done.exit_status, 0) << done.err;
    EXPECT_THAT(calls(), ElementsAre(query_gpus, "-pm 1", "-lgc 1980,1980"));
    EXPECT_THAT(done.out, HasSubstr("SM clock locked at 1980 MHz: said -lgc"));
    EXPECT_EQ(done.err, "");
}

TEST_F(ClockLock, LocksBothClocksOfOneGpu) {
    const Finished done = run({"lock", "--gpu", "1", "--mem", "2619", "--sm", "1500"});
    EXPECT_EQ(done.exit_status, 0) << done.err;
    EXPECT_THAT(calls(), ElementsAre(query_gpus, "-i 1 -pm 1", "-i 1 -lgc 1500,1500", "-i 1 -lmc 2619,2619"));
    EXPECT_THAT(done.out, HasSubstr("Memory clock locked at 2619 MHz"));
}

TEST_F(ClockLock, Unlocks) {
    EXPECT_EQ(run({"unlock"}).exit_status, 0);
    EXPECT_THAT(calls(), ElementsAre(query_gpus, "-rgc", "-rmc"));
    EXPECT_EQ(run({"unlock", "--gpu", "0"}).exit_status, 0);
    EXPECT_THAT(calls(), ElementsAre(query_gpus, "-i 0 -rgc", "-i 0 -rmc"));
}

TEST_F(ClockLock, StatusAsksAndChangesNothing) {
    const Finished done = run({"status"}, {{"AS_USER", "1000"}});  // anybody may
    EXPECT_EQ(done.exit_status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("GPU 0, NVIDIA One: SM 345 MHz (highest 1980 MHz), memory 2619 MHz (highest 3201 "
                                    "MHz), persistence mode Enabled\n"
                                    "  held back by: idle\n"));
    EXPECT_THAT(done.out, HasSubstr("GPU 1, NVIDIA Two: SM 1500 MHz"));
    EXPECT_THAT(done.out, HasSubstr("held back by: power limit; temperature, by the driver\n"));  // 0x24
    EXPECT_THAT(done.out, HasSubstr("do not say whether clocks are locked"));
    for (const std::string& call : calls()) EXPECT_THAT(call, StartsWith("--query-gpu=")) << call;
}

TEST_F(ClockLock, StatusOfOneGpu) {
    const Finished done = run({"status", "--gpu", "1"});
    EXPECT_EQ(done.exit_status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("GPU 1, NVIDIA Two"));
    EXPECT_THAT(done.out, Not(HasSubstr("NVIDIA One")));
    for (const std::string& call : calls())
        EXPECT_TRUE(call == query_gpus || call.rfind("-i 1 --query-gpu=", 0) == 0) << call;
}

TEST_F(ClockLock, StatusWithOlderDrivers) {
    const std::string newer = "--query-gpu=clocks_event_reasons.active",
                      older = "--query-gpu=clocks_throttle_reasons.active";
    const Finished old_name = run({"status"}, {{"REFUSE", newer}});
    EXPECT_EQ(old_name.exit_status, 0) << old_name.err;
    EXPECT_THAT(old_name.out, HasSubstr("held back by: idle\n"));
    const Finished neither = run({"status"}, {{"REFUSE", newer + " " + older}});
    EXPECT_EQ(neither.exit_status, 0) << neither.err;
    EXPECT_THAT(neither.out, HasSubstr("GPU 0, NVIDIA One"));
    EXPECT_THAT(neither.out, Not(HasSubstr("held back")));
}

// Many GPUs have one memory clock only. nvidia-smi refuses with an exit status, or says so and exits with 0.
TEST_F(ClockLock, ARefusedMemoryClockIsAWarning) {
    for (const char* how : {"REFUSE", "WARN"}) {
        const Finished lock = run({"lock", "--sm", "1980", "--mem", "3201"}, {{how, "-lmc"}});
        EXPECT_EQ(lock.exit_status, 0) << how;
        EXPECT_THAT(lock.out, HasSubstr("SM clock locked at 1980 MHz"));
        EXPECT_THAT(lock.out, Not(HasSubstr("Memory clock locked")));
        EXPECT_THAT(lock.err, HasSubstr("warning: the memory clock could not be locked at 3201 MHz"));
        const Finished unlock = run({"unlock"}, {{how, "-rmc"}});
        EXPECT_EQ(unlock.exit_status, 0) << how;
        EXPECT_THAT(unlock.err, HasSubstr("warning: the memory clock could not be unlocked"));
    }
}

TEST_F(ClockLock, ARefusedSmClockIsAnError) {
    for (const char* how : {"REFUSE", "WARN"}) {
        const Finished lock = run({"lock", "--sm", "1980", "--mem", "3201"}, {{how, "-lgc"}});
        EXPECT_EQ(lock.exit_status, 6) << how;
        EXPECT_THAT(lock.err, HasSubstr("the SM clock could not be locked at 1980 MHz: "));
        EXPECT_THAT(lock.err, HasSubstr("-lgc"));  // what nvidia-smi said
        EXPECT_THAT(lock.err, HasSubstr("\n  next: "));
        EXPECT_THAT(calls(), ElementsAre(query_gpus, "-pm 1", "-lgc 1980,1980"));  // and it went no further
        EXPECT_EQ(lock.out, "");
        EXPECT_EQ(run({"unlock"}, {{how, "-rgc"}}).exit_status, 6) << how;
    }
}

TEST_F(ClockLock, RefusedPersistenceModeIsAWarning) {
    const Finished done = run({"lock", "--sm", "1980"}, {{"REFUSE", "-pm"}});
    EXPECT_EQ(done.exit_status, 0);
    EXPECT_THAT(done.err, HasSubstr("warning: persistence mode was refused"));
    EXPECT_THAT(calls(), ElementsAre(query_gpus, "-pm 1", "-lgc 1980,1980"));
}

TEST_F(ClockLock, CallsNothingOnABadArgument) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{}, "say what to do: status, lock or unlock"},
        {{"Lock"}, "\"Lock\" is not a command"},
        {{""}, "\"\" is not a command"},
        {{"--sm", "1980"}, "\"--sm\" is not a command"},
        {{"lock"}, "lock needs --sm MHz"},
        {{"lock", "--mem", "3201"}, "lock needs --sm MHz"},
        {{"lock", "--sm"}, "--sm needs a value"},
        {{"lock", "--sm", ""}, "--sm must be a whole number from 1 to 9999, not \"\""},
        {{"lock", "--sm", "0"}, "--sm must be a whole number"},
        {{"lock", "--sm", "-1980"}, "--sm must be a whole number"},
        {{"lock", "--sm", "0x10"}, "--sm must be a whole number"},
        {{"lock", "--sm", "0800"}, "--sm must be a whole number"},
        {{"lock", "--sm", "1980MHz"}, "--sm must be a whole number from 1 to 9999, not \"1980MHz\""},
        {{"lock", "--sm", "1980.5"}, "--sm must be a whole number"},
        {{"lock", "--sm", "1,2"}, "--sm must be a whole number"},
        {{"lock", "--sm", "10000"}, "--sm must be a whole number"},
        {{"lock", "--sm", "99999999999999999999"}, "--sm must be a whole number"},
        {{"lock", "--sm", "a[$(touch calls)]"}, "--sm must be a whole number"},
        {{"lock", "--sm", "1980", "--mem"}, "--mem needs a value"},
        {{"lock", "--sm", "1980", "--mem", "fast"}, "--mem must be a whole number"},
        {{"lock", "--sm", "1980", "--gpu", "all"}, "--gpu must be a whole number from 0 to 999, not \"all\""},
        {{"lock", "--sm", "1980", "--gpu", "-1"}, "--gpu must be a whole number"},
        {{"lock", "--sm", "1980", "--sm", "1500"}, "--sm is given twice"},
        {{"lock", "--sm=1980"}, "\"--sm=1980\" is not an option"},
        {{"lock", "1980"}, "\"1980\" is not an option"},
        {{"lock", "--sm", "1980", "--force"}, "\"--force\" is not an option"},
        {{"status", "--sm", "1980"}, "--sm goes with lock, not with status"},
        {{"unlock", "--mem", "3201"}, "--mem goes with lock, not with unlock"},
        {{"unlock", "--gpu"}, "--gpu needs a value"},
    };
    for (const auto& [arguments, message] : cases) {
        const Finished refused = run(arguments);
        EXPECT_EQ(refused.exit_status, 2) << message;
        EXPECT_EQ(refused.out, "") << message;
        EXPECT_THAT(refused.err, HasSubstr("gpu_clock_lock.sh: " + message));
        EXPECT_THAT(refused.err, HasSubstr("\n  next: "));
        EXPECT_THAT(calls(), IsEmpty()) << message;
    }
}

TEST_F(ClockLock, WithoutNvidiaSmi) {
    fs::remove(tools() / "nvidia-smi");
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{"status"}, {"lock", "--sm", "1980"}, {"unlock"}}) {
        const Finished done = run(arguments);
        EXPECT_EQ(done.exit_status, 3);
        EXPECT_THAT(done.err, HasSubstr("nvidia-smi was not found in PATH"));
        EXPECT_THAT(done.err, HasSubstr("\n  next: "));
    }
    EXPECT_EQ(run({"lock", "--sm", "fast"}).exit_status, 2);  // arguments are read first
}

TEST_F(ClockLock, ChangesNeedRoot) {
    for (const auto& arguments : std::vector<std::vector<std::string>>{{"lock", "--sm", "1980"}, {"unlock"}}) {
        const Finished done = run(arguments, {{"AS_USER", "1000"}});
        EXPECT_EQ(done.exit_status, 5);
        EXPECT_THAT(done.err, HasSubstr("needs root"));
        EXPECT_THAT(done.err, HasSubstr("next: sudo "));
        EXPECT_THAT(done.err, HasSubstr(arguments.size() > 1 ? "lock --sm 1980" : "unlock"));
        EXPECT_THAT(calls(), IsEmpty());
    }
}

TEST_F(ClockLock, NoSuchGpu) {
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"status", "--gpu", "2"}, {"lock", "--sm", "1980", "--gpu", "2"}, {"unlock", "--gpu", "10"}}) {
        const Finished done = run(arguments);
        EXPECT_EQ(done.exit_status, 4);
        EXPECT_THAT(done.err, HasSubstr("there is no GPU " + arguments.back() + "; there are: 0, 1"));
        EXPECT_THAT(calls(), ElementsAre(query_gpus));
    }
}

TEST_F(ClockLock, NoDriver) {
    const Finished done = run({"status"}, {{"NO_DRIVER", "1"}});
    EXPECT_EQ(done.exit_status, 4);
    EXPECT_THAT(done.err, HasSubstr("could not communicate with the NVIDIA driver"));
}

TEST_F(ClockLock, Help) {
    for (const auto& arguments : std::vector<std::vector<std::string>>{{"--help"}, {"-h"}, {"lock", "--help"}}) {
        const Finished done = run(arguments);
        EXPECT_EQ(done.exit_status, 0);
        for (const char* part : {"Usage: gpu_clock_lock.sh status", "lock --sm MHz [--mem MHz] [--gpu N]",
                                 "unlock [--gpu N]", "Exit status:"})
            EXPECT_THAT(done.out, HasSubstr(part));
        EXPECT_THAT(calls(), IsEmpty());
    }
}

TEST(ClockLockScript, ShellcheckFindsNothing) {
    const Finished checked = run_program({"shellcheck", script});
    if (checked.exit_status == 127) GTEST_SKIP() << "shellcheck is not installed";
    EXPECT_EQ(checked.exit_status, 0) << checked.out;
}

}  // namespace
