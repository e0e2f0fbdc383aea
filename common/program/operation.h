/// \file
/// A decoded instruction: everything that its execution needs, and nothing that must be looked up.
///
/// The decoder (decode.cpp) turns the words of a ptx::Instruction into one Operation; the machine
/// picks a handler for it once and then runs it for 32 lanes at a time. Host side only.
///
/// Where lanes live. A warp's registers are arrays of 32 lanes, in "slots" of a frame:
///
///     32-bit class: uint32_t[32]  for .b8 .b16 .b32 and narrower types, .f16x2, ...
///     64-bit class: uint64_t[32]  for .b64 .f64
///     128-bit class: two uint64_t per lane, lane-major
///     predicate:   one uint32_t, bit l = lane l
///
/// A type narrower than 32 bits is stored sign-extended (signed types) or zero-extended (all others)
/// to 32 bits; a reader takes the low bits. Immediates live in the program's constants in the same
/// layout (the value repeated for 32 lanes), so handlers see no difference between the two.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope::program {

enum class Type : uint8_t {
    none, pred,
    b8, u8, s8, b16, u16, s16, b32, u32, s32, b64, u64, s64, b128,
    f16, f16x2, bf16, bf16x2, f32, f32x2, f64, tf32,
    u16x2, s16x2,
    e4m3, e5m2, e4m3x2, e5m2x2,
};

int bits_of(Type);            ///< 32 for f32 and f16x2; 1 for pred; 0 for none
bool is_signed(Type);         ///< s8 … s64, s16x2
bool is_floating(Type);       ///< f16 … tf32 and pairs
bool is_integer(Type);        ///< u*, s*, b*
std::string_view name_of(Type);

enum class Opcode : uint8_t {
#define OPCODE(name, family) name,
#include "program/opcodes.def"
#undef OPCODE
};
std::string_view name_of(Opcode);   ///< as in PTX: "and", not "and_"

enum class Rounding : uint8_t { none, rn, rz, rm, rp, rna, rs, rni, rzi, rmi, rpi };

enum class Compare : uint8_t {      // setp, set
    none, eq, ne, lt, le, gt, ge,   ///< ordered
    lo, ls, hi, hs,                 ///< unsigned names; the decoder maps them to lt, le, gt, ge
    equ, neu, ltu, leu, gtu, geu,   ///< true if either operand is NaN
    num, nan,
};
enum class Boolean : uint8_t { none, and_, or_, xor_ };

enum class Space : uint8_t { generic, global, constant, shared, local, param };

enum class Cache : uint8_t { none, ca, cg, cs, lu, cv, wb, wt };
enum class Order : uint8_t { weak, relaxed, acquire, release, acq_rel, sc, volatile_, mmio };
enum class Scope : uint8_t { none, cta, cluster, gpu, sys };
enum class Atomic : uint8_t { none, and_, or_, xor_, cas, exch, add, inc, dec, min, max };

enum class Mbarrier : uint8_t { none, init, inval, arrive, arrive_drop, test_wait, pending_count, arrive_when_copied, expect_tx, arrive_expect_tx, complete_tx };

enum class Special : uint8_t {      // what read_special reads
    tid_x, tid_y, tid_z, ntid_x, ntid_y, ntid_z, ctaid_x, ctaid_y, ctaid_z, nctaid_x, nctaid_y, nctaid_z,
    laneid, warpid, nwarpid, smid, nsmid, gridid,
    lanemask_eq, lanemask_le, lanemask_lt, lanemask_ge, lanemask_gt,
    clock, clock_hi, clock64, globaltimer, globaltimer_lo, globaltimer_hi,
    total_smem_size, dynamic_smem_size, aggr_smem_size, envreg, pm,
    clusterid_x, clusterid_y, clusterid_z, nclusterid_x, nclusterid_y, nclusterid_z,
    cluster_ctaid_x, cluster_ctaid_y, cluster_ctaid_z, cluster_nctaid_x, cluster_nctaid_y, cluster_nctaid_z,
    cluster_ctarank, cluster_nctarank, is_explicit_cluster, current_graph_exec, reserved_smem,
    frame_local,                ///< not PTX: the local address of the running function's stack frame, plus Operation::immediate
};

