#include "pictures.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "support/temporary_folder.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PicturesFile : public testing::Test {
protected:
    // A build folder whose lanescope writes its arguments to the file that follows --log-file.
    void SetUp() override {
        write("build/chapters/01_first/sum", "");
        write("build/bin/lanescope", "#!/bin/sh\n[ \"$6\" = --fail ] && { echo it failed; exit 3; }\necho \"$@\" > \"$4\"\n");
        fs::permissions(root / "build/bin/lanescope", fs::perms::owner_all);
    }
    void write(const fs::path& file, const std::string& text) {
        fs::create_directories((root / file).parent_path());
        std::ofstream(root / file) << text;
    }
    std::vector<std::string> read(const std::string& text) {
        write("chapters/01_first/pictures.txt", text);
        std::vector<Diagnostic> problems;
        docs::read_pictures(root / "chapters/01_first/pictures.txt", pictures, problems);
        return texts(problems);
    }
    std::vector<std::string> draw() {
        std::vector<Diagnostic> problems;
        docs::draw_pictures(pictures, root / "build", root / "pictures", problems);
        return texts(problems);
    }
    static std::vector<std::string> texts(const std::vector<Diagnostic>& problems) {
        std::vector<std::string> texts;
        for (const Diagnostic& problem : problems) texts.push_back(problem.text());
        return texts;
    }
    const test::TemporaryFolder folder{"pictures"};
    const fs::path root = folder.path();
    docs::Pictures pictures;
};

TEST_F(PicturesFile, AreDrawnByTheProgramOfTheChapter) {
    EXPECT_THAT(read("# a comment\n\noffset_1 | --kernel add sum --offset 1\n"), IsEmpty());
    EXPECT_THAT(draw(), IsEmpty());
    std::ifstream svg(root / "pictures/offset_1.svg");
    std::string arguments;
    std::getline(svg, arguments);
    EXPECT_EQ(arguments, "profile --picture --log-file " + (root / "pictures/offset_1.svg").string() + " --kernel add " +
                             (root / "build/chapters/01_first/sum").string() + " --offset 1");
}

TEST_F(PicturesFile, WrongLines) {
    EXPECT_THAT(read("offset\n"), ElementsAre(AllOf(HasSubstr("pictures.txt:1"), HasSubstr("NAME | [OPTIONS] PROGRAM"))));
    EXPECT_THAT(read("Offset 1 | sum\n"), ElementsAre(HasSubstr("'Offset 1' cannot be a picture's name")));
    EXPECT_THAT(read("a | sum\na | sum\n"), ElementsAre(HasSubstr("picture a: the name is taken by")));
}

TEST_F(PicturesFile, NoProgram) {
    EXPECT_THAT(read("a | add --offset 1\n"), IsEmpty());
    EXPECT_THAT(draw(), ElementsAre(AllOf(HasSubstr("picture a: no program of the chapter is named"), HasSubstr("next: "))));
}

TEST_F(PicturesFile, TheProgramFails) {
    EXPECT_THAT(read("a | sum --fail\n"), IsEmpty());
    EXPECT_THAT(draw(), ElementsAre(AllOf(HasSubstr("picture a was not drawn: it failed"), HasSubstr("next: ./lab profile"))));
}

}  // namespace
}  // namespace lanescope
