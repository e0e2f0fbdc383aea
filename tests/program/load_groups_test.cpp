// Which loads are issued before the result of an earlier one is waited for.
#include "program/load_groups.h"

#include <gmock/gmock.h>

#include "program/parse.h"

namespace lanescope::program {
namespace {

using testing::ElementsAre;

// Of the program's loads from global memory, in order.
std::vector<bool> with_last_load(std::string_view body) {
    std::vector<bool> result;
    const auto built = test::build_body(body);   // addresses differ from thread to thread, so that no load moves to the prologue
    for (const Operation& op : built.program.operations)
        if (op.opcode == Opcode::ld && op.space == Space::global) result.push_back(op.with_last_load);
    return result;
}

constexpr char address[] = "mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, 4; ";

TEST(LoadGroups, LoadsOneAfterTheOtherAreInFlightTogether) {
    EXPECT_THAT(with_last_load(std::string(address) + "ld.global.u32 %r1, [%rd1]; add.u64 %rd2, %rd1, 4; ld.global.u32 %r2, [%rd2]; "
                                                      "add.u32 %r3, %r1, %r2; st.global.u32 [%rd1], %r3; ret;"),
                ElementsAre(false, true));
}

// The address of the second load, or anything before it, needs the result of the first.
TEST(LoadGroups, AWaitEndsTheGroup) {
    EXPECT_THAT(with_last_load(std::string(address) + "ld.global.u64 %rd2, [%rd1]; ld.global.u32 %r2, [%rd2]; st.global.u32 [%rd1], %r2; ret;"),
                ElementsAre(false, false));
    EXPECT_THAT(with_last_load(std::string(address) + "ld.global.u32 %r1, [%rd1]; add.u32 %r3, %r1, 1; ld.global.u32 %r2, [%rd1]; "
                                                      "add.u32 %r3, %r3, %r2; st.global.u32 [%rd1], %r3; ret;"),
                ElementsAre(false, false));
}

TEST(LoadGroups, ABarrierOrABranchEndsTheGroup) {
    EXPECT_THAT(with_last_load(std::string(address) + "ld.global.u32 %r1, [%rd1]; bar.sync 0; ld.global.u32 %r2, [%rd1]; "
                                                      "add.u32 %r3, %r1, %r2; st.global.u32 [%rd1], %r3; ret;"),
                ElementsAre(false, false));
    EXPECT_THAT(with_last_load(std::string(address) + "again: ld.global.u32 %r1, [%rd1]; setp.ne.u32 %p0, %r0, 0; @%p0 bra again; "
                                                      "ld.global.u32 %r2, [%rd1]; add.u32 %r3, %r1, %r2; st.global.u32 [%rd1], %r3; ret;"),
                ElementsAre(false, false));
}

}  // namespace
}  // namespace lanescope::program