/// What an instruction's remaining modifiers said, one bit each. A handler family must refuse (return
/// no handler for) an operation that carries a flag it does not implement: see only_flags().
namespace flag {
enum : uint64_t {
    ftz = 1 << 0, sat = 1 << 1, satfinite = 1 << 2, relu = 1 << 3,
    approx = 1 << 4, full = 1 << 5,
    hi = 1 << 6, lo = 1 << 7, wide = 1 << 8,
    cc = 1 << 9,                    ///< writes CC.CF
    nan = 1 << 10,                  ///< min.NaN
    xorsign = 1 << 11, abs = 1 << 12,   ///< min.xorsign.abs
    shiftamt = 1 << 13,             ///< bfind
    left = 1 << 14, right = 1 << 15, wrap = 1 << 16, clamp = 1 << 17,   ///< shf.l/.r, bmsk, vshl
    f4e = 1 << 18, b4e = 1 << 19, rc8 = 1 << 20, ecl = 1 << 21, ecr = 1 << 22, rc16 = 1 << 23,  ///< prmt modes
    uni = 1 << 24, sync = 1 << 25, aligned = 1 << 26,
    finite = 1 << 27, infinite = 1 << 28, number = 1 << 29, notanumber = 1 << 30,
};
inline constexpr uint64_t normal = 1ull << 31, subnormal = 1ull << 32;          ///< testp
inline constexpr uint64_t to = 1ull << 33;                                       ///< cvta.to
inline constexpr uint64_t nc = 1ull << 34;                                       ///< ld.global.nc
inline constexpr uint64_t noftz = 1ull << 35;                                    ///< atom.add.noftz
inline constexpr uint64_t oob = 1ull << 36;                                      ///< fma.oob
inline constexpr uint64_t all = 1ull << 37, any = 1ull << 38, ballot = 1ull << 39;  ///< vote, match
inline constexpr uint64_t up = 1ull << 40, down = 1ull << 41, bfly = 1ull << 42, idx = 1ull << 43;  ///< shfl, brx.idx
inline constexpr uint64_t arrive = 1ull << 44, red = 1ull << 45, popc = 1ull << 46;  ///< bar
inline constexpr uint64_t unified = 1ull << 47;
inline constexpr uint64_t b0 = 1ull << 48, b1 = 1ull << 49, b2 = 1ull << 50, b3 = 1ull << 51;  ///< video selectors are in Operation::selectors
inline constexpr uint64_t warp = 1ull << 52;                                     ///< bar.warp.sync
inline constexpr uint64_t pack = 1ull << 53;                                     ///< cvt.pack
inline constexpr uint64_t parity = 1ull << 54, noinc = 1ull << 55;               ///< mbarrier
inline constexpr uint64_t internal = 1ull << 63;   ///< made by the decoder; not counted as an instruction
}  // namespace flag

/// Where a value lives: byte `offset` from the frame's registers (base 0) or from the program's constants (base 1).
struct Value {
    uint32_t base : 1 = 0;
    uint32_t offset : 31 = 0;
};

enum class Guarded : uint8_t { no, if_true, if_false };

inline constexpr uint32_t no_reconvergence = 0xFFFFFFFF;   ///< the lanes do not meet before the function returns

struct Operation {
    /// Read by every execution
    Value d[2];                 ///< results: d[0]; d[1] is the predicate of d|p
    Value s[4];                 ///< sources, in PTX order without the address operand's brackets
    int64_t immediate = 0;      ///< memory: byte offset added to the address; read_special of envreg: its number;
                                ///< lop3: the truth table; bar: barrier id if constant; others: see the family
    Value guard_value;          ///< the guard's predicate
    Guarded guard = Guarded::no;
    Opcode opcode{};
    Type type = Type::none;     ///< first type word:  cvt.TYPE.type2, ld.TYPE, setp.lt.TYPE, mul.wide.TYPE
    Type type2 = Type::none;    ///< second type word: cvt's and set's source type, slct's condition, dp4a's b
    uint8_t vector_width = 1;   ///< ld.v4: 4. The registers are Program::lists[list .. list + list_count)
    uint8_t list_count = 0;
    uint8_t source_count = 0;   ///< how many of s[] are used
    uint8_t result_count = 0;   ///< how many of d[] are used; 0 also for the sink `_`
    uint8_t negated = 0;        ///< bit i: predicate source s[i] was written !p
    uint32_t list = 0;
    /// Modifiers, read when the handler is picked
    uint64_t flags = 0;
    Rounding rounding = Rounding::none;
    Compare compare = Compare::none;
    Boolean boolean = Boolean::none;
    Space space = Space::generic;
    Space space2 = Space::generic;   ///< cvta, cp.async, cp.async.bulk: the second one
    Cache cache = Cache::none;
    Order order = Order::weak;
    Scope scope = Scope::none;
    Atomic atomic = Atomic::none;
    Mbarrier mbarrier = Mbarrier::none;
    Special special = Special::tid_x;
    uint8_t address_bits = 64;  ///< width of the address register (shared addresses may be 32)
    /// Function parameters (.param space inside a function or around a call): where lane 0's copy starts in
    /// the frame, and the distance to the next lane's. Stride 0: the parameters of the kernel.
    uint32_t frame_offset = 0;
    uint32_t lane_stride_bytes = 0;
    /// Control
    uint32_t target = 0;        ///< bra: index of the operation to go to; brx: of Program::branch_tables; call: of
                                ///< Program::calls; unsupported: of Program::messages
    uint32_t reconverge = no_reconvergence;  ///< bra, brx: where the lanes meet again (index of a `reconverge` operation)
    uint32_t weight = 1;        ///< PTX instructions that this operation stands for: itself and those before it
                                ///< that were computed once for the whole launch (uniform.cpp)
    bool result_used = false;   ///< some operation reads the result: an atom without this is a red to hardware
    bool with_last_load = false;   ///< a load issued before the result of the load before it was waited for
    // Provenance
    uint32_t ptx_line = 0;
    uint32_t source_file = 0, source_line = 0;

    bool has(uint64_t f) const { return (flags & f) != 0; }
    /// True if no modifier flag outside `allowed` is present. flag::internal is always allowed.
    bool only_flags(uint64_t allowed) const { return (flags & ~(allowed | flag::internal)) == 0; }
};

}  // namespace lanescope::program
