#include "timing/costs.h"

#include <algorithm>

namespace lanescope::timing {

using program::Opcode;
using program::Operation;
using program::Type;

namespace {

constexpr double giga = 1e9;
constexpr double quarters = 4;   // sub-partitions of a multiprocessor, each with a scheduler

}  // namespace

Costs costs_of(const gpus::Gpu& gpu) {
    const auto value = [&](const char* key) { return gpu.timing.at(key); };
    Costs costs{};
    costs.clock_hz = gpu.sm_clock_khz * 1e3;
    costs.l1_cycles = value("l1_latency_cycles");
    costs.l1_load_line_cycles = value("l1_load_line_cycles");
    costs.l2_cycles = value("l2_latency_cycles");
    costs.l2_far_cycles = value("l2_far_latency_cycles");
    costs.dram_cycles = value("dram_latency_cycles");
    costs.shared_cycles = value("shared_latency_cycles");
    costs.host_cycles = value("host_latency_us") * 1e-6 * costs.clock_hz;
    costs.ffma_cycles = value("ffma_latency_cycles");
    costs.special_cycles = value("ex2_latency_cycles");
    costs.shuffle_cycles = value("shfl_latency_cycles");
    costs.fp32_interval = 32 * quarters / value("fp32_lanes_per_sm");
    costs.fp64_interval = costs.fp32_interval * std::max(1, gpu.single_to_double_ratio);
    costs.l2_bytes_per_second = value("l2_bandwidth") * giga;
    costs.dram_bytes_per_second = value("device_copy_bandwidth") * giga;
    costs.peak_dram_bytes_per_second = value("peak_memory_bandwidth") * giga;
    costs.to_device_bytes_per_second = value("pinned_to_device_bandwidth") * giga;
    costs.from_device_bytes_per_second = value("pinned_from_device_bandwidth") * giga;
    costs.migration_bytes_per_second = value("migration_bandwidth") * giga;
    costs.page_fault_seconds = value("page_fault_us") * 1e-6;
    const auto table = [&](const char* by_size, const char* rate) {
        RateBySize rates;
        if (const auto found = gpu.timing_tables.find(by_size); found != gpu.timing_tables.end()) {
            for (const auto& [bytes, gigabytes] : found->second) rates.emplace_back(bytes, gigabytes * giga);
        } else {
            rates.emplace_back(1, value(rate) * giga);
        }
        return rates;
    };
    costs.pageable_to_device = table("pageable_to_device_by_size", "pageable_to_device_bandwidth");
    costs.pageable_from_device = table("pageable_from_device_by_size", "pageable_from_device_bandwidth");
    costs.link_is_full_duplex = value("link_directions_at_once") == 2;
    costs.copy_setup_seconds = value("copy_setup_us") * 1e-6;
    costs.partial_sectors_per_cycle = value("partial_sectors_per_cycle");
    costs.block_interval_cycles = value("block_interval_ns") * 1e-9 * costs.clock_hz;
    costs.block_turnaround_cycles = value("block_turnaround_cycles");
    costs.launch_seconds = value("launch_us") * 1e-6;
    costs.kernel_start_seconds = value("kernel_start_us") * 1e-6;
    costs.l2_dirty_bytes = 0.2 * static_cast<double>(gpu.l2_bytes);
    costs.sm_count = gpu.sm_count;
    return costs;
}

Cost cost_of(const Operation& op, const Costs& c) {
    const double fp32 = c.fp32_interval, half_rate = 2 * fp32, sixteenth_rate = 8 * fp32;
    const bool wide = bits_of(op.type) == 64;
    const auto chain = [&](double instructions) { return Cost{instructions * c.ffma_cycles, instructions * half_rate}; };
    if (op.type == Type::f64) {
        switch (op.opcode) {
            case Opcode::div: case Opcode::sqrt: case Opcode::rcp: case Opcode::rsqrt: return {28 * c.ffma_cycles, 12 * c.fp64_interval};
            case Opcode::add: case Opcode::sub: case Opcode::mul: case Opcode::fma: case Opcode::mad: return {2 * c.ffma_cycles, c.fp64_interval};
            default: break;
        }
    }
    switch (op.opcode) {
        case Opcode::div:
        case Opcode::rem:
            if (program::is_floating(op.type)) return op.has(program::flag::approx | program::flag::full) ? Cost{c.special_cycles + 3 * c.ffma_cycles, sixteenth_rate} : chain(11);
            return wide ? chain(83) : chain(15);
        case Opcode::sqrt: return op.has(program::flag::approx) ? Cost{c.special_cycles, sixteenth_rate} : Cost{10.5 * c.ffma_cycles, 10 * fp32};
        case Opcode::rcp:
        case Opcode::rsqrt:
            return op.has(program::flag::approx) ? Cost{c.special_cycles, sixteenth_rate} : Cost{10.5 * c.ffma_cycles, 10 * fp32};
        case Opcode::ex2: case Opcode::lg2: case Opcode::tanh:
        case Opcode::popc: case Opcode::brev: case Opcode::fns:
            return {c.special_cycles, sixteenth_rate};
        case Opcode::sin: case Opcode::cos: case Opcode::clz: case Opcode::bfind:
            return {c.special_cycles + 1.5 * c.ffma_cycles, sixteenth_rate};
        case Opcode::cvt: {
            const bool moves = op.type == op.type2 || (program::is_integer(op.type) && program::is_integer(op.type2));
            return moves ? Cost{c.ffma_cycles, half_rate} : Cost{0.5 * (c.special_cycles + 1.5 * c.ffma_cycles), sixteenth_rate};
        }
        case Opcode::shfl: return {c.shuffle_cycles, 4 * fp32};
        case Opcode::vote: case Opcode::activemask: return {0.75 * c.special_cycles, 4 * fp32};
        case Opcode::match: return {1.6 * c.special_cycles, sixteenth_rate};
        case Opcode::redux: return {2.6 * c.special_cycles, sixteenth_rate};
        case Opcode::add: case Opcode::sub: case Opcode::mul: case Opcode::fma:
        case Opcode::mad: case Opcode::min: case Opcode::max: case Opcode::abs: case Opcode::neg:
            if (op.type == Type::f32) return {c.ffma_cycles, fp32};
            if (op.opcode == Opcode::mul && op.has(program::flag::hi)) return {2.25 * c.ffma_cycles, 4 * fp32};
            if ((op.opcode == Opcode::add || op.opcode == Opcode::sub) && program::is_integer(op.type)) return {c.ffma_cycles, fp32};
            return {c.ffma_cycles, half_rate};
        case Opcode::mov: case Opcode::cvta: return {0, 0};   // ptxas renames registers
        case Opcode::setp: case Opcode::selp: case Opcode::set: case Opcode::slct: return {c.ffma_cycles, half_rate};
        case Opcode::membar: case Opcode::fence: return {c.l2_cycles, c.l2_cycles};
        case Opcode::bar: return {3.5 * c.ffma_cycles, 3.5 * c.ffma_cycles};
        case Opcode::bra: case Opcode::ret: case Opcode::call: return {0, 2 * fp32};
        default: return {c.ffma_cycles, half_rate};
    }
}

}  // namespace lanescope::timing
