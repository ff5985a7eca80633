#include "cmd/convert_input.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "input/trace_inputs.h"

namespace evt::tools {
namespace {

constexpr std::size_t kStep = 256 << 10;

}  // namespace

Result<ConvertInput> ConvertInput::open(const std::string& path, Report& report) {
  if (path != "-" && is_trace_folder(path)) {
    auto opened = open_trace_folder(path);
    if (!opened) return opened.status();
    report.set_unread(path, std::move(opened->problems));
    return ConvertInput(opened->descriptor, path);
  }
  const int fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return Status(Code::kIo, "cannot open " + path + ": " + strerror(errno));
  return ConvertInput(fd, path == "-" ? "standard input" : path);
}

ConvertInput::ConvertInput(ConvertInput&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), name_(std::move(other.name_)) {}

ConvertInput::~ConvertInput() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
}

Status ConvertInput::look(std::size_t size) {
  Status status;
  while (buffer_.size() < std::max(size, kCompressionFront) && more(&status)) {
  }
  if (!status.ok() || compression_of(std::as_bytes(std::span(buffer_))) == nullptr) return status;
  compressed_ = std::exchange(buffer_, {});
  decompression_.emplace([this](std::byte* out, std::size_t wanted) { return read_compressed({out, wanted}); });
  while (buffer_.size() < size && more(&status)) {
  }
  // Of damage those tell who open the descriptor.
  return error_;
}

bool ConvertInput::more(Status* status) {
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kStep);
  const auto to = std::as_writable_bytes(std::span(buffer_)).subspan(before);
  const std::size_t got = decompression_ ? decompression_->read(to.data(), to.size()) : read(to);
  buffer_.resize(before + got);
  if (!error_.ok()) *status = error_;
  if (got == 0 && error_.ok() && decompression_ && decompression_->damage()) {
    const Damage& damage = *decompression_->damage();
    *status = Status(Code::kDamaged, fmt::format("at {}: {}", damage.offset, damage.reason), damage.offset);
  }
  return got > 0;
}

std::size_t ConvertInput::read(std::span<std::byte> to) {
  ssize_t n;
  do {
    n = ::read(fd_, to.data(), to.size());
  } while (n < 0 && errno == EINTR);
  // Of a folder those tell who open it.
  if (n < 0 && errno != EISDIR) error_ = Status(Code::kIo, "cannot read " + name_ + ": " + strerror(errno));
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

std::size_t ConvertInput::read_compressed(std::span<std::byte> to) {
  const std::size_t known = compressed_.copy(reinterpret_cast<char*>(to.data()), to.size(), used_);
  used_ += known;
  std::size_t done = known;
  while (done < to.size()) {
    const std::size_t got = read(to.subspan(done));
    if (got == 0) break;
    done += got;
  }
  if (is_kept_) compressed_.append(reinterpret_cast<const char*>(to.data()) + known, done - known);
  if (is_kept_) used_ = compressed_.size();
  return done;
}

}  // namespace evt::tools
