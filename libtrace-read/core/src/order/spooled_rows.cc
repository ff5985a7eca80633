#include "spooled_rows.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>

#include "libtrace-read/core/src/base/read_at.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {

SpooledRows::~SpooledRows() {
  if (fd_ >= 0) ::close(fd_);
}

void SpooledRows::share_among(std::size_t runs, std::uint64_t most_rows) {
  share_ = static_cast<std::size_t>(std::min(most_rows, budget_ / std::max<std::size_t>(1, runs)));
  kept_.resize(share_ == 0 ? 0 : runs);
}

void SpooledRows::keep(std::size_t run, Source source, std::uint64_t start, const std::byte* rows, std::size_t size) {
  if (share_ == 0) return;
  if (fd_ < 0) fd_ = temporary_file();
  Kept& to = kept_[run];
  to = {source, start, 0};
  size = std::min(size, share_);
  while (fd_ >= 0 && to.size < size) {
    const auto at = static_cast<off_t>(std::uint64_t{run} * share_ + to.size);
    const ssize_t n = ::pwrite(fd_, rows + to.size, size - to.size, at);
    if (n > 0) to.size += static_cast<std::size_t>(n);
    if (n == 0 || (n < 0 && errno != EINTR)) break;
  }
  if (to.size < size) share_ = 0;  // it would fail again for each block
}

bool SpooledRows::has(std::size_t run, Source source, std::uint64_t start) const {
  if (share_ == 0) return false;
  const Kept& kept = kept_[run];
  return kept.source == source && start >= kept.start && start - kept.start < kept.size;
}

std::size_t SpooledRows::read(std::size_t run, Source source, std::uint64_t start, std::byte* out,
                              std::size_t size) const {
  if (!has(run, source, start)) return 0;
  const Kept& from = kept_[run];
  const std::uint64_t skipped = start - from.start;
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, from.size - skipped));
  return read_at(fd_, std::uint64_t{run} * share_ + skipped, out, size);
}

}  // namespace evt
