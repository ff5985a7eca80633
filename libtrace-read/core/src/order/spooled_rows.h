// Rows of unpacked blocks that do not fit in memory, in an unlinked temporary file: a block of which only slices can be
// kept is not unpacked again for each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt {

// Each run of a stream has its place in the file, for rows of the block that it reads. Without a file, because none can
// be made or its disk is full, nothing is kept, and lookups find nothing.
class SpooledRows {
 public:
  // The file is made when the first rows are kept, and has at most `budget` bytes.
  explicit SpooledRows(std::uint64_t budget) : budget_(budget) {}
  SpooledRows(const SpooledRows&) = delete;
  SpooledRows& operator=(const SpooledRows&) = delete;
  ~SpooledRows();

  // Splits the budget among `runs` runs, none of which reads blocks of more than `most_rows` bytes.
  void share_among(std::size_t runs, std::uint64_t most_rows);

  // Identifies what is kept: rows of the block at this offset in the trace, or of a piece of it.
  struct Source {
    std::uint64_t block = 0;
    std::uint32_t piece = 0;
    bool operator==(const Source&) const = default;
  };
  // Keeps the bytes from `start` on, as many as the run has room for, in place of earlier ones.
  void keep(std::size_t run, Source source, std::uint64_t start, const std::byte* rows, std::size_t size);
  // True if it has the byte at `start`.
  bool has(std::size_t run, Source source, std::uint64_t start) const;
  // Copies up to `size` bytes from `start` on; returns how many there were.
  std::size_t read(std::size_t run, Source source, std::uint64_t start, std::byte* out, std::size_t size) const;

 private:
  struct Kept {
    Source source;
    std::uint64_t start = 0;
    std::size_t size = 0;
  };

  std::uint64_t budget_;
  std::size_t share_ = 0;  // bytes for each run
  std::vector<Kept> kept_;
  int fd_ = -1;
};

}  // namespace evt
