// ELF files made by hand, then damaged. The reader must answer each with a value or an error.
#include "cli/elf.h"

#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>
#include <string>

namespace lanescope::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A program with a loader, a dynamic section and one named section, laid out as
//   header | 3 program headers | dynamic | strings | section names | section | 3 section headers
class ElfFile {
public:
    struct Layout {
        Elf64_Ehdr header{};
        Elf64_Phdr segments[3]{};
        Elf64_Dyn dynamic[7]{};
        char strings[64]{};
        char section_names[32]{};
        char section[16]{};
        Elf64_Shdr sections[3]{};
    } layout;

    ElfFile() {
        Elf64_Ehdr& h = layout.header;
        std::memcpy(h.e_ident, ELFMAG, SELFMAG);
        h.e_ident[EI_CLASS] = ELFCLASS64;
        h.e_ident[EI_DATA] = ELFDATA2LSB;
        h.e_type = ET_DYN;
        h.e_machine = EM_X86_64;
        h.e_phoff = offsetof(Layout, segments);
        h.e_phentsize = sizeof(Elf64_Phdr);
        h.e_phnum = 3;
        h.e_shoff = offsetof(Layout, sections);
        h.e_shentsize = sizeof(Elf64_Shdr);
        h.e_shnum = 3;
        h.e_shstrndx = 1;

        layout.segments[0].p_type = PT_INTERP;
        layout.segments[1].p_type = PT_LOAD;   // the whole file, at address 0x1000
        layout.segments[1].p_vaddr = 0x1000;
        layout.segments[1].p_filesz = sizeof(Layout);
        layout.segments[2].p_type = PT_DYNAMIC;
        layout.segments[2].p_offset = offsetof(Layout, dynamic);
        layout.segments[2].p_filesz = sizeof layout.dynamic;

        std::memcpy(layout.strings, "\0libcudart.so.13\0libc.so.6\0/old\0/new", 37);
        layout.dynamic[0] = {DT_STRTAB, {0x1000 + offsetof(Layout, strings)}};
        layout.dynamic[1] = {DT_STRSZ, {sizeof layout.strings}};
        layout.dynamic[2] = {DT_NEEDED, {1}};
        layout.dynamic[3] = {DT_NEEDED, {17}};
        layout.dynamic[4] = {DT_RPATH, {27}};
        layout.dynamic[5] = {DT_RUNPATH, {32}};

        std::memcpy(layout.section_names, "\0.names\0.nv_fatbin", 19);
        layout.sections[1].sh_type = SHT_STRTAB;
        layout.sections[1].sh_name = 1;
        layout.sections[1].sh_offset = offsetof(Layout, section_names);
        layout.sections[1].sh_size = sizeof layout.section_names;
        layout.sections[2].sh_type = SHT_PROGBITS;
        layout.sections[2].sh_name = 8;
        layout.sections[2].sh_offset = offsetof(Layout, section);
        layout.sections[2].sh_size = sizeof layout.section;
    }

    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(&layout, 1)); }
};

std::string error_of(const ElfFile& file) {
    const Result<Elf> elf = read_elf(file.bytes());
    return elf ? "no error" : elf.error().text();
}

TEST(Elf, ReadsWhatTheLoaderReads) {
    const ElfFile file;
    const Result<Elf> elf = read_elf(file.bytes());
    ASSERT_TRUE(elf) << elf.error().text();
    EXPECT_TRUE(elf->is_x86_64_program);
    EXPECT_THAT(elf->needed, ElementsAre("libcudart.so.13", "libc.so.6"));
    EXPECT_EQ(elf->rpath, "/old");
    EXPECT_EQ(elf->runpath, "/new");
    ASSERT_EQ(elf->sections.size(), 2u);
    EXPECT_EQ(elf->sections[1].name, ".nv_fatbin");
    EXPECT_EQ(elf->sections[1].bytes.size(), 16u);
}

TEST(Elf, ALibraryIsNotAProgram) {
    ElfFile file;
    file.layout.segments[0].p_type = PT_NULL;   // no loader
    EXPECT_FALSE(read_elf(file.bytes())->is_x86_64_program);
    file.layout.header.e_type = ET_EXEC;        // a static program needs none
    EXPECT_TRUE(read_elf(file.bytes())->is_x86_64_program);
    file.layout.header.e_type = ET_REL;         // an object file
    EXPECT_FALSE(read_elf(file.bytes())->is_x86_64_program);
}

