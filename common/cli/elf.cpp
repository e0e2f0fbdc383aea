#include "cli/elf.h"

#include <elf.h>

#include <cstring>
#include <optional>

namespace lanescope::cli {
namespace {

// The file, read only through checked accesses.
class Bytes {
public:
    explicit Bytes(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::optional<std::span<const std::byte>> slice(uint64_t offset, uint64_t size) const {
        if (offset > bytes_.size() || size > bytes_.size() - offset) return std::nullopt;
        return bytes_.subspan(offset, size);
    }

    template <class T>
    std::optional<T> get(uint64_t offset) const {
        const auto source = slice(offset, sizeof(T));
        if (!source) return std::nullopt;
        T value;
        std::memcpy(&value, source->data(), sizeof(T));
        return value;
    }

    // `count` entries of `stride` bytes each. nullopt if they do not fit in the file or are too small for T.
    template <class T>
    std::optional<std::vector<T>> table(uint64_t offset, uint64_t count, uint64_t stride) const {
        std::vector<T> entries;
        if (count == 0) return entries;
        if (stride < sizeof(T) || count > bytes_.size() / stride || !slice(offset, count * stride)) return std::nullopt;
        for (uint64_t i = 0; i < count; ++i) entries.push_back(*get<T>(offset + i * stride));
        return entries;
    }

private:
    std::span<const std::byte> bytes_;
};

// The zero-terminated string at `offset` of a string table. nullopt if it has no end within the table.
std::optional<std::string> string_at(std::span<const std::byte> table, uint64_t offset) {
    if (offset >= table.size()) return std::nullopt;
    const char* begin = reinterpret_cast<const char*>(table.data()) + offset;
    const void* end = std::memchr(begin, 0, table.size() - offset);
    if (!end) return std::nullopt;
    return std::string(begin, static_cast<const char*>(end));
}

Diagnostic damaged(const std::string& what) { return {"the ELF file is damaged: " + what, "", "build the program again"}; }

// Fills in what the dynamic section says. Nothing to do for a static program.
Result<void> read_dynamic(const Bytes& file, const std::vector<Elf64_Phdr>& segments, Elf& elf) {
    const Elf64_Phdr* dynamic = nullptr;
    for (const Elf64_Phdr& segment : segments) {
        if (segment.p_type == PT_DYNAMIC) dynamic = &segment;
    }
    if (!dynamic) return {};
    const auto entries = file.table<Elf64_Dyn>(dynamic->p_offset, dynamic->p_filesz / sizeof(Elf64_Dyn), sizeof(Elf64_Dyn));
    if (!entries) return damaged("its dynamic section lies outside the file");

    uint64_t strings_address = 0;
    uint64_t strings_bytes = 0;
    for (const Elf64_Dyn& entry : *entries) {
        if (entry.d_tag == DT_NULL) break;
        if (entry.d_tag == DT_STRTAB) strings_address = entry.d_un.d_ptr;
        if (entry.d_tag == DT_STRSZ) strings_bytes = entry.d_un.d_val;
    }
    // The string table is given by its address in memory; the segment loaded there tells where it is in the file.
    std::optional<std::span<const std::byte>> strings;
    for (const Elf64_Phdr& segment : segments) {
        if (segment.p_type != PT_LOAD || strings_address < segment.p_vaddr) continue;
        const uint64_t distance = strings_address - segment.p_vaddr;
        if (distance < segment.p_filesz && strings_bytes <= segment.p_filesz - distance &&
            distance <= UINT64_MAX - segment.p_offset) {
            strings = file.slice(segment.p_offset + distance, strings_bytes);
        }
    }
    for (const Elf64_Dyn& entry : *entries) {
        if (entry.d_tag == DT_NULL) break;
        if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH) continue;
        const auto text = strings ? string_at(*strings, entry.d_un.d_val) : std::nullopt;
        if (!text) return damaged("a library name lies outside its string table");
        if (entry.d_tag == DT_NEEDED) elf.needed.push_back(*text);
        if (entry.d_tag == DT_RPATH) elf.rpath = *text;
        if (entry.d_tag == DT_RUNPATH) elf.runpath = *text;
    }
    return {};
}

Result<void> read_sections(const Bytes& file, const Elf64_Ehdr& header, Elf& elf) {
    if (header.e_shoff == 0) return {};
    const auto sections = file.table<Elf64_Shdr>(header.e_shoff, header.e_shnum, header.e_shentsize);
    if (!sections) return damaged("its section table lies outside the file");
    if (header.e_shstrndx >= sections->size()) return {};   // sections without names: nothing to look up
    const Elf64_Shdr& names = (*sections)[header.e_shstrndx];
    const auto strings = file.slice(names.sh_offset, names.sh_size);
    if (!strings) return damaged("its section names lie outside the file");
    for (const Elf64_Shdr& section : *sections) {
        if (section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS) continue;
        const auto name = string_at(*strings, section.sh_name);
        const auto bytes = file.slice(section.sh_offset, section.sh_size);
        if (!name || !bytes) return damaged("a section lies outside the file");
        elf.sections.push_back({*name, *bytes});
    }
    return {};
}

}  // namespace

Result<Elf> read_elf(std::span<const std::byte> bytes) {
    const Bytes file(bytes);
    const auto header = file.get<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
        return Diagnostic{"not a program (not an ELF file)", "", "give the program that nvcc made, or its .cu file"};
    }
    Elf elf;
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_machine != EM_X86_64) {
        return elf;   // a program for another processor: is_x86_64_program stays false
    }
    const auto segments = file.table<Elf64_Phdr>(header->e_phoff, header->e_phnum, header->e_phentsize);
    if (!segments) return damaged("its program headers lie outside the file");

    // A position-independent program has the type of a library; the loader's name tells them apart.
    bool has_loader = false;
    for (const Elf64_Phdr& segment : *segments) has_loader |= segment.p_type == PT_INTERP;
    elf.is_x86_64_program = header->e_type == ET_EXEC || (header->e_type == ET_DYN && has_loader);

    if (const Result<void> done = read_dynamic(file, *segments, elf); !done) return done.error();
    if (const Result<void> done = read_sections(file, *header, elf); !done) return done.error();
    return elf;
}

}  // namespace lanescope::cli
