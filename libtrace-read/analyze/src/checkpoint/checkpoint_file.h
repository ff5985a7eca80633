// A file of checkpoints: "evtstate", packed states, the table of them, packed too, and a tail that locates that.
// It takes its place when complete. Checksums find accidents; the cache is the user's own, so no more is asked of it.
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
  bool is_delta = false;  // it is what differs from the one before, which is of the same session
  PackedWords state;
};

// REQUIRES, of all: one thread at a time.
class CheckpointFileWriter {
 public:
  Status open(const std::string& path);
  // Returns how many bytes it needs, and leaves it out if that is more than `most`. UINT64_MAX: it cannot be kept.
  std::uint64_t append(std::uint32_t session, std::int64_t ns, Archive state, std::uint64_t most);
  // Leaves out those of a session that are not before this moment.
  void drop(std::uint32_t session, std::int64_t ns) {
    while (!table_.empty() && table_.back().session == session && table_.back().ns >= ns) {
      table_.pop_back();
      before_.reset();
    }
  }
  // Gives the file its name; else the error is what went wrong with any of it.
  Status complete(const Trace& trace);

 private:
  PackedWords pack(std::span<const std::uint64_t> words);
  void write(const void* bytes, std::size_t size);

  UnnamedFile file_;
  std::string path_;
  std::uint64_t size_ = 0;
  std::vector<std::byte> packed_;
  std::vector<Checkpoint> table_;  // in the order of sessions, and of time
  std::optional<Archive> before_;  // the last one, unless that was left out since
  unsigned deltas_ = 0;
  Status status_;
};

// Not mapped: a file that another program makes shorter must not end this one.
class CheckpointFile {
 public:
  CheckpointFile() = default;
  CheckpointFile(const CheckpointFile&) = delete;
  CheckpointFile& operator=(const CheckpointFile&) = delete;
  ~CheckpointFile() { close(); }

  // Returns false if there is no file, or one that is damaged, no regular file, a link, another user's, of another
  // trace or of another version.
  bool open(const std::string& path, const Trace& trace);
  void close();
  std::span<const Checkpoint> of(std::size_t session) const;
  // Its state; nothing when it is damaged.
  std::optional<Archive> state(const Checkpoint& of) const;

 private:
  std::vector<std::uint64_t> unpack(const PackedWords& from) const;
  bool read_table(const Trace& trace);

  int fd_ = -1;
  std::uint64_t size_ = 0;
  std::vector<Checkpoint> table_;
};

}  // namespace evt
