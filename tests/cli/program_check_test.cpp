// Programs built by this toolkit (see CMakeLists.txt), and files that are no such programs.
#include "cli/program_check.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>

#include "cli/build_info.h"
#include "support/temporary_folder.h"

namespace lanescope::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

std::string verdict(const fs::path& program) {
    const Result<void> result = check_program(program);
    return result ? "accepted" : result.error().text();
}

fs::path example(const std::string& name) { return fs::path(PROGRAMS) / name; }

fs::path written(const std::string& name, const std::string& contents, bool executable = true) {
    static const test::TemporaryFolder folder("program check");
    const fs::path path = folder.path() / name;
    std::ofstream(path, std::ios::binary) << contents;
    fs::permissions(path, executable ? fs::perms::owner_all : fs::perms::owner_read);
    return path;
}

std::string contents_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST(ProgramCheck, AcceptsWhatCanRun) {
    EXPECT_EQ(verdict(example("good")), "accepted");
    EXPECT_EQ(verdict(example("good_rdc")), "accepted");
    EXPECT_EQ(verdict("/bin/sh"), "accepted");   // no CUDA in it, so nothing to object to
}

TEST(ProgramCheck, StaticRuntime) {
    EXPECT_THAT(verdict(example("static_cudart")),
                AllOf(HasSubstr("its own copy of the CUDA runtime"), HasSubstr("nvcc -cudart shared static_cudart.cu -o ")));
}

TEST(ProgramCheck, MachineCodeOnly) {
    EXPECT_THAT(verdict(example("without_ptx")),
                AllOf(HasSubstr("machine code only (sm_75)"), HasSubstr("nvcc -arch=sm_75 -cudart shared without_ptx.cu -o ")));
}

TEST(ProgramCheck, RpathWinsOverLibraryPathAndRunpathDoesNot) {
    EXPECT_THAT(verdict(example("with_rpath")), AllOf(HasSubstr("its RPATH makes it load"), HasSubstr("patchelf --remove-rpath")));
    EXPECT_EQ(verdict(example("with_runpath")), "accepted");
}

TEST(ProgramCheck, AnotherToolkitMajor) {
    std::string bytes = contents_of(example("good"));
    const std::string ours = "libcudart.so." + std::to_string(build_info::toolkit_major);
    const size_t at = bytes.find(ours);
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, ours.size(), "libcudart.so.11");
    EXPECT_THAT(verdict(written("other_major", bytes)),
                AllOf(HasSubstr("was built with CUDA 11, this lanescope for CUDA"), HasSubstr("nvcc -cudart shared other_major.cu")));
}

TEST(ProgramCheck, TheDriversInterface) {
    if (dlopen("libcuda.so.1", RTLD_LAZY)) GTEST_SKIP() << "there is a driver here";
    std::string bytes = contents_of(example("good"));
    const std::string other = "libstdc++.so.6";
    const size_t at = bytes.find(other);
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, other.size(), std::string("libcuda.so.1\0\0", other.size()));
    EXPECT_THAT(verdict(written("driver_api", bytes)),
                AllOf(HasSubstr("the program needs libcuda.so.1"), HasSubstr("is not simulated"), HasSubstr("call the CUDA runtime instead")));
}

TEST(ProgramCheck, DamagedDeviceCode) {
    std::string bytes = contents_of(example("good"));
    const std::string magic = "\x50\xED\x55\xBA";
    const size_t at = bytes.find(magic);
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at + 8, 8, 8, '\xff');   // a container of 2^64 - 1 bytes
    EXPECT_NE(verdict(written("damaged", bytes)), "accepted");
}

TEST(ProgramCheck, OtherFiles) {
    EXPECT_THAT(verdict("/no/such/program"), HasSubstr("/no/such/program: no such file"));
    EXPECT_THAT(verdict("/tmp"), HasSubstr("a folder or device"));
    EXPECT_THAT(verdict("/dev/zero"), HasSubstr("a folder or device"));   // has no end
    EXPECT_THAT(verdict(written("script.sh", "#!/bin/sh\necho\n")), HasSubstr("not an ELF file"));
    EXPECT_THAT(verdict(written("empty", "")), HasSubstr("not an ELF file"));
    EXPECT_THAT(verdict(written("cut", contents_of(example("good")).substr(0, 3000))), HasSubstr("damaged"));
    EXPECT_THAT(verdict(NVIDIA_CUDART), HasSubstr("not a program for x86-64"));   // a library
}

TEST(ProgramCheck, NotExecutable) {
    const std::string good = contents_of(example("good"));
    EXPECT_THAT(verdict(written("not_executable", good, false)), HasSubstr("next: chmod +x "));
}

}  // namespace
}  // namespace lanescope::cli
