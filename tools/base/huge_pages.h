// Asks for huge pages for what malloc hands out: each page that is touched first costs a fault, which takes longer than
// filling it, and a large trace needs thousands. It matters where the kernel waits to be asked (transparent_hugepage is
// "madvise"); where it always gives them, or never, asking changes nothing.
#pragma once

#include <cstddef>

namespace evt::tools {

// A process that needs a few MiB keeps ordinary pages. Any thread may call note().
class HugePages {
 public:
  // Makes malloc take memory from the system in large pieces, and keep it. Does nothing where the memory of a process
  // is limited (ulimit -v, -d). Before there are threads.
  static void begin();
  // malloc() handed out these bytes.
  static void note(const void* memory, std::size_t size);
};

}  // namespace evt::tools
