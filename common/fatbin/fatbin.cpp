#include "fatbin/fatbin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "fatbin/decompress.h"
#include "fatbin/layout.h"

namespace lanescope::fatbin {
namespace {

constexpr uint64_t largest_payload_bytes = 256ull << 20;
constexpr uint64_t largest_total_bytes = 1ull << 30;  // of all payloads of a container

// The bytes need not be aligned.
template <class T>
T load(const void* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

Diagnostic broken(std::string what) {
    return {std::move(what), "fatbin container", "build the program again with nvcc of CUDA 12 or 13"};
}

bool is_container(const ContainerHeader& header) {
    return header.magic == container_magic && header.version == 1 && header.header_bytes >= sizeof header;
}

std::string without_trailing_nuls(std::string text) {
    text.resize(text.find_last_not_of('\0') + 1);  // npos + 1 is 0
    return text;
}

Compression compression_of(const EntryHeader& header) {
    if (header.flags & flag_zstd) return Compression::zstd;
    if (header.flags & flag_lz4) return Compression::lz4;
    return Compression::none;
}

// `bytes` starts with an entry and may hold more.
Result<Entry> read_entry(std::span<const std::byte> bytes, const EntryHeader& header) {
    Entry entry;
    entry.kind = static_cast<Kind>(header.kind);
    entry.sm = static_cast<int>(std::min<uint32_t>(header.sm, 9999));
    entry.version_major = header.version_major;
    entry.version_minor = header.version_minor;
    if (uint64_t{header.name_offset} + header.name_bytes > header.header_bytes)
        return broken(fmt::format("an entry's name lies outside its header of {} bytes", header.header_bytes));
    entry.name.assign(reinterpret_cast<const char*>(bytes.data()) + header.name_offset, header.name_bytes);
    if (entry.kind != Kind::ptx) return entry;

    const Compression compression = compression_of(header);
    const bool compressed = compression != Compression::none;
    const uint64_t stored_bytes = compressed ? header.compressed_bytes : header.padded_payload_bytes;
    const uint64_t payload_bytes = compressed ? header.uncompressed_bytes : stored_bytes;
    if (stored_bytes > header.padded_payload_bytes)
        return broken(fmt::format("a compressed payload of {} bytes in an entry of {}", stored_bytes,
                                  header.padded_payload_bytes));
    if (payload_bytes > largest_payload_bytes)
        return broken(fmt::format("a payload of {} bytes is larger than 256 MiB", payload_bytes));
    auto payload = decompress(compression, bytes.subspan(header.header_bytes, stored_bytes), payload_bytes);
    if (!payload) return payload.error();
    entry.payload = without_trailing_nuls(std::move(*payload));
    return entry;
}

}  // namespace

Result<Contents> read(std::span<const std::byte> bytes) {
    if (bytes.size() < sizeof(ContainerHeader))
        return broken(fmt::format("{} bytes are too few for a header of 16", bytes.size()));
    const auto container = load<ContainerHeader>(bytes.data());
    if (!is_container(container))
        return broken(fmt::format("magic 0x{:08X}, version {}, header of {} bytes instead of 0xBA55ED50, 1, 16",
                                  container.magic, container.version, container.header_bytes));
    if (container.header_bytes > bytes.size() || container.entry_bytes > bytes.size() - container.header_bytes)
        return broken(fmt::format("{} bytes of entries announced, {} present", container.entry_bytes,
                                  bytes.size() - std::min<size_t>(bytes.size(), container.header_bytes)));

    Contents contents;
    uint64_t total_bytes = 0;
    for (auto rest = bytes.subspan(container.header_bytes, container.entry_bytes); !rest.empty();) {
        if (rest.size() < sizeof(EntryHeader))
            return broken(fmt::format("{} bytes are too few for an entry's header of 64", rest.size()));
        const auto header = load<EntryHeader>(rest.data());
        if (header.header_bytes < sizeof header || header.header_bytes > rest.size() ||
            header.padded_payload_bytes > rest.size() - header.header_bytes)
            return broken(fmt::format("an entry of {} + {} bytes does not fit in the remaining {}", header.header_bytes,
                                      header.padded_payload_bytes, rest.size()));
        auto entry = read_entry(rest, header);
        if (!entry) return entry.error();
        total_bytes += entry->payload.size();
        if (total_bytes > largest_total_bytes) return broken("the payloads together are larger than 1 GiB");
        contents.entries.push_back(std::move(*entry));
        rest = rest.subspan(header.header_bytes + header.padded_payload_bytes);
    }
    return contents;
}

size_t container_bytes(const void* container) {
    if (container == nullptr) return 0;
    const auto header = load<ContainerHeader>(container);
    return is_container(header) ? header.header_bytes + header.entry_bytes : 0;
}

Result<std::vector<std::span<const std::byte>>> containers_of(const void* wrapper_address) {
    if (wrapper_address == nullptr) return broken("the wrapper is a null pointer");
    const auto wrapper = load<Wrapper>(wrapper_address);
    if (wrapper.magic != wrapper_magic || wrapper.version < 1 || wrapper.version > 2)
        return broken(fmt::format("wrapper magic 0x{:08X}, version {} instead of 0x466243B1, 1 or 2", wrapper.magic,
                                  wrapper.version));

    std::vector<const void*> addresses;
    if (wrapper.container != nullptr) addresses.push_back(wrapper.container);
    if (wrapper.version == 2 && wrapper.linked != nullptr)
        for (const void* const* next = wrapper.linked; *next != nullptr; ++next) addresses.push_back(*next);

    std::vector<std::span<const std::byte>> containers;
    for (const void* address : addresses) {
        const size_t bytes = container_bytes(address);
        if (bytes == 0) return broken(fmt::format("no container at {}, to which the wrapper points", address));
        containers.emplace_back(static_cast<const std::byte*>(address), bytes);
    }
    return containers;
}

Result<std::string> select_ptx(const Contents& contents, int sm) {
    const Entry* best = nullptr;
    std::vector<std::string> others;
    for (const Entry& entry : contents.entries) {
        if (entry.kind != Kind::ptx) {
            others.push_back(
                fmt::format("{} for sm_{}", entry.kind == Kind::elf ? "machine code" : "LTO code", entry.sm));
            continue;
        }
        const bool better =
            best == nullptr || (best->sm > sm ? entry.sm < best->sm : entry.sm <= sm && entry.sm > best->sm);
        if (better) best = &entry;
    }
    if (best != nullptr) return best->payload;
    return Diagnostic{others.empty() ? "the program embeds no PTX: its container is empty"
                                     : fmt::format("the program embeds no PTX, only {}", fmt::join(others, ", ")),
                      "",
                      "add -gencode arch=compute_75,code=compute_75 to nvcc's options (-arch=sm_75 embeds PTX too)"};
}

}  // namespace lanescope::fatbin
