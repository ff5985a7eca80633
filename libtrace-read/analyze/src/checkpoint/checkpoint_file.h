// A file of checkpoints: "evtstate", packed states, their table, packed too, and a tail that locates the table. It gets
// its name when complete. Checksums detect accidents; the cache belongs to the user, so no more is needed.
#pragma once

#include <evt/status.h>
#include <evt/trace.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libtrace-read/analyze/src/archive.h"
#include "libtrace-read/core/src/base/unnamed_file.h"

namespace evt {

// Words in the file.
struct PackedWords {
  std::uint64_t offset = 0;
  std::uint32_t size = 0;   // there, in bytes
  std::uint32_t words = 0;  // unpacked
  std::uint32_t crc = 0;    // CRC32C of those bytes
};

struct Checkpoint {
  std::uint32_t session = 0;
  std::int64_t ns = 0;    // all events up to this time are in it, and none after
  bool is_delta = false;  // it is the difference from the one before, which is of the same session
  PackedWords state;
};

// The state at the end of a session, in memory.
struct EndState {
  std::int64_t ns = INT64_MAX;
  std::vector<std::uint64_t> words;  // none if it cannot be kept
};

// REQUIRES, for all members: one thread at a time.
class CheckpointFileWriter {
 public:
  Status open(const std::string& path);
  // Returns its size in bytes, and leaves it out if that is more than `most`. UINT64_MAX: it cannot be kept.
  std::uint64_t append(std::uint32_t session, std::int64_t ns, Archive state, std::uint64_t most);
  // Removes those of a session that are not before this moment.
  void drop(std::uint32_t session, std::int64_t ns) {
    while (!table_.empty() && table_.back().session == session && table_.back().ns >= ns) {
      table_.pop_back();
      before_.reset();
    }
  }
  // Gives the file its name; else returns the first error of any step.
  Status complete(const Trace& trace);

 private:
  PackedWords pack(std::span<const std::uint64_t> words);
  void write(const void* bytes, std::size_t size);

  UnnamedFile file_;
  std::string path_;
  std::uint64_t size_ = 0;
  std::vector<std::byte> packed_;
  std::vector<Checkpoint> table_;  // in the order of sessions, and of time
  std::optional<Archive> before_;  // the last one, unless it was removed since
  unsigned deltas_ = 0;
  Status status_;
};

// Not mapped: if another program shrinks the file, this one must not crash.
class CheckpointFile {
 public:
  CheckpointFile() = default;
  CheckpointFile(const CheckpointFile&) = delete;
  CheckpointFile& operator=(const CheckpointFile&) = delete;
  ~CheckpointFile() { close(); }

  // Returns false if there is no file, or one that is damaged, not a regular file, a link, another user's, of another
  // trace or of another version.
  bool open(const std::string& path, const Trace& trace);
  void close();
  std::span<const Checkpoint> of(std::size_t session) const;
  // Its state; nothing if it is damaged.
  std::optional<Archive> state(const Checkpoint& of) const;

 private:
  std::vector<std::uint64_t> unpack(const PackedWords& from) const;
  bool read_table(const Trace& trace);

  int fd_ = -1;
  std::uint64_t size_ = 0;
  std::vector<Checkpoint> table_;
};

}  // namespace evt
