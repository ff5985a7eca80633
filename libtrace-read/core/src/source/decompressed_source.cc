#include "decompressed_source.h"

#include <evt/decompression.h>
#include <fmt/core.h>

#include <optional>
#include <utility>
#include <vector>

#include "block_scan.h"
#include "foreign_files.h"
#include "trace_source.h"

namespace evt {
namespace {

// Gzip makes of a run of one byte a thousandth, of the most regular traces a hundredth.
constexpr std::uint64_t kMostTimes = 1000;
constexpr std::uint64_t kNeverABomb = 64 << 20;
// Several may be open at a time.
constexpr std::size_t kMostInMemory = kFrontSize;

class Decompressed : public Incoming {
 public:
  Decompressed(std::string name, Decompression::Read compressed)
      : name_(std::move(name)), decompression_(std::move(compressed)) {}

  const Decompression& decompression() const { return decompression_; }

  std::size_t read(std::byte* out, std::size_t size) override { return decompression_.read(out, size); }

  Status accept(Bytes front) const override {
    if (const auto& damage = decompression_.damage(); damage && front.empty()) {
      return {Code::kNotATrace, fmt::format("{} cannot be decompressed: {}", name_, damage->reason), damage->offset};
    }
    // A file that was compressed twice may look like a trace by chance.
    const bool is_read = compression_of(front) == nullptr && may_be_trace(front);
    return is_read ? Status() : not_a_trace(name_ + ", decompressed,", front);
  }

  Status check(std::uint64_t size) const override {
    if (size <= kNeverABomb || size / kMostTimes <= decompression_.taken()) return {};
    return {Code::kNotATrace,
            fmt::format("{} is not a trace: it decompresses to more than {} MiB and {} times its size", name_,
                        kNeverABomb >> 20, kMostTimes)};
  }

 private:
  std::string name_;
  Decompression decompression_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> file) {
  std::byte front[kCompressionFront];
  if (compression_of({front, file->read_at(0, front, sizeof front)}) == nullptr) return file;
  std::uint64_t at = 0;
  Decompressed incoming(file->name(), [&](std::byte* out, std::size_t size) {
    const std::size_t got = file->read_at(at, out, size);
    at += got;
    return got;
  });
  auto spooled = spool(incoming, file->name(), kMostInMemory);
  if (!spooled) return spooled;
  MadeFrom from;
  from.size = file->size();
  if (incoming.decompression().damage()) {
    from.damage.push_back(*incoming.decompression().damage());
    from.damage.front().length = file->size() - from.damage.front().offset;
  }
  (*spooled)->set_made_from(std::move(from));
  return spooled;
}

Result<std::unique_ptr<ByteSource>> spool_decompressed(Incoming& compressed, const std::string& name) {
  std::uint64_t size = 0;
  Decompressed incoming(name, [&](std::byte* out, std::size_t wanted) {
    const std::size_t got = compressed.read(out, wanted);
    size += got;
    return got;
  });
  auto spooled = spool(incoming, name, kMostInMemory);
  if (Status status = compressed.check(size); !status.ok()) return status;
  // How much follows damage is not known: it is not read.
  MadeFrom from;
  from.size = size;
  if (incoming.decompression().damage()) from.damage.push_back(*incoming.decompression().damage());
  if (spooled) (*spooled)->set_made_from(std::move(from));
  return spooled;
}

}  // namespace evt
