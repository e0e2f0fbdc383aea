// Grades aos_to_soa: that no particle is lost or changed, then what each function touches for it.
#include <algorithm>
#include <cstring>
#include <ostream>

#include "aos_to_soa.h"
#include "grading/graded_test.h"

using namespace lanescope::grading;

// Bit for bit: a NaN is a value that must be kept.
bool operator==(const Particle& a, const Particle& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
std::ostream& operator<<(std::ostream& out, const Particle& p) {
    return out << "{x " << p.x << ", y " << p.y << ", z " << p.z << ", vx " << p.vx << ", vy " << p.vy << ", vz "
               << p.vz << ", mass " << p.mass << ", id " << p.id << '}';
}

namespace {

// All numbers have few binary digits, so that z += vz * seconds is exact with or without a fused multiply-add. An
// id has more than a float can hold.
std::vector<Particle> particles_of(int n, int seed) {
    std::vector<Particle> particles(n);
    for (int i = 0; i < n; ++i) {
        const float k = static_cast<float>((i + seed) % 4096);
        particles[i] = {k,          -k - 0.5f,   0.125f * k, k + 0.25f,
                        -k + 0.75f, k / 4 - 512, k + 3,      2'000'000'001 - 7 * i - seed};
        if (i % 97 == 5) particles[i].mass = std::numeric_limits<float>::quiet_NaN();
    }
    return particles;
}

std::vector<Particle> fallen(std::vector<Particle> particles, float seconds) {
    for (Particle& p : particles) p.z += p.vz * seconds;
    return particles;
}

// A swarm in memory that held other bytes before, what must be in it, and what the three functions did.
class Swarm {
public:
    Swarm(int n, int seed, const std::string& note = "")
        : input_(text("n = ", n, note)), n_(n), particles_(particles_of(n, seed)), memory_(filled_memory()) {}

    void pack() {
        const DeviceArray<Particle> particles(particles_);
        count(packed, "pack", [&] { return ::pack(particles.data(), n_, memory_.data()); });
        expect_equal(particles.values(), particles_, "particles after pack", input_);
    }

    void fall(float seconds) {
        count(fell, "fall", [&] { return ::fall(memory_.data(), n_, seconds); });
        particles_ = fallen(particles_, seconds);
    }

    // And looks at what comes back. With `behind` particles behind the array; with none its allocation ends where it
    // ends, so that an access further on is an error.
    void unpack(int behind, const std::string& what) {
        const Particle poison{-1, -2, -3, -4, -5, -6, -7, -8};
        const DeviceArray<Particle> array(std::vector<Particle>(n_ + behind, poison));
        count(unpacked, "unpack", [&] { return ::unpack(memory_.data(), n_, array.data()); });
        const std::vector<Particle> result = array.values();
        expect_equal(std::vector<Particle>(result.begin(), result.begin() + n_), particles_, what, input_);
        expect_equal(std::vector<Particle>(result.begin() + n_, result.end()), std::vector<Particle>(behind, poison),
                     "what lies behind the particles", input_);
    }

    lanescope::Counts packed, fell, unpacked;

private:
    std::vector<unsigned char> filled_memory() const {
        const std::size_t bytes = swarm_bytes(n_), most = sizeof(Particle) * n_ + 4096;
        expect_at_most(bytes, most, "swarm_bytes", "32 for each particle, and 4096", input_);
        return std::vector<unsigned char>(bytes, 0xFF);
    }

    template <class Call>
    void count(lanescope::Counts& counts, const char* name, Call&& call) {
        cudaError_t error = cudaSuccess;
        counts = lanescope::count([&] { error = call(); });
        expect_success(error, name, input_);
        expect_at_most(counts.copied_to_host_bytes, 0, text("bytes that ", name, " copied to the host"),
                       "the swarm stays on the GPU", input_);
    }

    std::string input_;
    int n_;
    std::vector<Particle> particles_;
    DeviceArray<unsigned char> memory_;
};

constexpr int sizes[] = {0, 1, 2, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1025};
constexpr int large = 1 << 16;
constexpr char first_right[] = "\nsectors are looked at when the particles are right";

void expect_many_threads(const lanescope::Counts& counts, int n, std::uint64_t most_instructions,
                         const std::string& input) {
    std::uint64_t threads = 0;
    for (const auto& launch : counts.launches) threads += launch.blocks() * launch.threads_per_block();
    expect_at_most(n / std::max<std::uint64_t>(threads, 1), 32, "particles for each thread launched",
                   "so that thousands of threads share the work", input);
    expect_at_most(counts.busiest_warp_instructions, most_instructions, "instructions of the busiest warp",
                   "room for 32 rounds of a loop", input);
}

// A swarm that has been packed, has fallen, and was right. In fall 32 particles need 128 bytes of z and 128 of vz: 4
// sectors each. Then the new z: 4 sectors.
void expect_lean_fall(Swarm& swarm, int n) {
    swarm.pack();
    swarm.fall(0.5f);
    swarm.unpack(0, "particles after pack, fall and unpack");
    const std::string input = text("fall of n = ", n);
    const std::uint64_t loaded = swarm.fell.global_load.requested_bytes, bytes = 2 * sizeof(float) * n;
    const std::uint64_t array = (n + 7) / 8;   // sectors of one float for each particle
    expect_at_most(loaded < bytes ? bytes - loaded : 0, 0, "bytes of z and vz that no kernel loaded",
                   "the GPU does the work", input);
    expect_at_most(swarm.fell, global_load_sectors, 2 * array + array / 50,
                   "one for 8 of z or of vz, and 1 % for edges", input);
    expect_at_most(swarm.fell, global_store_sectors, array + array / 100, "one for 8 of z, and 1 % for edges", input);
    expect_many_threads(swarm.fell, n, 1000, input);
}

__global__ void write_to(int* address) { *address = 1; }

}  // namespace

GRADED_TEST(KeepsParticles, 2, "A structure of arrays") {
    for (int n : sizes) {
        Swarm swarm(n, 1);
        swarm.pack();
        for (int behind : {20, 0}) swarm.unpack(behind, "particles after pack and unpack");
    }
    Swarm swarm(large + 77, 1);
    swarm.pack();
    swarm.unpack(0, "particles after pack and unpack");
}

GRADED_TEST(FallsAsAsked, 1, "A structure of arrays") {
    for (int n : sizes) {
        Swarm swarm(n, 2), other(n + 3, 3);   // two at a time
        swarm.pack();
        other.pack();
        for (float seconds : {0.5f, 0.25f, -2.0f}) swarm.fall(seconds);
        swarm.unpack(0, "particles after pack, three times fall, and unpack");
        other.fall(1);
        other.unpack(0, "particles of a second swarm after pack, fall and unpack");
    }
}

GRADED_TEST(TouchesOnlyWhatItNeeds, 4, "A structure of arrays") {
    SKIP_WITHOUT_COUNTERS();
    Swarm swarm(large, 0, first_right);
    expect_lean_fall(swarm, large);
}

// Where n is no multiple of 8, the array of z does not begin with a sector unless something is left free before it.
GRADED_TEST(IsAlignedForEverySize, 2, "A structure of arrays") {
    SKIP_WITHOUT_COUNTERS();
    for (int n : {large + 1, large - 3}) {
        Swarm swarm(n, 0, first_right);
        expect_lean_fall(swarm, n);
    }
}

// A particle is a sector. Loading particles field by field touches each sector eight times. Two vector loads of
// 16 bytes touch it twice, and by way of shared memory once; the arrays then have as many sectors as the particles.
GRADED_TEST(ConvertsWithoutWaste, 2, "An array of structures") {
    SKIP_WITHOUT_COUNTERS();
    constexpr Counter global_sectors{"global load and store sectors", [](const lanescope::MemoryCounts& c) {
                                         return c.global_load.sectors + c.global_store.sectors;
                                     }};
    Swarm swarm(large, 0, first_right);
    expect_lean_fall(swarm, large);
    const char reason[] = "three for a particle, where two are the least, and some for edges";
    for (const auto* counts : {&swarm.packed, &swarm.unpacked}) {
        const std::string input = text(counts == &swarm.packed ? "pack" : "unpack", " of n = ", large);
        const std::uint64_t bytes = sizeof(Particle) * large;
        expect_at_most(bytes - std::min(bytes, counts->global_load.requested_bytes), 0,
                       "bytes of particles that no kernel loaded", "kernels convert", input);
        expect_at_most(bytes - std::min(bytes, counts->global_store.requested_bytes), 0,
                       "bytes of particles that no kernel stored", "kernels convert", input);
        expect_at_most(*counts, global_sectors, 3 * large + large / 20, reason, input);
        expect_many_threads(*counts, large, 10'000, input);
    }
}

GRADED_TEST(ReturnsErrors, 1, "A structure of arrays") {
    const DeviceArray<Particle> particles(particles_of(100, 0));
    const DeviceArray<unsigned char> swarm(std::vector<unsigned char>(swarm_bytes(100)));
    write_to<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();   // from now on every launch reports what that kernel did
    const std::string input = "n = 100, after a kernel that wrote to an illegal address";
    expect_error(pack(particles.data(), 100, swarm.data()), cudaErrorIllegalAddress, "pack", input);
    expect_error(fall(swarm.data(), 100, 1), cudaErrorIllegalAddress, "fall", input);
    expect_error(unpack(swarm.data(), 100, particles.data()), cudaErrorIllegalAddress, "unpack", input);
}
