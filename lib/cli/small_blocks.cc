// operator new and delete of the program. An analysis allocates tens of thousands of small blocks and frees most of
// them soon; here each costs a few instructions and has no header. Blocks are cut from chunks of equal size, chunks
// from one range of addresses. A thread reuses the blocks it freed; those it holds when it ends are lost. malloc serves
// large blocks, and all of them where the system grants no such range. Builds with sanitizers, which bring their own
// allocator, leave this file out.
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr size_t kStep = 16;  // alignment of a block; its size is a multiple of it
constexpr size_t kMaxBytes = 1024;
constexpr size_t kChunkBytes = size_t{32} << 10;
constexpr size_t kChunks = size_t{512} << 10;
constexpr size_t kRangeBytes = kChunks * kChunkBytes;
constexpr size_t kSmallPages = size_t{32} << 20;  // larger graphs get their pages by the megabyte

struct Block {
  Block* next;
};

// A thread's free blocks of one size.
struct Stock {
  Block* given_back = nullptr;
  char* begin = nullptr;  // of the part not cut yet
  char* end = nullptr;
};

constinit thread_local Stock stocks[kMaxBytes / kStep + 1];
constinit std::atomic<char*> range = nullptr;
constinit std::atomic<size_t> num_chunks = 0;
constinit uint8_t steps_of[kChunks] = {};  // by chunk

// Null where the system grants none; then nothing tries again.
char* Range() {
  char* known = range.load(std::memory_order_relaxed);
  if (known != nullptr) return known;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const got = ::mmap(nullptr, kRangeBytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (got == MAP_FAILED) {
    num_chunks.store(kChunks, std::memory_order_relaxed);
    return nullptr;
  }
  char* const made = static_cast<char*>(got);
  if (!range.compare_exchange_strong(known, made)) {
    ::munmap(got, kRangeBytes);
    return known;
  }
  ::madvise(made + kSmallPages, kRangeBytes - kSmallPages, MADV_HUGEPAGE);
  return made;
}

bool Restock(size_t steps, Stock& stock) {
  if (num_chunks.load(std::memory_order_relaxed) >= kChunks) return false;
  char* const first = Range();
  if (first == nullptr) return false;
  const size_t chunk = num_chunks.fetch_add(1, std::memory_order_relaxed);
  if (chunk >= kChunks) return false;
  steps_of[chunk] = static_cast<uint8_t>(steps);
  stock.begin = first + chunk * kChunkBytes;
  stock.end = stock.begin + kChunkBytes / (steps * kStep) * (steps * kStep);
  return true;
}

void* Allocate(size_t size) {
  for (;;) {
    if (void* const block = std::malloc(size)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

void* operator new(size_t size) {
  if (size > kMaxBytes) return Allocate(size);
  const size_t steps = size == 0 ? 1 : (size + kStep - 1) / kStep;
  Stock& stock = stocks[steps];
  if (Block* const block = stock.given_back) {
    stock.given_back = block->next;
    return block;
  }
  if (stock.begin == stock.end && !Restock(steps, stock)) return Allocate(size);
  char* const block = stock.begin;
  stock.begin += steps * kStep;
  return block;
}

void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  const auto first = reinterpret_cast<uintptr_t>(range.load(std::memory_order_relaxed));
  const size_t offset = reinterpret_cast<uintptr_t>(block) - first;
  if (offset >= kRangeBytes) {
    std::free(block);
    return;
  }
  Stock& stock = stocks[steps_of[offset / kChunkBytes]];
  stock.given_back = new (block) Block{stock.given_back};
}

void operator delete(void* block, size_t) noexcept { operator delete(block); }
