#include "pipe.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "foreign_files.h"
#include "trace_source.h"

namespace evt {

Pipe::Pipe(int fd, std::string name, Bytes already_read)
    : fd_(fd), name_(std::move(name)), front_(already_read.begin(), already_read.end()) {
  const std::size_t before = front_.size();
  if (before >= kCompressionFront) return;
  front_.resize(kCompressionFront);
  front_.resize(before + read_on(front_.data() + before, kCompressionFront - before));
}

std::size_t Pipe::read(std::byte* out, std::size_t size) {
  const std::size_t known = std::min(size, front_.size() - used_);
  std::copy_n(front_.begin() + static_cast<std::ptrdiff_t>(used_), known, out);
  used_ += known;
  return known + read_on(out + known, size - known);
}

std::size_t Pipe::read_on(std::byte* out, std::size_t size) {
  std::size_t done = 0;
  while (done < size && error_ == 0) {
    const ssize_t n = ::read(fd_, out + done, size - done);
    if (n == 0) break;
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  return done;
}

Status Pipe::accept(Bytes front) const { return may_be_trace(front) ? Status() : not_a_trace(name_, front); }

Status Pipe::check(std::uint64_t /*size*/) const {
  if (error_ == 0) return {};
  return {Code::kIo, "cannot read " + name_ + ": " + strerror(error_)};
}

}  // namespace evt
