// The side file in which checkpoints are kept: "evtstate", a version, packed checkpoints, the directory, and a tail
// that says where that is. It is written beside its place and takes it when complete; who reads it believes nothing.
#pragma once

#include <evt/status.h>

#include <span>
#include <string>

#include "state_message.h"

namespace evt {

// REQUIRES, of all: one thread at a time.
class StateFileWriter {
 public:
  ~StateFileWriter();
  StateFileWriter() = default;
  StateFileWriter(const StateFileWriter&) = delete;
  StateFileWriter& operator=(const StateFileWriter&) = delete;

  Status open(const std::string& path);
  // Packs and appends; where it is, without its time.
  StateCheckpoint append(std::span<const std::uint64_t> words);
  std::uint64_t size() const { return size_; }
  // Writes the directory and gives the file its name, or says what went wrong with any of it.
  Status complete(const StateDirectory& directory);

 private:
  void write(const void* bytes, std::size_t size);

  int fd_ = -1;
  std::string path_;
  std::string temporary_;
  std::uint64_t size_ = 0;
  std::vector<std::byte> planes_;
  std::vector<std::byte> packed_;
  Status status_;
};

// Not mapped: a file that another program makes shorter must not end this one.
class StateFile {
 public:
  StateFile() = default;
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;
  ~StateFile() { close(); }

  // False when there is none, or what is there is none of this version, or damaged.
  bool open(const std::string& path);
  void close();
  const StateDirectory& directory() const { return directory_; }
  // Empty when it cannot be unpacked.
  std::vector<std::uint64_t> words(const StateCheckpoint& checkpoint) const;

 private:
  std::vector<std::byte> read(std::uint64_t offset, std::uint64_t size) const;
  bool read_directory();

  int fd_ = -1;
  std::uint64_t size_ = 0;
  StateDirectory directory_;
};

}  // namespace evt
