// An allocator that is preloaded and has some of the operators of C++: what it hands out, only its own take back. Its
// size of a block asks for memory, the first time.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kFront = 64;

void* made(std::size_t size) {
  char* const memory = static_cast<char*>(std::malloc(size + kFront));
  return memory != nullptr ? memory + kFront : nullptr;
}

}  // namespace

void* operator new[](std::size_t size) { return made(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return made(size); }
void* operator new(std::size_t size, std::align_val_t) { return made(size); }
void operator delete(void* memory) noexcept { std::free(static_cast<char*>(memory) - kFront); }
void operator delete(void* memory, std::size_t) noexcept { std::free(static_cast<char*>(memory) - kFront); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(static_cast<char*>(memory) - kFront); }

extern "C" std::size_t malloc_usable_size(void* memory) {
  static char* const kept = new char;
  return memory != nullptr && kept != nullptr ? 48 : 0;
}
