#include "fatbin/fatbin.h"

#include <gmock/gmock.h>

#include "container_builder.h"

namespace lanescope::fatbin {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string text = "\n\n.version 9.0\n.target sm_75\n.address_size 64\n\n\n\n\n";

Contents read_ok(const std::string& bytes) {
    Result<Contents> contents = read(span_of(bytes));
    if (!contents) {
        ADD_FAILURE() << contents.error().text();
        return {};
    }
    return std::move(*contents);
}
std::string error_in(const std::string& bytes) {
    const Result<Contents> contents = read(span_of(bytes));
    return contents ? "" : contents.error().what;
}

TEST(Read, PlainEntry) {
    const Contents contents = read_ok(container({entry(ptx_header(75), text, "add.cu")}));
    ASSERT_THAT(contents.entries, SizeIs(1));
    const Entry& only = contents.entries[0];
    EXPECT_EQ(only.kind, Kind::ptx);
    EXPECT_EQ(only.sm, 75);
    EXPECT_EQ(only.version_major, 9);
    EXPECT_EQ(only.version_minor, 0);
    EXPECT_EQ(only.name, "add.cu");
    EXPECT_EQ(only.payload, text);  // the padding is gone, the newlines are not
}

TEST(Read, CompressedEntries) {
    const Contents contents =
        read_ok(container({compressed_entry(ptx_header(75), flag_lz4, with_lz4(text), text.size()),
                           compressed_entry(ptx_header(90), flag_zstd, with_zstd(text), text.size())}));
    ASSERT_THAT(contents.entries, SizeIs(2));
    EXPECT_EQ(contents.entries[0].payload, text);
    EXPECT_EQ(contents.entries[1].payload, text);
    EXPECT_EQ(contents.entries[1].sm, 90);
}

TEST(Read, EmptyContainerAndEmptyPayload) {
    EXPECT_THAT(read_ok(container({})).entries, IsEmpty());
    EXPECT_EQ(read_ok(container({entry(ptx_header(75), "")})).entries.at(0).payload, "");
}

TEST(Read, OtherKindsHaveNoPayload) {
    EntryHeader machine_code = ptx_header(75), unknown = ptx_header(75);
    machine_code.kind = static_cast<uint16_t>(Kind::elf);
    unknown.kind = 77;
    const Contents contents = read_ok(container({entry(machine_code,
                                                       "\x7f"
                                                       "ELF"),
                                                 entry(unknown, "?")}));
    ASSERT_THAT(contents.entries, SizeIs(2));
    EXPECT_EQ(contents.entries[0].kind, Kind::elf);
    EXPECT_EQ(contents.entries[0].payload, "");
    EXPECT_EQ(static_cast<int>(contents.entries[1].kind), 77);
}

TEST(Read, IgnoresWhatFollowsTheContainer) {
    EXPECT_THAT(read_ok(container({entry(ptx_header(75), text)}) + "other data").entries, SizeIs(1));
}

TEST(Read, BytesNeedNoAlignment) {
    const std::string shifted = "x" + container({entry(ptx_header(75), text)});
    const Result<Contents> contents = read(span_of(shifted).subspan(1));
    ASSERT_TRUE(contents) << contents.error().text();
    EXPECT_EQ(contents->entries.at(0).payload, text);
}

TEST(Read, RefusesWhatIsNoContainer) {
    EXPECT_EQ(error_in(""), "0 bytes are too few for a header of 16");
    EXPECT_EQ(error_in("\x7f"
                       "ELF 0123456789012"),
              "magic 0x464C457F, version 12320, header of 12849 bytes instead of 0xBA55ED50, 1, 16");
    EXPECT_EQ(error_in(bytes_of(ContainerHeader{container_magic, 2, 16, 0})),
              "magic 0xBA55ED50, version 2, header of 16 bytes instead of 0xBA55ED50, 1, 16");
    EXPECT_EQ(error_in(bytes_of(ContainerHeader{container_magic, 1, 8, 0})),
              "magic 0xBA55ED50, version 1, header of 8 bytes instead of 0xBA55ED50, 1, 16");
}

TEST(Read, RefusesSizesThatDoNotFit) {
    EXPECT_EQ(error_in(bytes_of(ContainerHeader{container_magic, 1, 16, 8}) + "1234"),
              "8 bytes of entries announced, 4 present");
    EXPECT_EQ(error_in(bytes_of(ContainerHeader{container_magic, 1, 16, UINT64_MAX}) + "1234"),
              "18446744073709551615 bytes of entries announced, 4 present");
    EXPECT_EQ(error_in(bytes_of(ContainerHeader{container_magic, 1, 32, 0})),
              "0 bytes of entries announced, 0 present");
    EXPECT_EQ(error_in(container({"12345678"})), "8 bytes are too few for an entry's header of 64");

    EntryHeader header = ptx_header(75);
    header.padded_payload_bytes = 8;
    EXPECT_EQ(error_in(container({bytes_of(header)})), "an entry of 64 + 8 bytes does not fit in the remaining 64");
    header.padded_payload_bytes = UINT64_MAX;
    EXPECT_EQ(error_in(container({bytes_of(header)})),
              "an entry of 64 + 18446744073709551615 bytes does not fit in the remaining 64");
    header = ptx_header(75);
    header.header_bytes = 0;  // would never get past this entry
    EXPECT_EQ(error_in(container({bytes_of(header)})), "an entry of 0 + 0 bytes does not fit in the remaining 64");
    header.header_bytes = 72;
    EXPECT_EQ(error_in(container({bytes_of(header)})), "an entry of 72 + 0 bytes does not fit in the remaining 64");
}

TEST(Read, RefusesANameOutsideTheHeader) {
    EntryHeader header = ptx_header(75);
    header.name_offset = UINT32_MAX;
    header.name_bytes = UINT32_MAX;
    EXPECT_EQ(error_in(container({bytes_of(header)})), "an entry's name lies outside its header of 64 bytes");
}

TEST(Read, RefusesDamagedPayloads) {
    EXPECT_EQ(error_in(container({compressed_entry(ptx_header(75), flag_zstd, "12345678", 100)})),
              "the zstd payload is damaged: it does not decompress to 100 bytes");
    EXPECT_EQ(error_in(container({compressed_entry(ptx_header(75), flag_lz4, "12345678", 100)})),
              "the LZ4 payload is damaged: it does not decompress to 100 bytes");
    EXPECT_EQ(error_in(container({compressed_entry(ptx_header(75), flag_zstd, "12345678", 300ull << 20)})),
              "a payload of 314572800 bytes is larger than 256 MiB");

    EntryHeader header = ptx_header(75);
    header.flags = flag_zstd;
    header.padded_payload_bytes = 8;
    header.compressed_bytes = 9;
    EXPECT_EQ(error_in(container({bytes_of(header) + "12345678"})), "a compressed payload of 9 bytes in an entry of 8");
}

TEST(Read, ErrorsNameTheNextStep) {
    const Result<Contents> contents = read({});
    ASSERT_FALSE(contents);
    EXPECT_EQ(contents.error().where, "fatbin container");
    EXPECT_THAT(contents.error().next, HasSubstr("nvcc"));
}

// No prefix and no flipped bit of a container makes read() do worse than return an error.
TEST(Read, SurvivesDamage) {
    const std::string good = container({entry(ptx_header(75), text, "add.cu"),
                                        compressed_entry(ptx_header(90), flag_zstd, with_zstd(text), text.size())});
    for (size_t length = 0; length < good.size(); ++length) EXPECT_NE(error_in(good.substr(0, length)), "") << length;
    for (size_t bit = 0; bit < good.size() * 8; ++bit) {
        std::string flipped = good;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
        const Result<Contents> contents = read(span_of(flipped));
        EXPECT_TRUE(!contents || contents->entries.size() <= 2) << bit;
    }
}

TEST(ContainerBytes, ComeFromTheHeader) {
    const std::string bytes = container({entry(ptx_header(75), text)});
    EXPECT_EQ(container_bytes((bytes + "more").data()), bytes.size());
    EXPECT_EQ(container_bytes(std::string(16, '\0').data()), 0u);
    EXPECT_EQ(container_bytes(nullptr), 0u);
}

TEST(ContainersOf, AWrapperOfOneContainer) {
    const std::string bytes = container({entry(ptx_header(75), text)});
    const Wrapper wrapper{wrapper_magic, 1, bytes.data(), nullptr};
    const auto containers = containers_of(&wrapper);
    ASSERT_TRUE(containers) << containers.error().text();
    ASSERT_THAT(*containers, SizeIs(1));
    EXPECT_EQ(static_cast<const void*>(containers->at(0).data()), bytes.data());
    EXPECT_EQ(containers->at(0).size(), bytes.size());
}

TEST(ContainersOf, ALinkedProgramHasOneForEachObject) {
    const std::string linked = container({}), first = container({entry(ptx_header(75), text)}), second = first;
    const void* const list[] = {first.data(), second.data(), nullptr};
    const Wrapper wrapper{wrapper_magic, 2, linked.data(), list};
    const auto containers = containers_of(&wrapper);
    ASSERT_TRUE(containers) << containers.error().text();
    ASSERT_THAT(*containers, SizeIs(3));
    EXPECT_EQ(containers->at(0).size(), 16u);
    EXPECT_EQ(static_cast<const void*>(containers->at(2).data()), second.data());
}

TEST(ContainersOf, TheMainContainerOfALinkedProgramMayBeMissing) {
    const std::string object = container({entry(ptx_header(75), text)});
    const void* const list[] = {object.data(), nullptr};
    const Wrapper with_list{wrapper_magic, 2, nullptr, list}, without{wrapper_magic, 2, nullptr, nullptr};
    EXPECT_THAT(*containers_of(&with_list), SizeIs(1));
    EXPECT_THAT(*containers_of(&without), IsEmpty());
}

TEST(ContainersOf, RefusesOtherWrappers) {
    const auto error = [](const Wrapper& wrapper) {
        const auto containers = containers_of(&wrapper);
        return containers ? "" : containers.error().what;
    };
    EXPECT_EQ(error({1, 1, nullptr, nullptr}), "wrapper magic 0x00000001, version 1 instead of 0x466243B1, 1 or 2");
    EXPECT_EQ(error({wrapper_magic, 3, nullptr, nullptr}),
              "wrapper magic 0x466243B1, version 3 instead of 0x466243B1, 1 or 2");
    EXPECT_EQ(error({wrapper_magic, 0, nullptr, nullptr}),
              "wrapper magic 0x466243B1, version 0 instead of 0x466243B1, 1 or 2");
    const std::string zeros(16, '\0');
    EXPECT_THAT(error({wrapper_magic, 1, zeros.data(), nullptr}), HasSubstr("no container at 0x"));
    const auto null_wrapper = containers_of(nullptr);
    ASSERT_FALSE(null_wrapper);
    EXPECT_EQ(null_wrapper.error().what, "the wrapper is a null pointer");
}

Contents contents_for(std::vector<int> sms) {
    Contents contents;
    for (const int sm : sms) contents.entries.push_back({Kind::ptx, sm, 9, 0, "", "PTX for " + std::to_string(sm)});
    return contents;
}
std::string selected(std::vector<int> sms, int sm) {
    const Result<std::string> ptx = select_ptx(contents_for(std::move(sms)), sm);
    return ptx ? *ptx : ptx.error().what;
}

TEST(SelectPtx, TheHighestThatTheGpuRuns) {
    EXPECT_EQ(selected({75, 80, 90, 100}, 90), "PTX for 90");
    EXPECT_EQ(selected({100, 90, 80, 75}, 90), "PTX for 90");
    EXPECT_EQ(selected({75, 80, 100}, 90), "PTX for 80");
    EXPECT_EQ(selected({100, 75}, 90), "PTX for 75");
    EXPECT_EQ(selected({75, 100}, 120), "PTX for 100");
}

TEST(SelectPtx, ElseTheLowest) {
    EXPECT_EQ(selected({80, 75, 90}, 37), "PTX for 75");
    EXPECT_EQ(selected({90, 100}, 75), "PTX for 90");
}

TEST(SelectPtx, TheFirstOfEquals) {
    Contents contents = contents_for({90, 90});
    contents.entries[1].payload = "compute_90a";
    EXPECT_EQ(*select_ptx(contents, 90), "PTX for 90");
}

TEST(SelectPtx, SaysWhatThereIsInstead) {
    Contents contents = contents_for({75, 90});
    contents.entries[0].kind = Kind::elf;
    contents.entries[1].kind = Kind::lto_ir;
    const Result<std::string> ptx = select_ptx(contents, 90);
    ASSERT_FALSE(ptx);
    EXPECT_EQ(ptx.error().what, "the program embeds no PTX, only machine code for sm_75, LTO code for sm_90");
    EXPECT_THAT(ptx.error().next, HasSubstr("-gencode arch=compute_75,code=compute_75"));
    EXPECT_EQ(selected({}, 90), "the program embeds no PTX: its container is empty");
}

}  // namespace
}  // namespace lanescope::fatbin
