// A file of checkpoints: "evtstate", a version, packed checkpoints, the directory, and a tail that locates that.
// It takes its place when complete. Checksums find accidents; the cache is the user's own, so no more is asked of it.
#pragma once

#include <evt/status.h>

#include <span>
#include <string>

#include "checkpoint_message.h"
#include "libtrace-read/core/src/base/unnamed_file.h"

namespace evt {

// The most bytes that the directory of a trace of `sessions` sessions takes, both for writer and reader: what reading
// it takes is a few times as much. It is room for some hundred thousand threads, or cells.
constexpr std::size_t most_directory(std::size_t sessions) { return (std::size_t{4} << 20) + sessions * 128; }

// REQUIRES, of all: one thread at a time.
class CheckpointFileWriter {
 public:
  Status open(const std::string& path);
  // Packs and appends; where it is, without its time.
  StoredCheckpoint append(std::span<const std::uint64_t> words);
  std::uint64_t size() const { return size_; }
  // Writes the directory and gives the file its name; else the error is what went wrong with any of it. A directory
  // that would be too large loses its sessions: then nothing is answered from checkpoints.
  Status complete(CheckpointDirectory directory);
  bool is_complete() const { return is_complete_; }

 private:
  void write(const void* bytes, std::size_t size);

  UnnamedFile file_;
  bool is_complete_ = false;
  std::string path_;
  std::uint64_t size_ = 0;
  std::vector<std::byte> planes_;
  std::vector<std::byte> packed_;
  Status status_;
};

// Not mapped: a file that another program makes shorter must not end this one.
class CheckpointFile {
 public:
  CheckpointFile() = default;
  CheckpointFile(const CheckpointFile&) = delete;
  CheckpointFile& operator=(const CheckpointFile&) = delete;
  ~CheckpointFile() { close(); }

  // False when there is none, or what is there is of another version, damaged, of another user, a link or no regular
  // file.
  bool open(const std::string& path, std::size_t sessions);
  void close();
  const CheckpointDirectory& directory() const { return directory_; }
  // Empty when they cannot be unpacked, or claim to be more than `most`.
  std::vector<std::uint64_t> words(const StoredCheckpoint& checkpoint, std::size_t most) const;

 private:
  bool read(std::uint64_t offset, std::span<std::byte> to) const;
  bool read_directory(std::size_t sessions);

  int fd_ = -1;
  std::uint64_t size_ = 0;
  CheckpointDirectory directory_;
};

}  // namespace evt
