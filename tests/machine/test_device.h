// A simulated GPU with a few conveniences, for tests that run whole kernels.
//
//   TestDevice gpu;
//   gpu.load_file("divergence.ptx");
//   Buffer<int> out = gpu.buffer<int>(32);          // zeros
//   gpu.run("trip_counts", 1, 32, {out});           // a fault fails the test
//   EXPECT_EQ(out[3], 14);
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "gpus/gpu.h"
#include "machine/device.h"

namespace lanescope::machine::test {

// Device memory as an array that the test reads and writes.
template <class T>
class Buffer {
public:
    Buffer(const Allocation* allocation) : allocation_(allocation) {}
    T& operator[](size_t i) const { return reinterpret_cast<T*>(allocation_->host)[i]; }
    size_t size() const { return allocation_->bytes / sizeof(T); }
    uint64_t address() const { return allocation_->address; }
    std::vector<T> values() const { return {&(*this)[0], &(*this)[0] + size()}; }

private:
    const Allocation* allocation_;
};

// One kernel argument. Numbers keep their type: pass uint64_t or int64_t where the kernel takes 8 bytes.
struct Argument {
    uint64_t bits = 0;
    size_t bytes = 0;
    template <class T>
    Argument(const Buffer<T>& buffer) : bits(buffer.address()), bytes(8) {}
    template <class T>
    requires std::is_arithmetic_v<T> Argument(T value) : bytes(sizeof value) {
        std::memcpy(&bits, &value, sizeof value);
    }
};

class TestDevice {
public:
    explicit TestDevice(const DeviceOptions& options = {}, std::string_view gpu_name = "h200")
        : gpu(**gpus::find(gpu_name)), space(uint64_t{1} << 32), device(gpu, space, 0, options) {}

    void load(const std::string& ptx) {
        auto loaded = device.load({ptx});
        if (!loaded) throw std::runtime_error(loaded.error().text());
        module = *loaded;
    }
    // A file of tests/machine/data.
    void load_file(const std::string& name) {
        std::ifstream file(std::string(DATA_FOLDER "/") + name);
        std::stringstream text;
        text << file.rdbuf();
        if (!file) throw std::runtime_error("cannot read " + name);
        load(text.str());
    }
    // A kernel with this body, in hand-written PTX; its parameters are `.param .u64 out` and `.param .u32 n`,
    // and %out holds the first.
    void load_body(const std::string& body) {
        load(
            ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry kernel(.param .u64 out, .param .u32 n)\n{\n"
            ".reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<16>;\n.reg .b64 %out;\nld.param.u64 %out, [out];\n" +
            body + "\n}\n");
    }

    template <class T>
    Buffer<T> buffer(size_t count, MemoryKind kind = MemoryKind::device) {
        const Allocation* a = space.allocate({.kind = kind, .bytes = count * sizeof(T), .name = "test"});
        if (!a) throw std::runtime_error("no memory");
        std::memset(a->host, 0, a->bytes);
        return a;
    }
    template <class T>
    Buffer<T> buffer(const std::vector<T>& values) {
        const Buffer<T> result = buffer<T>(values.size());
        std::memcpy(&result[0], values.data(), values.size() * sizeof(T));
        return result;
    }
    template <class T>
    Buffer<T> symbol(std::string_view name) {
        return module->variable(name);
    }

    // Runs and returns the fault, if any.
    std::optional<Fault> try_run(std::string_view name, Dim3 grid, Dim3 block,
                                 const std::vector<Argument>& arguments = {}) {
        auto kernel = module->kernel(name);
        if (!kernel) throw std::runtime_error(kernel.error().text());
        launch.kernel = *kernel;
        launch.grid = grid;
        launch.block = block;
        launch.counters = &counters;
        const auto& layout = (*kernel)->attributes();
        launch.parameters.assign(layout.parameter_bytes, std::byte{});
        for (size_t i = 0; i < arguments.size(); ++i)
            std::memcpy(launch.parameters.data() + layout.parameters.at(i).offset, &arguments[i].bits,
                        arguments[i].bytes);
        return device.run(launch);
    }
    std::optional<Fault> try_run(std::string_view name, uint32_t grid, uint32_t block,
                                 const std::vector<Argument>& arguments = {}) {
        return try_run(name, Dim3{grid, 1, 1}, Dim3{block, 1, 1}, arguments);
    }
    void run(std::string_view name, uint32_t grid, uint32_t block, const std::vector<Argument>& arguments = {}) {
        const auto fault = try_run(name, grid, block, arguments);
        EXPECT_FALSE(fault) << fault->report;
    }

    const gpus::Gpu& gpu;
    AddressSpace space;
    Device device;
    Module* module = nullptr;
    Launch launch;            // shared memory and other settings for the next runs
    LaunchCounters counters;  // of the last run
};

// What f(i) gives for i = 0, 1, ..., n - 1.
template <class F>
auto table(int n, F f) {
    std::vector<decltype(f(0))> values;
    for (int i = 0; i < n; ++i) values.push_back(f(i));
    return values;
}

}  // namespace lanescope::machine::test
