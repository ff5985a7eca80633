// The memory of a ring: a file in shared memory that outlives a killed writer, or private memory if there is none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "descriptor.h"
#include "format-spec/src/ring/ring_folders.h"
#include "format-spec/src/ring/ring_layout.h"

namespace evt {

// Address space of a fixed size, of which only committed ranges have memory. Never moves.
class RingMemory {
 public:
  RingMemory() = default;
  RingMemory(const RingMemory&) = delete;
  RingMemory& operator=(const RingMemory&) = delete;

  // Makes the file `name` in a folder of rings and holds the lock by which readers know that its writer lives; false,
  // with the reason in errno.
  bool open_shared(const char* folder, const char* name, std::uint64_t size);
  bool open_private(std::uint64_t size);
  bool shared() const { return path_[0] != '\0'; }
  const char* path() const { return path_; }  // empty: it is private
  std::uint8_t* data() const { return data_; }

  // Commits zeroed memory for a range and touches it, so that a thread that writes there meets neither a page fault nor
  // a full file system; false if there is none left. Any thread, any signal handler.
  bool commit(std::uint64_t offset, std::uint64_t size);

  // Keeps the lock: takes it again if the program closed its descriptor. Regularly marks the file as in use, because
  // its age shows when its writer was killed. Flusher only.
  void keep_alive();

  // Removes the file's name; the memory stays mapped.
  void remove();
  // True if others can find the file by its name.
  bool has_name() const { return shared() && name_leads_to(path_, lock_.id()); }
  // Releases everything. REQUIRES: no thread will touch the memory again.
  void unmap();
  // Releases the lock. In a fork child it is the parent's.
  void detach() { lock_.close(); }

  // A quarter of the free space of a folder; 0 if there is none, with the reason in errno.
  static std::uint64_t fair_share(const char* folder);

 private:
  Descriptor lock_;  // by which memory is had, too
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t touched_at_ns_ = 0;
  char path_[RingFolders::kMaxPath + ring::kMaxName] = "";
};

}  // namespace evt
