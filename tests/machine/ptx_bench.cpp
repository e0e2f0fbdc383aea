#include "machine/ptx_bench.h"

#include <cstring>

#include <fmt/format.h>

#include "gpus/gpu.h"
#include "machine/device.h"

namespace lanescope::machine::test {
namespace {

// "%0" -> "%v0"
std::string name_registers(std::string_view ptx) {
    std::string text;
    for (size_t i = 0; i < ptx.size(); ++i) {
        text += ptx[i];
        if (ptx[i] == '%' && i + 1 < ptx.size() && ptx[i + 1] >= '0' && ptx[i + 1] <= '9') text += 'v';
    }
    return text;
}

std::string register_type(int bits) { return bits == 1 ? "pred" : fmt::format("b{}", bits == 8 ? 16 : bits); }

std::string load(int number, int bits, int offset) {
    if (bits == 1) {
        return fmt::format("    ld.global.u32 %word, [%source+{0}];\n    setp.ne.u32 %v{1}, %word, 0;\n", offset,
                           number);
    }
    return fmt::format("    ld.global.{} %v{}, [%source+{}];\n", bits == 8 ? "u8" : register_type(bits), number,
                       offset);
}

std::string initialise(int number, int bits) {
    if (bits == 1) return fmt::format("    setp.ne.u32 %v{}, 0, 0;\n", number);
    const uint64_t value = bits == 64 ? untouched : untouched & ((1ull << (bits == 8 ? 16 : bits)) - 1);
    return fmt::format("    mov.{} %v{}, {:#x};\n", register_type(bits), number, value);
}

std::string store(int number, int bits, int offset) {
    if (bits == 1) {
        return fmt::format("    selp.u32 %word, 1, 0, %v{};\n    st.global.u32 [%target+{}], %word;\n", number, offset);
    }
    return fmt::format("    st.global.{} [%target+{}], %v{};\n", bits == 8 ? "u8" : register_type(bits), offset,
                       number);
}

struct Bench {
    const gpus::Gpu& gpu = **gpus::find("h200");
    AddressSpace space{gpu.memory_bytes > 0 ? static_cast<uint64_t>(gpu.memory_bytes) : uint64_t{1} << 32};
    Device device{gpu, space, 0, {}};
};

template <class T>
void append(std::vector<std::byte>& parameters, T value) {
    const size_t end = parameters.size();
    parameters.resize(end + sizeof value);
    std::memcpy(parameters.data() + end, &value, sizeof value);
}

}  // namespace

std::string bench_kernel(std::string_view ptx, const Signature& signature) {
    std::string registers, before, after;
    int number = 0;
    for (size_t i = 0; i < signature.result_bits.size(); ++i, ++number) {
        const int bits = signature.result_bits[i];
        registers += fmt::format("    .reg .{} %v{};\n", register_type(bits), number);
        before += initialise(number, bits);
        after += store(number, bits, static_cast<int>(i) * 8);
    }
    for (size_t i = 0; i < signature.source_bits.size(); ++i, ++number) {
        const int bits = signature.source_bits[i];
        registers += fmt::format("    .reg .{} %v{};\n", register_type(bits), number);
        before += load(number, bits, static_cast<int>(i) * 8);
    }
    return fmt::format(R"(.version 8.6
.target sm_90
.address_size 64
.visible .entry bench(.param .u64 inputs, .param .u64 outputs, .param .u32 rows, .param .u32 lane_mask)
{{
    .reg .pred %outside, %active;
    .reg .b32 %row, %block, %threads, %rows, %word, %lane, %mask;
    .reg .b64 %source, %target;
{registers}
    mov.u32 %row, %tid.x;
    mov.u32 %block, %ctaid.x;
    mov.u32 %threads, %ntid.x;
    mad.lo.u32 %row, %block, %threads, %row;
    ld.param.u32 %rows, [rows];
    setp.ge.u32 %outside, %row, %rows;
    @%outside bra DONE;
    ld.param.u64 %source, [inputs];
    mad.wide.u32 %source, %row, {source_bytes}, %source;
    ld.param.u64 %target, [outputs];
    mad.wide.u32 %target, %row, {result_bytes}, %target;
    and.b32 %lane, %row, 31;
    ld.param.u32 %mask, [lane_mask];
    shr.u32 %mask, %mask, %lane;
    and.b32 %mask, %mask, 1;
    setp.ne.u32 %active, %mask, 0;
{before}
    @!%active bra STORE;
    {ptx}
STORE:
{after}
DONE:
    ret;
}}
)",
                       fmt::arg("registers", registers), fmt::arg("source_bytes", 8 * signature.source_bits.size()),
                       fmt::arg("result_bytes", 8 * signature.result_bits.size()), fmt::arg("before", before),
                       fmt::arg("ptx", name_registers(ptx)), fmt::arg("after", after));
}

Result<std::vector<uint64_t>> run_bench(std::string_view ptx, const Signature& signature,
                                        const std::vector<uint64_t>& inputs, size_t rows, uint32_t lane_mask) {
    static Bench bench;
    auto module = bench.device.load({bench_kernel(ptx, signature)});
    if (!module) return module.error();
    auto kernel = (*module)->kernel("bench");
    if (!kernel) return kernel.error();

    std::vector<uint64_t> outputs(rows * signature.result_bits.size());
    const auto allocate = [](size_t cells) {
        return bench.space.allocate({.kind = MemoryKind::device, .bytes = cells * 8 + 8, .name = "bench"});
    };
    const Allocation* source = allocate(inputs.size());
    const Allocation* target = allocate(outputs.size());
    if (!source || !target) return Diagnostic{"out of memory", "bench", ""};
    std::memcpy(source->host, inputs.data(), inputs.size() * 8);
    std::memset(target->host, 0, target->bytes);

    constexpr uint32_t block_threads = 128;
    Launch launch{.kernel = *kernel,
                  .grid = {static_cast<uint32_t>((rows + block_threads - 1) / block_threads), 1, 1},
                  .block = {block_threads, 1, 1},
                  .parameters = {}};
    append(launch.parameters, source->address);
    append(launch.parameters, target->address);
    append(launch.parameters, static_cast<uint32_t>(rows));
    append(launch.parameters, lane_mask);
    const std::optional<Fault> fault = bench.device.run(launch);

    std::memcpy(outputs.data(), target->host, outputs.size() * 8);
    bench.space.release(source->address);
    bench.space.release(target->address);
    bench.device.unload(*module);
    if (fault) return Diagnostic{fault->report, "bench", ""};
    return outputs;
}

}  // namespace lanescope::machine::test
