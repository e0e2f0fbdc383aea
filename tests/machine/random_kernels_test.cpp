// Random structured programs: the simulated GPU against a direct interpretation of each thread in C++.
//
// A program is a tree of assignments, if/else, loops with break and continue, switches, calls and returns on
// eight registers. It is written as PTX and run on whole blocks, and interpreted thread by thread. This
// exercises decoding, constants of the launch, slots of registers, divergence and meeting points together.
#include <fmt/format.h>

#include <memory>
#include <random>

#include "machine/test_device.h"

namespace lanescope::machine::test {
namespace {

constexpr int registers = 8;

struct Statement {
    enum class Kind { assign, if_else, loop, switch_, break_, continue_, return_, call } kind;
    int d = 0, a = 0, b = 0;  // registers
    uint32_t literal = 0;
    int operation = 0;  // of an assignment
    std::vector<std::vector<Statement>> parts;
};
using Body = std::vector<Statement>;

class Generator {
public:
    explicit Generator(uint32_t seed) : random_(seed) {}
    Body body(int depth, bool in_loop) {
        Body result;
        for (int n = 1 + below(4); n > 0; --n) result.push_back(statement(depth, in_loop));
        return result;
    }

private:
    int below(int n) { return static_cast<int>(random_() % n); }
    Statement statement(int depth, bool in_loop) {
        using Kind = Statement::Kind;
        Statement s{.kind = Kind::assign,
                    .d = below(registers),
                    .a = below(registers),
                    .b = below(registers),
                    .literal = static_cast<uint32_t>(random_()),
                    .operation = below(6),
                    .parts = {}};
        const int what = below(20);
        if (depth > 0 && what < 5) {
            s.kind = Kind::if_else;
            s.parts = {body(depth - 1, in_loop), below(2) ? body(depth - 1, in_loop) : Body{}};
        } else if (depth > 0 && what < 8) {
            s.kind = Kind::loop;
            s.parts = {body(depth - 1, true)};
        } else if (depth > 0 && what < 10) {
            s.kind = Kind::switch_;
            for (int n = 0; n < 3; ++n) s.parts.push_back(below(4) ? body(depth - 1, in_loop) : Body{});
        } else if (what == 10) {
            s.kind = Kind::call;
        } else if (in_loop && what == 11) {
            s.kind = below(2) ? Kind::break_ : Kind::continue_;
        } else if (what == 12 && below(3) == 0) {
            s.kind = Kind::return_;
        }
        return s;
    }
    std::mt19937 random_;
};

// break, continue and return happen where a bit of register a is set.
bool happens(const Statement& s, const uint32_t* r) { return (r[s.a] >> (s.literal % 5) & 1) != 0; }

// ---- As PTX ----

class Writer {
public:
    std::string text;
    void write(const Body& body, const std::string& on_break = "", const std::string& on_continue = "") {
        for (const Statement& s : body) write(s, on_break, on_continue);
    }

private:
    void line(const std::string& l) { text += l + "\n"; }
    // %p = the condition of s
    void condition(const Statement& s) {
        line(fmt::format("shr.u32 %t0, %r{}, {}; and.b32 %t0, %t0, 1; setp.ne.u32 %p, %t0, 0;", s.a, s.literal % 5));
    }
    void write(const Statement& s, const std::string& on_break, const std::string& on_continue) {
        using Kind = Statement::Kind;
        const int n = ++labels_;
        switch (s.kind) {
            case Kind::assign: {
                const char* const forms[] = {"add.u32 %r{0}, %r{1}, %r{2};",    "xor.b32 %r{0}, %r{1}, {3};",
                                             "mul.lo.u32 %r{0}, %r{1}, %r{2};", "mov.u32 %r{0}, {3};",
                                             "shr.u32 %r{0}, %r{1}, 3;",        "mad.lo.u32 %r{0}, %r{1}, 5, %ntid.x;"};
                return line(fmt::format(fmt::runtime(forms[s.operation]), s.d, s.a, s.b, s.literal));
            }
            case Kind::if_else:
                condition(s);
                line(fmt::format("@!%p bra ELSE{};", n));
                write(s.parts[0], on_break, on_continue);
                line(fmt::format("bra END{0};\nELSE{0}:", n));
                write(s.parts[1], on_break, on_continue);
                return line(fmt::format("END{}:", n));
            case Kind::loop: {  // (a & 7) rounds, counted in a register of its own
                line(
                    fmt::format("{{ .reg .u32 count; and.b32 count, %r{1}, 7;\nHEAD{0}: setp.eq.u32 %p, count, 0; @%p "
                                "bra END{0};\nsub.u32 count, count, 1;",
                                n, s.a));
                write(s.parts[0], fmt::format("END{}", n), fmt::format("HEAD{}", n));
                return line(fmt::format("bra HEAD{0};\nEND{0}: }}", n));
            }
            case Kind::switch_:
                line(fmt::format("rem.u32 %t0, %r{1}, 3;\nbrx.idx %t0, table{0};", n, s.a));
                for (int part = 0; part < 3; ++part) {  // the cases fall through where b is even
                    line(fmt::format("CASE{}_{}:", n, part));
                    write(s.parts[part], on_break, on_continue);
                    if (s.b % 2 == 1) line(fmt::format("bra END{};", n));
                }
                return line(fmt::format("END{0}:\ntable{0}: .branchtargets CASE{0}_0, CASE{0}_1, CASE{0}_2;", n));
            case Kind::break_:
                condition(s);
                return line(fmt::format("@%p bra {};", on_break));
            case Kind::continue_:
                condition(s);
                return line(fmt::format("@%p bra {};", on_continue));
            case Kind::return_:
                condition(s);
                return line("@%p bra FINISH;");
            case Kind::call:
                return line(
                    fmt::format("{{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r{1};\ncall (y), mix, "
                                "(x);\nld.param.b32 %r{0}, [y]; }}",
                                s.d, s.a));
        }
    }
    int labels_ = 0;
};

std::string as_ptx(const Body& body) {
    Writer writer;
    writer.write(body);
    std::string stores;
    for (int r = 0; r < registers; ++r) stores += fmt::format("st.global.u32 [%out+{}], %r{};\n", 4 * r, r);
    return R"(.version 8.6
.target sm_90
.address_size 64
.func (.param .b32 y) mix(.param .b32 x) {
    .reg .pred %p; .reg .b32 %x, %n;
    ld.param.u32 %x, [x];
    and.b32 %n, %x, 3;
AGAIN:
    mad.lo.u32 %x, %x, 17, %n;
    sub.u32 %n, %n, 1;
    setp.ge.s32 %p, %n, 0;
    @%p bra AGAIN;
    st.param.b32 [y], %x;
    ret;
}
.visible .entry kernel(.param .u64 out, .param .u32 n) {
    .reg .pred %p; .reg .b32 %r<8>, %t0, %i; .reg .b64 %out, %offset;
    mad.lo.u32 %i, %ctaid.x, %ntid.x, %tid.x;
    ld.param.u64 %out, [out];
    mul.wide.u32 %offset, %i, 32;
    add.u64 %out, %out, %offset;
    mov.u32 %r0, %i; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 77; ld.param.u32 %r4, [n];
    mul.lo.u32 %r5, %i, 13; mov.u32 %r6, %ntid.x; add.u32 %r7, %r4, 9;
)" + writer.text +
           "FINISH:\n" + stores + "ret;\n}\n";
}

// ---- As C++ ----

enum class Next { statement, break_, continue_, return_ };

uint32_t mix(uint32_t x) {
    for (int n = static_cast<int>(x & 3); n >= 0; --n) x = x * 17 + static_cast<uint32_t>(n);
    return x;
}

Next interpret(const Body& body, uint32_t* r, uint32_t ntid) {
    using Kind = Statement::Kind;
    for (const Statement& s : body) {
        Next next = Next::statement;
        switch (s.kind) {
            case Kind::assign: {
                const uint32_t values[] = {r[s.a] + r[s.b], r[s.a] ^ s.literal, r[s.a] * r[s.b],
                                           s.literal,       r[s.a] >> 3,        r[s.a] * 5 + ntid};
                r[s.d] = values[s.operation];
                break;
            }
            case Kind::if_else:
                next = interpret(s.parts[happens(s, r) ? 0 : 1], r, ntid);
                break;
            case Kind::loop:
                for (uint32_t count = r[s.a] & 7; count > 0 && next != Next::return_; --count) {
                    next = interpret(s.parts[0], r, ntid);
                    if (next == Next::break_) break;
                }
                if (next != Next::return_) next = Next::statement;
                break;
            case Kind::switch_:
                for (uint32_t part = r[s.a] % 3; part < 3 && next == Next::statement; ++part) {
                    next = interpret(s.parts[part], r, ntid);
                    if (s.b % 2 == 1) break;
                }
                break;
            case Kind::break_:
                next = happens(s, r) ? Next::break_ : next;
                break;
            case Kind::continue_:
                next = happens(s, r) ? Next::continue_ : next;
                break;
            case Kind::return_:
                next = happens(s, r) ? Next::return_ : next;
                break;
            case Kind::call:
                r[s.d] = mix(r[s.a]);
                break;
        }
        if (next != Next::statement) return next;
    }
    return Next::statement;
}

TEST(RandomKernels, AgreeWithTheInterpretation) {
    constexpr uint32_t blocks = 2, threads = 45;  // the second warp of a block has 13 lanes
    for (uint32_t seed = 0; seed < 300; ++seed) {
        const Body body = Generator(seed).body(4, false);
        TestDevice gpu({.schedule_seed = seed % 3, .instruction_limit = 20'000'000});
        const std::string ptx = as_ptx(body);
        gpu.load(ptx);
        const auto out = gpu.buffer<uint32_t>(blocks * threads * registers);
        gpu.run("kernel", blocks, threads, {out, 1234 + static_cast<int>(seed)});
        for (uint32_t i = 0; i < blocks * threads; ++i) {
            uint32_t r[registers] = {i, i % threads, i / threads, 77, 1234 + seed, i * 13, threads, 1234 + seed + 9};
            interpret(body, r, threads);
            for (int k = 0; k < registers; ++k)
                ASSERT_EQ(out[i * registers + k], r[k])
                    << "register " << k << " of thread " << i << ", seed " << seed << "\n"
                    << ptx;
        }
        if (testing::Test::HasFailure()) break;
    }
}

}  // namespace
}  // namespace lanescope::machine::test
