// Malformed profiles: each is one edit away from a good one, and the error names the place.
#include "gpus/profile.h"

#include <gmock/gmock.h>

#include <string>

namespace lanescope::gpus {
namespace {

using testing::HasSubstr;

std::string good_profile() {
    for (const EmbeddedProfile& profile : embedded_profiles()) {
        if (profile.name == "h200") return std::string(profile.json);
    }
    return "";
}

// The good profile with one piece of text replaced.
std::string edited(const std::string& from, const std::string& to) {
    std::string text = good_profile();
    const size_t position = text.find(from);
    EXPECT_NE(position, std::string::npos) << from;
    return text.replace(position, from.size(), to);
}

std::string error_of(const std::string& json) {
    const Result<Gpu> gpu = parse_profile(json);
    return gpu ? "no error" : gpu.error().text();
}

const std::string sm_count = R"("sm_count": {"value": 132, "unit": "SMs", "status": "measured")";

TEST(Profile, GoodProfileIsAccepted) { EXPECT_EQ(error_of(good_profile()), "no error"); }

TEST(Profile, TextThatIsNotAJsonObject) {
    EXPECT_THAT(error_of(""), HasSubstr("must be a JSON object"));
    EXPECT_THAT(error_of("[1, 2]"), HasSubstr("must be a JSON object"));
    EXPECT_THAT(error_of(good_profile().substr(0, 500)), HasSubstr("must be a JSON object"));
}

TEST(Profile, MissingParts) {
    EXPECT_THAT(error_of(R"({})"), HasSubstr("\"name\" is missing"));
    EXPECT_THAT(error_of(edited("\"product_name\"", "\"product\"")), HasSubstr("h200: \"product_name\" is missing"));
    EXPECT_THAT(error_of(edited("\"sources\": {", "\"origins\": {")), HasSubstr("\"sources\" must be an object"));
    EXPECT_THAT(error_of(edited("\"values\"", "\"numbers\"")), HasSubstr("\"values\" must be an object"));
    EXPECT_THAT(error_of(edited("\"sm_count\"", "\"sm_cuont\"")), HasSubstr("value \"sm_count\" is missing"));
}

TEST(Profile, ValueOfTheWrongType) {
    for (const char* value : {"\"132\"", "-132", "132.5", "null", "true", "99999999999", "99999999999999999999"}) {
        EXPECT_THAT(error_of(edited("\"value\": 132,", std::string("\"value\": ") + value + ",")),
                    HasSubstr("value sm_count: \"value\" must be a whole number"))
            << value;
    }
    EXPECT_THAT(error_of(edited("\"cluster_launch\": {\"value\": true", "\"cluster_launch\": {\"value\": 1")),
                HasSubstr("value cluster_launch: \"value\" must be true or false"));
    EXPECT_THAT(error_of(edited("\"value\": [0, 8192,", "\"value\": [8192, 0,")), HasSubstr("ascending order"));
}

TEST(Profile, ComputeCapabilityOfTheWrongForm) {
    for (const char* value : {"9", "9.", ".0", "9.00", "x.0", "9.x", "900.0", ""}) {
        EXPECT_THAT(error_of(edited("\"value\": \"9.0\"", std::string("\"value\": \"") + value + "\"")),
                    HasSubstr("a string such as \"9.0\""))
            << value;
    }
    EXPECT_THAT(error_of(edited("\"value\": \"9.0\"", "\"value\": 9.0")), HasSubstr("a string such as"));
}

TEST(Profile, EveryValueSaysWhereItComesFrom) {
    EXPECT_THAT(error_of(edited(sm_count, R"("sm_count": {"value": 132, "unit": "SMs", "status": "guessed")")),
                HasSubstr("value sm_count: \"status\" must be measured, published or assumed"));
    EXPECT_THAT(error_of(edited(sm_count, R"("sm_count": {"value": 132, "status": "measured")")),
                HasSubstr("value sm_count: \"unit\" is missing"));
    EXPECT_THAT(error_of(edited(sm_count + R"(, "source": "attributes")", sm_count + R"(, "source": "rumour")")),
                HasSubstr("value sm_count: \"source\" must be one of the names in \"sources\""));
    EXPECT_THAT(error_of(edited("\"sources\": {", "\"sources\": {\"idle\": \"nobody uses this\",")),
                HasSubstr("source \"idle\" is not used"));
}

TEST(Profile, AValueThatTheCodeDoesNotKnowIsKeptWithItsSource) {
    const Result<Gpu> gpu = parse_profile(edited(
        "\"sm_count\"", R"("noise_db": {"value": 1.5, "unit": "dB", "status": "assumed", "source": "chase"}, "sm_count")"));
    ASSERT_TRUE(gpu) << gpu.error().text();
    const SourcedValue& value = gpu->sources[1];   // after compute_capability
    EXPECT_EQ(value.key, "noise_db");
    EXPECT_EQ(value.value, "1.5");
    EXPECT_EQ(value.unit, "dB");
    EXPECT_EQ(value.status, Status::assumed);
    EXPECT_THAT(value.source, HasSubstr("pointer chase"));
}

}  // namespace
}  // namespace lanescope::gpus
