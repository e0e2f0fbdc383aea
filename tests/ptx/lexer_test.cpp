#include "ptx/lexer.h"

#include <gmock/gmock.h>

#include "ptx/syntax_error.h"

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;

// "i:name w:word n:number s:string y:symbol" for each token
std::vector<std::string> tokens_of(std::string_view text) {
    Lexer lexer(text);
    std::vector<std::string> tokens;
    for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next())
        tokens.push_back(std::string(1, "?iwnsy"[static_cast<int>(token.kind)]) + ":" + std::string(token.text));
    return tokens;
}

std::string error_in(std::string_view text) {
    return error_of([&] { tokens_of(text); });
}

TEST(Lexer, SplitsAnInstruction) {
    EXPECT_THAT(tokens_of("@%p1 ld.global.v2.f32 {%f1,_}, [%rd1+-4];"),
                ElementsAre("y:@", "i:%p1", "i:ld", "w:global", "w:v2", "w:f32", "y:{", "i:%f1", "y:,", "i:_", "y:}",
                            "y:,", "y:[", "i:%rd1", "y:+", "y:-", "n:4", "y:]", "y:;"));
}

TEST(Lexer, NamesMayHoldDollarUnderscoreAndPercent) {
    EXPECT_THAT(tokens_of("$L__BB0_1 _Z3addPi %r$1 a$b"), ElementsAre("i:$L__BB0_1", "i:_Z3addPi", "i:%r$1", "i:a$b"));
}

TEST(Lexer, PercentWithoutANameIsAnOperator) {
    EXPECT_THAT(tokens_of("7 % 4 %(2)"), ElementsAre("n:7", "y:%", "n:4", "y:%", "y:(", "n:2", "y:)"));
}

TEST(Lexer, ColonsStayInsideAWord) {
    EXPECT_THAT(tokens_of(".L1::no_allocate .mbarrier::complete_tx::bytes .cta_group::1"),
                ElementsAre("w:L1::no_allocate", "w:mbarrier::complete_tx::bytes", "w:cta_group::1"));
}

TEST(Lexer, WordsMayStartWithADigit) {
    EXPECT_THAT(tokens_of("tex.2d.16x64b"), ElementsAre("i:tex", "w:2d", "w:16x64b"));
}

TEST(Lexer, ALabelEndsAtItsColon) { EXPECT_THAT(tokens_of("L:ret;"), ElementsAre("i:L", "y::", "i:ret", "y:;")); }

TEST(Lexer, NumbersOfAllForms) {
    EXPECT_THAT(tokens_of("0 42U 0xFFu 017 0b101 0f3F800000 0d3FF0000000000000 1.5 1. 2e5 2.5e-3 9.0"),
                ElementsAre("n:0", "n:42U", "n:0xFFu", "n:017", "n:0b101", "n:0f3F800000", "n:0d3FF0000000000000",
                            "n:1.5", "n:1.", "n:2e5", "n:2.5e-3", "n:9.0"));
}

TEST(Lexer, HexDigitEIsNoExponent) { EXPECT_THAT(tokens_of("0x1e+5"), ElementsAre("n:0x1e", "y:+", "n:5")); }

TEST(Lexer, OperatorsOfTwoCharacters) {
    EXPECT_THAT(tokens_of("<<>><=>===!=&&||!~^"),
                ElementsAre("y:<<", "y:>>", "y:<=", "y:>=", "y:==", "y:!=", "y:&&", "y:||", "y:!", "y:~", "y:^"));
}

TEST(Lexer, StringsKeepTheirBytes) {
    EXPECT_THAT(tokens_of(".file 1 \"/a b/c\\d.cu\""), ElementsAre("w:file", "n:1", "s:/a b/c\\d.cu"));
}

TEST(Lexer, CommentsSeparateTokens) {
    EXPECT_THAT(tokens_of("a//b\nc/*d\n*e/ */f/**/g"), ElementsAre("i:a", "i:c", "i:f", "i:g"));
}

TEST(Lexer, CountsLines) {
    Lexer lexer("a // x\n\r\n b /* \n */ c \"s\"\nd");
    std::vector<int> lines;
    for (int i = 0; i < 5; ++i) lines.push_back(lexer.next().line);
    EXPECT_THAT(lines, ElementsAre(1, 3, 4, 4, 5));
}

TEST(Lexer, EndsForEver) {
    Lexer lexer(" ");
    EXPECT_EQ(lexer.next().kind, Token::Kind::end);
    EXPECT_EQ(lexer.next().kind, Token::Kind::end);
}

TEST(Lexer, ContinuesAfterAnEarlierToken) {
    Lexer lexer("a\nb c");
    const Token a = lexer.next();
    lexer.next();
    lexer.continue_after(a);
    const Token b = lexer.next();
    EXPECT_EQ(b.text, "b");
    EXPECT_EQ(b.line, 2);
}

TEST(Lexer, ReportsTheLineWhereAnUnfinishedCommentStarts) {
    EXPECT_EQ(error_in("\n/* a\nb\n"), "PTX line 2: the comment that starts with '/*' has no '*/'");
    EXPECT_EQ(error_in("/*"), "PTX line 1: the comment that starts with '/*' has no '*/'");
    EXPECT_EQ(error_in("/*/"), "PTX line 1: the comment that starts with '/*' has no '*/'");
}

TEST(Lexer, ReportsAnUnfinishedString) {
    EXPECT_EQ(error_in("\"abc"), "PTX line 1: the string that starts here has no closing '\"'");
    EXPECT_EQ(error_in("\"abc\n\""), "PTX line 1: the string that starts here has no closing '\"'");
}

TEST(Lexer, ReportsCharactersThatPtxDoesNotUse) {
    EXPECT_EQ(error_in("a\n #"), "PTX line 2: unexpected character '#'");
    EXPECT_EQ(error_in("\x7f"
                       "ELF"),
              "PTX line 1: unexpected byte 0x7F");
    EXPECT_EQ(error_in(std::string_view("\0", 1)), "PTX line 1: unexpected byte 0x00");
    EXPECT_EQ(error_in("\xc3\xa9"), "PTX line 1: unexpected byte 0xC3");
    EXPECT_EQ(error_in("a . b"), "PTX line 1: unexpected character '.'");
}

}  // namespace
}  // namespace lanescope::ptx
