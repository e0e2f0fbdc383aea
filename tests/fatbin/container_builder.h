// Containers as nvcc would write them, for tests that break one field at a time.
//
//   EntryHeader header = ptx_header(75);
//   std::string bytes = container({entry(header, "text")});
#pragma once

#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "fatbin/fatbin.h"
#include "fatbin/layout.h"

namespace lanescope::fatbin {

template <class T>
std::string bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

inline std::span<const std::byte> span_of(const std::string& bytes) {
    return std::as_bytes(std::span(bytes.data(), bytes.size()));
}

inline EntryHeader ptx_header(int sm) {
    EntryHeader header{};
    header.kind = static_cast<uint16_t>(Kind::ptx);
    header.header_bytes = sizeof header;
    header.version_major = 9;
    header.sm = static_cast<uint32_t>(sm);
    return header;
}

// A plain entry; the payload is padded to 8 bytes as nvcc does.
inline std::string entry(EntryHeader header, std::string payload, const std::string& name = "") {
    payload.resize((payload.size() + 8) / 8 * 8);  // at least one trailing NUL
    header.padded_payload_bytes = payload.size();
    if (!name.empty()) {
        header.name_offset = sizeof header;
        header.name_bytes = static_cast<uint32_t>(name.size());
        header.header_bytes = static_cast<uint32_t>(sizeof header + name.size());
    }
    return bytes_of(header) + name + payload;
}

inline std::string compressed_entry(EntryHeader header, uint64_t flag, const std::string& payload,
                                    uint64_t uncompressed_bytes) {
    header.flags |= flag;
    header.compressed_bytes = static_cast<uint32_t>(payload.size());
    header.uncompressed_bytes = uncompressed_bytes;
    return entry(header, payload);
}

inline std::string with_zstd(const std::string& text) {
    std::string output(ZSTD_compressBound(text.size()), '\0');
    output.resize(ZSTD_compress(output.data(), output.size(), text.data(), text.size(), 3));
    return output;
}

inline std::string with_lz4(const std::string& text) {
    const int size = static_cast<int>(text.size());
    std::string output(static_cast<size_t>(LZ4_compressBound(size)), '\0');
    const int written = LZ4_compress_default(text.data(), output.data(), size, static_cast<int>(output.size()));
    output.resize(static_cast<size_t>(written));
    return output;
}

inline std::string container(const std::vector<std::string>& entries) {
    std::string body;
    for (const std::string& entry : entries) body += entry;
    return bytes_of(ContainerHeader{container_magic, 1, sizeof(ContainerHeader), body.size()}) + body;
}

}  // namespace lanescope::fatbin
