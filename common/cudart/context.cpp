#include "cudart/context.h"

#include <algorithm>
#include <cstdio>

#include "cudart/capture.h"
#include "cudart/memory_flags.h"
#include "cudart/runtime.h"
#include "cudart/thread_state.h"

namespace lanescope::cudart {

namespace {

constexpr uint64_t device_alignment_bytes = 512;

}  // namespace

Context::Context(Runtime& runtime, const gpus::Gpu& gpu, int index, const machine::DeviceOptions& options)
    : runtime(runtime), device(gpu, *runtime.space, index, options) {
    legacy_stream.context = this;
    legacy_stream.kind = Stream::Kind::legacy;
    legacy_stream.id = 1;
    default_pool.context = this;
    default_pool.is_default = true;
}

const machine::Allocation* Context::allocate(machine::MemoryKind kind, uint64_t bytes, std::string_view call,
                                             unsigned flags) {
    machine::AddressSpace& space = *runtime.space;
    if (kind == machine::MemoryKind::device && bytes > free_bytes()) return nullptr;
    const machine::Allocation* allocation = space.allocate({.kind = kind,
                                                            .bytes = bytes,
                                                            .alignment = device_alignment_bytes,
                                                            .device = index(),
                                                            .flags = flags,
                                                            .name = std::string(call)});
    if (allocation && kind == machine::MemoryKind::device) {
        for (const auto& other : runtime.contexts) {
            if (other->peers >> index() & 1) space.find(allocation->address)->device_mask |= 1u << other->index();
        }
    }
    return allocation;
}

uint64_t Context::free_bytes() const {
    const uint64_t total = static_cast<uint64_t>(gpu().memory_bytes);
    return total - std::min(total, runtime.space->device_bytes_used(index()));
}

Stream& Context::per_thread_stream() {
    Stream*& stream = per_thread_streams_[this_thread().id];
    if (!stream) {
        stream = create_stream(cudaStreamDefault, 0);
        stream->kind = Stream::Kind::per_thread;
    }
    return *stream;
}

Stream* Context::create_stream(unsigned flags, int priority) {
    auto stream = std::make_unique<Stream>();
    stream->context = this;
    stream->flags = flags;
    stream->priority = priority;
    stream->id = runtime.next_stream_id();
    Stream* const handle = stream.get();
    streams_.emplace(handle, std::move(stream));
    return handle;
}

// Its queued work stays in the queue, and the legacy stream keeps waiting for it.
void Context::destroy_stream(Stream* stream) {
    if (stream->last && !stream->last->done() && stream->blocking()) orphans_.push_back(stream->last);
    streams_.erase(stream);
}

void Context::for_each_blocking(const std::function<void(const OperationPointer&)>& visit) {
    std::erase_if(orphans_, [](const OperationPointer& operation) { return operation->done(); });
    for (const OperationPointer& operation : orphans_) visit(operation);
    for (const auto& [handle, stream] : streams_) {
        if (stream->blocking() && stream->last && !stream->last->done()) visit(stream->last);
    }
}

void Context::fail(cudaError_t reason) {
    if (!error) error = reason;
}

void Context::flush_printf() {
    const std::string text = device.take_printf_output();
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void Context::synchronize() {
    runtime.queue.run_all(*this);
    flush_printf();
}

void Context::reset() {
    synchronize();
    // CUDA: after a device fault the process has to be started again. The failure stays.
    runtime.queue.drop(*this);
    runtime.registry.unload(*this);
    std::vector<uint64_t> owned;
    for (const auto& [address, allocation] : runtime.space->live()) {
        const bool host =
            allocation->kind == machine::MemoryKind::pinned || allocation->kind == machine::MemoryKind::registered;
        const bool stream_ordered = pool_of.contains(address);  // cudaMallocAsync's outlive a reset
        if (allocation->device == index() && (host || is_freeable(*allocation)) && !stream_ordered) {
            owned.push_back(address);
        }
    }
    for (const uint64_t address : owned) runtime.space->release(address);
    for (const auto& [handle, stream] : streams_) abandon_capture(*stream);
    streams_.clear();
    per_thread_streams_.clear();
    orphans_.clear();
    legacy_stream.last.reset();
    events.clear();
    peers = 0;
    flags = cudaDeviceScheduleAuto;
    cache_config = cudaFuncCachePreferNone;
}

void release(Runtime& runtime, const machine::Allocation& allocation) {
    auto& pool_of = runtime.contexts[allocation.device]->pool_of;
    if (const auto entry = pool_of.find(allocation.address); entry != pool_of.end()) {
        entry->second->used_bytes -= allocation.bytes;
        pool_of.erase(entry);
    }
    runtime.space->release(allocation.address);
}

}  // namespace lanescope::cudart
