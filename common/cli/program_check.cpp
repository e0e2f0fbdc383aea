#include "cli/program_check.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/build_info.h"
#include "cli/elf.h"
#include "fatbin/fatbin.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

// The sections in which nvcc puts device code: of whole programs, and of -rdc=true programs.
constexpr std::string_view device_code_sections[] = {".nv_fatbin", "__nv_relfatbin"};
constexpr std::string_view cudart = "libcudart.so.";

std::string rebuild_command(const fs::path& program, const std::string& flags) {
    return fmt::format("{} {} {}.cu -o {}", build_info::nvcc, flags, program.stem().string(), program.string());
}

Result<std::vector<std::byte>> read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return Diagnostic{"cannot be read", path.string(), "chmod +r " + path.string()};
    std::vector<std::byte> bytes(static_cast<size_t>(file.tellg()));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

// What all containers of a section hold. Containers follow each other, aligned to 8 bytes.
struct DeviceCode {
    bool has_ptx = false;
    std::set<int> machine_code;   // 90 for sm_90
};

Result<void> add_device_code(std::span<const std::byte> section, DeviceCode& code) {
    constexpr uint32_t container_magic = 0xBA55ED50;
    constexpr size_t header_bytes = 16;
    for (size_t offset = 0; offset + header_bytes <= section.size();) {
        uint32_t magic = 0;
        std::memcpy(&magic, section.data() + offset, sizeof magic);
        if (magic != container_magic) {
            offset += 8;
            continue;
        }
        const Result<fatbin::Contents> contents = fatbin::read(section.subspan(offset));
        if (!contents) return contents.error();
        for (const fatbin::Entry& entry : contents->entries) {
            if (entry.kind == fatbin::Kind::ptx) code.has_ptx = true;
            if (entry.kind == fatbin::Kind::elf) code.machine_code.insert(entry.sm);
        }
        offset += fatbin::container_bytes(section.data() + offset);
    }
    return {};
}

// The folder of an RPATH in which the loader would find `library` before it looks at LD_LIBRARY_PATH.
fs::path folder_that_wins(const std::string& rpath, const fs::path& program, const std::string& library) {
    for (size_t begin = 0; begin <= rpath.size();) {
        const size_t end = std::min(rpath.find(':', begin), rpath.size());
        std::string folder = rpath.substr(begin, end - begin);
        begin = end + 1;
        for (const std::string_view origin : {"$ORIGIN", "${ORIGIN}"}) {
            if (const size_t at = folder.find(origin); at != std::string::npos) {
                folder.replace(at, origin.size(), fs::absolute(program).parent_path().string());
            }
        }
        std::error_code ignored;
        if (!folder.empty() && fs::exists(fs::path(folder) / library, ignored)) return folder;
    }
    return {};
}

// The part of `needed` that comes with the driver of a real GPU, if it is not here; else empty.
std::string missing_of_the_driver(const std::vector<std::string>& needed) {
    for (const std::string& library : needed) {
        if (!library.starts_with("libcuda.so.") && !library.starts_with("libnvidia-ml.so.")) continue;
        void* const loaded = dlopen(library.c_str(), RTLD_LAZY);
        if (!loaded) return library;
        dlclose(loaded);
    }
    return {};
}

}  // namespace

Result<void> check_program(const fs::path& program) {
    const std::string where = program.string();
    std::error_code ignored;
    if (!fs::exists(program, ignored)) {
        return Diagnostic{"no such file", where, "give the path of a program or of a .cu file"};
    }
    if (!fs::is_regular_file(program, ignored)) {
        return Diagnostic{"a folder or device, not a program", where, "give the path of a program or of a .cu file"};
    }
    const Result<std::vector<std::byte>> bytes = read_file(program);
    if (!bytes) return bytes.error();
    const Result<Elf> elf = read_elf(*bytes);
    if (!elf) return Diagnostic{elf.error().what, where, elf.error().next};
    if (!elf->is_x86_64_program) {
        return Diagnostic{"not a program for x86-64 Linux", where, rebuild_command(program, "-cudart shared")};
    }
    if (access(program.c_str(), X_OK) != 0) {
        return Diagnostic{"the file is not executable", where, "chmod +x " + where};
    }

    if (const std::string missing = missing_of_the_driver(elf->needed); !missing.empty()) {
        return Diagnostic{fmt::format("the program needs {}, the driver's own interface, which is not simulated", missing), where,
                          "call the CUDA runtime instead (cudaMalloc for cuMemAlloc, <<<>>> for cuLaunchKernel) and link without -lcuda and -lnvidia-ml"};
    }
    std::string library;   // the CUDA runtime that the program loads
    for (const std::string& needed : elf->needed) {
        if (needed.starts_with(cudart)) library = needed;
    }
    std::vector<std::span<const std::byte>> device_code;
    for (const Elf::Section& section : elf->sections) {
        for (const std::string_view name : device_code_sections) {
            if (section.name == name) device_code.push_back(section.bytes);
        }
    }

    if (library.empty()) {
        if (device_code.empty()) return {};   // no CUDA in the program itself
        return Diagnostic{"the program contains its own copy of the CUDA runtime (nvcc's default), which nothing can replace",
                          where, "link the runtime as a shared library: " + rebuild_command(program, "-cudart shared") +
                                     "\n        with CMake: set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)"};
    }
    const std::string ours = fmt::format("{}{}", cudart, build_info::toolkit_major);
    if (library != ours) {
        return Diagnostic{fmt::format("the program was built with CUDA {}, this lanescope for CUDA {}",
                                      library.substr(cudart.size()), build_info::toolkit_major),
                          where, "build it with this toolkit: " + rebuild_command(program, "-cudart shared")};
    }
    if (elf->runpath.empty()) {   // a RUNPATH makes the loader ignore the RPATH
        const fs::path folder = folder_that_wins(elf->rpath, program, library);
        if (!folder.empty()) {
            return Diagnostic{fmt::format("its RPATH makes it load {}, whatever LD_LIBRARY_PATH says", (folder / library).string()),
                              where, "patchelf --remove-rpath " + where + "   (or link with -Xlinker --enable-new-dtags)"};
        }
    }
    DeviceCode code;
    for (const std::span<const std::byte> section : device_code) {
        if (const Result<void> added = add_device_code(section, code); !added) {
            return Diagnostic{added.error().what, where, added.error().next};
        }
    }
    if (!code.has_ptx && !code.machine_code.empty()) {
        std::string list;
        for (const int sm : code.machine_code) list += fmt::format("{}sm_{}", list.empty() ? "" : ", ", sm);
        return Diagnostic{fmt::format("the program holds machine code only ({}); the simulated GPU runs PTX", list), where,
                          "embed PTX: " + rebuild_command(program, fmt::format("-arch=sm_{} -cudart shared", *code.machine_code.begin()))};
    }
    return {};
}

}  // namespace lanescope::cli
