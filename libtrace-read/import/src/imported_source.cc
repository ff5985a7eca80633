#include "imported_source.h"

#include <errno.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "libtrace-read/core/src/base/read_at.h"
#include "libtrace-read/core/src/base/temporary_file.h"

namespace evt {
namespace {

class ImportedSource : public ByteSource {
 public:
  ImportedSource(ImportedFrom from, int fd) : fd_(fd) {
    name_ = std::move(from.name);
    spooled_ = from.spooled;
    made_from_ = from.size;
    damage_ = std::move(from.damage);
    notes_ = std::move(from.notes);
  }
  ImportedSource(const ImportedSource&) = delete;
  ImportedSource& operator=(const ImportedSource&) = delete;
  ~ImportedSource() override { ::close(fd_); }

  // 0, or an errno.
  int append(Bytes bytes) {
    size_ += bytes.size();
    return write_fully(fd_, bytes.data(), bytes.size()) ? 0 : errno;
  }

  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size) override {
    if (offset >= size_) return 0;
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - offset));
    return evt::read_at(fd_, offset, out, size);
  }

 private:
  int fd_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> imported_source(ImportedFrom from,
                                                    const std::function<Status(const TakeBytes&)>& write) {
  const int fd = temporary_file();
  if (fd < 0) {
    return Status(Code::kIo, fmt::format("cannot make a temporary file for {}: {}", from.name, strerror(errno)));
  }
  auto source = std::make_unique<ImportedSource>(std::move(from), fd);
  const Status written = write([&](Bytes bytes) { return source->append(bytes); });
  if (!written.ok()) return written;
  return {std::move(source)};
}

}  // namespace evt
