// How much memory the command may take: a file that makes more of it out of little gets a sentence, and not all that
// the machine has.
#pragma once

#include <evt/status.h>

#include <cstdint>

namespace evt::tools {

// 192 MiB, and 32 times what the files have that are read. Memory is what `new` hands out; where a sanitizer has its
// own, there is no limit. Beyond it, `new` throws std::bad_alloc. EVT_MEMORY_MIB in the environment replaces the 192.
class MemoryLimit {
 public:
  // From now on, for the files that words of a command line name, and standard input if it is one. Errors: kInvalid, of
  // what the environment asks for.
  static Status begin(int words, const char* const* word);
  // These bytes are read too, which no word names.
  static void allow_for(std::uint64_t bytes);
  // The limit, in bytes.
  static std::uint64_t most();
  // As many more, for what has a limit of its own.
  static void allow(std::uint64_t bytes);
  // An error if the limit is why there was no memory. It is lifted.
  static Status lift();
};

}  // namespace evt::tools
