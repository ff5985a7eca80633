// Sorts rows of any size by time; they may exceed memory.
#pragma once

#include <evt/session.h>

#include <cstdint>
#include <vector>

namespace evt {

// Takes all of them, then returns them. Rows that do not fit in memory are sorted in runs, which go to an unlinked
// temporary file.
class RowSort {
 public:
  explicit RowSort(std::size_t in_memory) : in_memory_(in_memory) {}
  RowSort(const RowSort&) = delete;
  RowSort& operator=(const RowSort&) = delete;
  ~RowSort();

  struct Row {
    std::int64_t ns = 0;
    std::uint64_t rank = 0;  // among those of one time: the lowest first; those of one rank in the order of add()
    Bytes bytes;
  };
  // Returns false, with errno set, if there is no room for it.
  bool add(const Row& row);
  // Ends adding. Returns false like add().
  bool finish();
  // The next one, valid until the next call; null after the last, and if the file cannot be read.
  const Row* next();
  // True if all came: false after a file that could not be read.
  bool ok() const { return is_whole_; }

 private:
  struct Place {
    std::int64_t ns;
    std::uint64_t rank;
    std::size_t offset;
    std::size_t size;
  };
  struct Run {
    std::uint64_t at = 0;  // in the file, after what is in the buffer
    std::uint64_t end = 0;
    std::vector<std::byte> buffer;
    std::size_t used = 0;  // bytes of the buffer before the next row
    Row row;
  };

  void sort();
  bool write_run();
  bool read(Run* run);
  bool ensure(Run* run, std::size_t size);

  std::size_t in_memory_;
  std::vector<std::byte> bytes_;
  std::vector<Place> places_;
  std::size_t at_ = 0;
  std::vector<Run> runs_;
  std::vector<std::size_t> heap_;  // indexes of runs; the one with the earliest row first
  std::size_t buffer_size_ = 0;
  std::uint64_t written_ = 0;
  int fd_ = -1;
  bool is_whole_ = true;
  bool has_begun_ = false;
  Row row_;
};

}  // namespace evt