TEST(Elf, ProgramsForOtherProcessors) {
    ElfFile file;
    file.layout.header.e_machine = EM_AARCH64;
    EXPECT_FALSE(read_elf(file.bytes())->is_x86_64_program);
    file = {};
    file.layout.header.e_ident[EI_CLASS] = ELFCLASS32;
    EXPECT_FALSE(read_elf(file.bytes())->is_x86_64_program);
    file = {};
    file.layout.header.e_ident[EI_DATA] = ELFDATA2MSB;
    EXPECT_FALSE(read_elf(file.bytes())->is_x86_64_program);
}

TEST(Elf, AStrippedSectionTableIsNoError) {
    ElfFile file;
    file.layout.header.e_shoff = 0;
    const Result<Elf> elf = read_elf(file.bytes());
    ASSERT_TRUE(elf);
    EXPECT_TRUE(elf->sections.empty());
    EXPECT_EQ(elf->needed.size(), 2u);
}

TEST(Elf, OtherFiles) {
    EXPECT_THAT(read_elf({}).error().text(), HasSubstr("not an ELF file"));
    const std::string script = "#!/bin/sh\necho this is longer than an ELF header, which has sixty-four bytes\n";
    EXPECT_THAT(read_elf(std::as_bytes(std::span(script))).error().text(), HasSubstr("not an ELF file"));
}

TEST(Elf, TablesOutsideTheFile) {
    ElfFile file;
    file.layout.header.e_phoff = sizeof(ElfFile::Layout);
    EXPECT_THAT(error_of(file), HasSubstr("program headers lie outside"));
    file = {};
    file.layout.header.e_phentsize = 8;   // too small for an entry
    EXPECT_THAT(error_of(file), HasSubstr("program headers lie outside"));
    file = {};
    file.layout.header.e_shoff = UINT64_MAX - 8;   // offset + size wraps around
    EXPECT_THAT(error_of(file), HasSubstr("section table lies outside"));
    file = {};
    file.layout.segments[2].p_offset = UINT64_MAX;
    EXPECT_THAT(error_of(file), HasSubstr("dynamic section lies outside"));
    file = {};
    file.layout.sections[2].sh_size = UINT64_MAX;
    EXPECT_THAT(error_of(file), HasSubstr("a section lies outside"));
    file = {};
    file.layout.sections[1].sh_offset = 1u << 30;
    EXPECT_THAT(error_of(file), HasSubstr("section names lie outside"));
}

TEST(Elf, StringsOutsideTheirTable) {
    ElfFile file;
    file.layout.dynamic[2].d_un.d_val = 64;   // one past the end
    EXPECT_THAT(error_of(file), HasSubstr("library name lies outside"));
    file = {};
    std::memset(file.layout.strings, 'x', sizeof file.layout.strings);   // no terminating zero
    EXPECT_THAT(error_of(file), HasSubstr("library name lies outside"));
    file = {};
    file.layout.dynamic[0].d_un.d_ptr = 0;   // in no segment
    EXPECT_THAT(error_of(file), HasSubstr("library name lies outside"));
    file = {};
    file.layout.sections[2].sh_name = 1000;
    EXPECT_THAT(error_of(file), HasSubstr("a section lies outside"));
}

// Whatever is cut off or overwritten: no read outside the bytes (the sanitizers watch) and an answer.
TEST(Elf, EveryTruncationAndEveryOverwrittenWord) {
    const ElfFile whole;
    for (size_t length = 0; length < whole.bytes().size(); ++length) {
        const std::vector<std::byte> cut(whole.bytes().begin(), whole.bytes().begin() + length);
        const Result<Elf> elf = read_elf(cut);
        EXPECT_FALSE(elf) << length;   // the last table ends at the end of the file
    }
    for (const int value : {0x00, 0x01, 0x7f, 0xff}) {
        for (size_t position = 0; position + 8 <= whole.bytes().size(); position += 2) {
            std::vector<std::byte> edited(whole.bytes().begin(), whole.bytes().end());
            std::memset(edited.data() + position, value, 8);
            const Result<Elf> elf = read_elf(edited);
            EXPECT_TRUE(elf || !elf.error().what.empty());
        }
    }
}

}  // namespace
}  // namespace lanescope::cli
