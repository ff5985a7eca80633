#include "chrome_source.h"

#include <errno.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "chrome_events.h"
#include "chrome_session.h"
#include "libtrace-read/core/src/base/read_at.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {
namespace {

class ChromeSource : public ByteSource {
 public:
  ChromeSource(const ByteSource& file, std::vector<Damage> damage, int fd, std::uint64_t size) : fd_(fd) {
    name_ = file.name();
    spooled_ = file.spooled_bytes();
    made_from_ = file.file_size();
    damage_ = std::move(damage);
    damage_.insert(damage_.end(), file.damage().begin(), file.damage().end());
    size_ = size;
  }
  ChromeSource(const ChromeSource&) = delete;
  ChromeSource& operator=(const ChromeSource&) = delete;
  ~ChromeSource() override { ::close(fd_); }

  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size) override {
    if (offset >= size_) return 0;
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - offset));
    return evt::read_at(fd_, offset, out, size);
  }

 private:
  int fd_;
};

std::string_view without_space(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

}  // namespace

bool is_chrome_json(Bytes front) {
  std::string_view text(reinterpret_cast<const char*>(front.data()), std::min(front.size(), std::size_t{64}));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = without_space(text);
  const bool is_object = text.starts_with('{');
  if (!is_object && !text.starts_with('[')) return false;
  text = without_space(text.substr(1));
  return text.empty() || (is_object ? text[0] == '"' || text[0] == '}' : text[0] == '{' || text[0] == ']');
}

Result<std::unique_ptr<ByteSource>> open_chrome_json(std::unique_ptr<ByteSource> file) {
  chrome::ChromeEvents events(*file);
  if (const Status read = events.run(); !read.ok()) return read;
  const int fd = temporary_file();
  if (fd < 0) {
    return Status(Code::kIo, fmt::format("cannot make a temporary file for {}: {}", file->name(), strerror(errno)));
  }
  std::uint64_t size = 0;
  const auto take = [&](Bytes bytes) {
    size += bytes.size();
    return write_fully(fd, bytes.data(), bytes.size()) ? 0 : errno;
  };
  if (const Status written = chrome::ChromeSession(*file, events).write(take); !written.ok()) {
    ::close(fd);
    return written;
  }
  return {std::make_unique<ChromeSource>(*file, events.damage(), fd, size)};
}

}  // namespace evt
