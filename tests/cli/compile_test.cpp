#include "cli/compile.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <fstream>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace lanescope::cli {
namespace {

using testing::ElementsAre;
namespace fs = std::filesystem;

TEST(Dependencies, AsNvccWritesThem) {
    EXPECT_THAT(parse_dependencies("a.o : a.cu \\\n    /usr/include/stdio.h \\\n    b.h\n"), ElementsAre("a.cu", "/usr/include/stdio.h", "b.h"));
}

TEST(Dependencies, SpacesAndDollarsInNames) {
    EXPECT_THAT(parse_dependencies("out : my\\ file.cu price$$.h"), ElementsAre("my file.cu", "price$.h"));
}

TEST(Dependencies, OnlyTheFirstRuleCounts) { EXPECT_THAT(parse_dependencies("a : b c\nb :\nc :\n"), ElementsAre("b", "c")); }

TEST(Dependencies, TextThatIsNoRule) {
    EXPECT_THAT(parse_dependencies(""), ElementsAre());
    EXPECT_THAT(parse_dependencies("a :"), ElementsAre());
    EXPECT_THAT(parse_dependencies("\\"), ElementsAre());
}

TEST(CacheFolder, FollowsTheEnvironment) {
    const char* before = getenv("XDG_CACHE_HOME");
    const std::string saved = before ? before : "";
    setenv("HOME", "/home/reader", 1);
    setenv("XDG_CACHE_HOME", "/caches", 1);
    EXPECT_EQ(*cache_folder(), "/caches/lanescope");
    setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_EQ(*cache_folder(), "/home/reader/.cache/lanescope");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    EXPECT_FALSE(cache_folder());
    if (before) setenv("XDG_CACHE_HOME", saved.c_str(), 1);
}

// Compiles with the real nvcc: host code only, so that the program runs on any libcudart.
class CompileCached : public testing::Test {
protected:
    void SetUp() override {
        setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
        write("answer.h", "#define ANSWER 42\n");
        write("add me.cu", "#include <cstdio>\n#include \"answer.h\"\nint main() { std::printf(\"%d\\n\", ANSWER); }\n");
    }

    void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }

    fs::path compile() { return compile_cached(folder / "add me.cu", *toolkit, 90, error); }

    std::string output(const fs::path& program) {
        return test::run_program({program}, {{"LD_LIBRARY_PATH", fs::path(NVIDIA_CUDART).parent_path()}}).out;
    }

    size_t files_in_cache() {
        return static_cast<size_t>(std::distance(fs::directory_iterator(folder / "cache" / "lanescope"), fs::directory_iterator()));
    }

    const test::TemporaryFolder temporary{"compile cached"};
    const fs::path folder = temporary.path();
    Result<Toolkit> toolkit = find_toolkit();
    CompileError error;
};

TEST_F(CompileCached, AgainOnlyWhenSomethingChanged) {
    const fs::path first = compile();
    ASSERT_FALSE(first.empty()) << error.diagnostic.text();
    EXPECT_EQ(output(first), "42\n");
    EXPECT_EQ(files_in_cache(), 2u);   // the program and the list of its inputs

    const auto time = fs::last_write_time(first);
    EXPECT_EQ(compile(), first);
    EXPECT_EQ(fs::last_write_time(first), time);   // found, not made again

    write("answer.h", "#define ANSWER 43\n");      // a header changed, the source did not
    const fs::path second = compile();
    EXPECT_NE(second, first);
    EXPECT_EQ(output(second), "43\n");
    EXPECT_EQ(files_in_cache(), 2u);   // the old program is gone

    setenv("NVCC_APPEND_FLAGS", "-DANSWER=44", 1);   // nvcc reads its options from there too
    write("answer.h", "#ifndef ANSWER\n#define ANSWER 43\n#endif\n");
    EXPECT_EQ(output(compile()), "44\n");
    unsetenv("NVCC_APPEND_FLAGS");
    EXPECT_EQ(output(compile()), "43\n");
}

// Thrust's algorithms are called with lambdas, which nvcc takes for device code only when it is asked to.
TEST(CompileFlags, LambdasOfDeviceCode) {
    const Result<Toolkit> toolkit = find_toolkit();
    ASSERT_TRUE(toolkit);
    EXPECT_THAT(compile_flags(*toolkit, 90), testing::Contains("--extended-lambda"));
}

TEST_F(CompileCached, NvccsErrorsAreShownAndNothingIsKept) {
    write("answer.h", "#define ANSWER forty_two\n");
    testing::internal::CaptureStderr();
    EXPECT_TRUE(compile().empty());
    const std::string messages = testing::internal::GetCapturedStderr();
    EXPECT_NE(error.exit_status, 0);
    EXPECT_TRUE(error.diagnostic.what.empty());
    EXPECT_THAT(messages, testing::HasSubstr("identifier \"forty_two\" is undefined"));
    EXPECT_EQ(files_in_cache(), 0u);
}

}  // namespace
}  // namespace lanescope::cli
