// Rows of compressed blocks that were unpacked and have no room in memory, in an unlinked temporary file: a block of
// which only slices can be kept is not unpacked anew for each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt {

// Each run of a stream has its place in the file, for rows of the block that it reads. Without a file, because there
// is none to be had or its disk is full, nothing is kept, and what is asked for is not there.
class SpooledRows {
 public:
  // The file is made when the first rows are kept, and reaches `budget` bytes at most.
  explicit SpooledRows(std::uint64_t budget) : budget_(budget) {}
  SpooledRows(const SpooledRows&) = delete;
  SpooledRows& operator=(const SpooledRows&) = delete;
  ~SpooledRows();

  // There are `runs` runs, none of which reads blocks of more than `most_rows` bytes.
  void share_among(std::size_t runs, std::uint64_t most_rows);

  // What is kept: rows of the block at this offset in the trace, or of a piece of it.
  struct Source {
    std::uint64_t block = 0;
    std::uint32_t piece = 0;
    bool operator==(const Source&) const = default;
  };
  // Keeps the bytes from `start` on, as many as the run has room for, instead of what it had.
  void keep(std::size_t run, Source source, std::uint64_t start, const std::byte* rows, std::size_t size);
  // Whether it has the byte at `start`.
  bool has(std::size_t run, Source source, std::uint64_t start) const;
  // Copies up to `size` bytes from `start` on; how many there were.
  std::size_t read(std::size_t run, Source source, std::uint64_t start, std::byte* out, std::size_t size) const;

 private:
  struct Kept {
    Source source;
    std::uint64_t start = 0;
    std::size_t size = 0;
  };

  std::uint64_t budget_;
  std::size_t share_ = 0;  // of each run
  std::vector<Kept> kept_;
  int fd_ = -1;
};

}  // namespace evt
