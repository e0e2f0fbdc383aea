// The self-test must find what is wrong with an exercise: here the texts of a copy of lost_updates are spoiled.
// The programs are those of the original.
#include "grading/self_test.h"

#include <gmock/gmock.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace {

using namespace lanescope::grading;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

class SelfTestOfACopy : public testing::Test {
protected:
    SelfTestOfACopy() {
        fs::create_directories(folder_.path() / "chapters/01_global_symbols");
        fs::copy(fs::path(SOURCE) / "chapters/01_global_symbols/page.md", folder_.path() / "chapters/01_global_symbols/page.md");
        fs::copy(fs::path(SOURCE) / "exercises", folder_.path() / "exercises", fs::copy_options::recursive);
    }

    fs::path file(const std::string& name) const { return folder_.path() / "exercises/01_global_symbols/lost_updates" / name; }

    void replace(const std::string& name, const std::string& what, const std::string& by) {
        std::string text = read_text(file(name));
        const size_t at = text.find(what);
        ASSERT_NE(at, std::string::npos) << name;
        std::ofstream(file(name)) << text.replace(at, what.size(), by);
    }

    std::vector<std::string> findings() {
        const auto all = find_exercises(folder_.path() / "exercises");
        const auto selected = select(*all, {"lost_updates"});
        return self_test(selected->at(0), {folder_.path(), BUILD}, {.library = DROP_IN, .simulated = true}, note_);
    }

    lanescope::test::TemporaryFolder folder_{"self test"};
    std::string note_;
};

TEST_F(SelfTestOfACopy, NothingIsFoundInAnExerciseThatIsReady) { EXPECT_THAT(findings(), IsEmpty()); }

TEST_F(SelfTestOfACopy, EveryFlawIsFound) {
    std::ofstream(file("notes.txt")) << "stray\n";
    replace("README.md", "| CountsOnEveryGrid | 5 |", "| CountsOnEveryGrid | 4 |");
    replace("README.md", "## Background", "## Story");
    replace("hints.md", "## Hint 3", "## Another hint");
    replace("tests.cu", "\"The fix and what it costs\"", "\"No such heading\"");
    replace("wrong/lock.cu", "// expect: ", "// expected: ");
    replace("wrong/no_reset.cu", "// expect: ", "// expect: not ");
    fs::remove(file("wrong/one_thread.cu"));
    EXPECT_THAT(findings(),
                AllOf(Contains(HasSubstr("notes.txt: is a stray file")), Contains(HasSubstr("README.md: has no table row \"| CountsOnEveryGrid | 5 | ...\"")),
                      Contains(HasSubstr("README.md: has no heading \"## Background\"")), Contains(HasSubstr("has no text below a heading \"## Hint 3\"")),
                      Contains(HasSubstr("NoAtomicWithoutNeed: its lesson \"No such heading\" is no heading of chapters/01_global_symbols/page.md")),
                      Contains(HasSubstr("wrong/lock.cu: its first line is not")), Contains(HasSubstr("wrong/no_reset.cu: its message is not"))));
}

TEST_F(SelfTestOfACopy, TooFewWrongVariants) {
    for (const std::string& variant : wrong_variants({"", "", file(""), {}})) {
        if (variant != "wrong.lock" && variant != "wrong.no_reset") fs::remove(source_of({"", "", file(""), {}}, variant));
    }
    EXPECT_THAT(findings(), Contains(HasSubstr("wrong: has 2 variants; at least 3")));
}

TEST_F(SelfTestOfACopy, AStarterThatSomebodyWorksOnIsLeftOut) {
    std::ofstream(file("starter.cu"), std::ios::app) << "this does not compile\n";
    EXPECT_THAT(findings(), IsEmpty());
    EXPECT_THAT(note_, HasSubstr("starter.cu is not the starter that was shipped"));
}

TEST_F(SelfTestOfACopy, AStarterWithoutARecord) {
    std::ofstream(folder_.path() / "exercises/starters.sha256") << "";
    EXPECT_THAT(findings(), Contains(HasSubstr("starter.cu: its checksum is not recorded; next: sha256sum")));
}

}  // namespace
