#include "grading/exercise.h"

#include <gmock/gmock.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace {

using namespace lanescope::grading;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<Exercise>& exercises) {
    std::vector<std::string> names;
    for (const Exercise& exercise : exercises) names.push_back(exercise.name);
    return names;
}

const std::vector<Exercise> known{{"lost_updates", "01_global_symbols", "/x/exercises/01_global_symbols/lost_updates", {}},
                                  {"symbol_address", "01_global_symbols", "/x/exercises/01_global_symbols/symbol_address", {}}};

TEST(ParseGradedTests, NamePointsAndLessonInTheOrderOfTheFile) {
    const auto tests = parse_graded_tests(
        "GRADED_TEST(First, 3, \"A lesson, with a comma\") {\n}\n"
        "GRADED_TEST(Second,\n            12,\n            \"Another\") {}\n");
    ASSERT_EQ(tests.size(), 2u);
    EXPECT_EQ(tests[0].name, "First");
    EXPECT_EQ(tests[0].points, 3);
    EXPECT_EQ(tests[0].lesson, "A lesson, with a comma");
    EXPECT_EQ(tests[1].name, "Second");
    EXPECT_EQ(tests[1].points, 12);
}

TEST(ParseGradedTests, NotInComments) {
    EXPECT_THAT(parse_graded_tests("// GRADED_TEST(No, 3, \"lesson\")\n#define GRADED_TEST(name, points, lesson)\n"), IsEmpty());
}

TEST(Exercise, PointsAreTheSum) {
    const Exercise exercise{"e", "t", "", {{"a", 3, "l"}, {"b", 4, "l"}}};
    EXPECT_EQ(exercise.points(), 7);
}

TEST(Exercise, SourceOfAVariant) {
    EXPECT_EQ(source_of(known[0], "starter"), known[0].folder / "starter.cu");
    EXPECT_EQ(source_of(known[0], "wrong.lock"), known[0].folder / "wrong/lock.cu");
}

TEST(Select, AllWithoutNames) { EXPECT_EQ(select(known, {})->size(), 2u); }

TEST(Select, ByNameOnceAndInTheOrderAsked) {
    EXPECT_THAT(names_of(*select(known, {"symbol_address", "lost_updates", "symbol_address"})), ElementsAre("symbol_address", "lost_updates"));
}

TEST(Select, ByPathAsAShellCompletesIt) {
    EXPECT_THAT(names_of(*select(known, {"exercises/01_global_symbols/lost_updates/"})), ElementsAre("lost_updates"));
    EXPECT_THAT(names_of(*select(known, {"./exercises/01_global_symbols/lost_updates/starter.cu"})), ElementsAre("lost_updates"));
}

TEST(Select, ATopicIsAllOfItsExercises) {
    EXPECT_THAT(names_of(*select(known, {"01_global_symbols"})), ElementsAre("lost_updates", "symbol_address"));
}

TEST(Select, AnUnknownNameIsToldTheNearest) {
    const auto selected = select(known, {"lost_update"});
    ASSERT_FALSE(selected);
    EXPECT_THAT(selected.error().text(), HasSubstr("there is no exercise lost_update; did you mean lost_updates?"));
    EXPECT_THAT(selected.error().text(), HasSubstr("next: name one of: lost_updates, symbol_address"));
}

TEST(FindExercises, ByTopicAndName) {
    const lanescope::test::TemporaryFolder folder("exercises");
    for (const char* name : {"02_b/late", "01_a/second", "01_a/first"}) {
        std::filesystem::create_directories(folder.path() / name);
        std::ofstream(folder.path() / name / "CMakeLists.txt") << "lanescope_exercise()\n";
        std::ofstream(folder.path() / name / "tests.cu") << "GRADED_TEST(Works, 1, \"lesson\") {}\n";
    }
    std::filesystem::create_directories(folder.path() / "01_a/no_exercise");
    const auto found = find_exercises(folder.path());
    ASSERT_TRUE(found);
    EXPECT_THAT(names_of(*found), ElementsAre("first", "second", "late"));
    EXPECT_EQ((*found)[0].topic, "01_a");
}

TEST(FindExercises, WithoutGradedTests) {
    const lanescope::test::TemporaryFolder folder("exercises");
    std::filesystem::create_directories(folder.path() / "01_a/empty");
    std::ofstream(folder.path() / "01_a/empty/CMakeLists.txt") << "lanescope_exercise()\n";
    const auto found = find_exercises(folder.path());
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().text(), HasSubstr("01_a/empty/tests.cu: has no graded test"));
}

TEST(FindExercises, WithoutTheFolder) {
    EXPECT_THAT(find_exercises("/nowhere/exercises").error().text(), HasSubstr("/nowhere/exercises: cannot be read"));
}

}  // namespace
