// Any bytes as a compressed file. Small and large steps decompress it to the same bytes, but for the last ones before
// damage; the damage lies inside the file; a trace that opens can be read.
#include <evt/decompression.h>

#include <algorithm>
#include <vector>

#include "reading.h"

namespace {

constexpr std::size_t kMost = 1 << 20;  // decompressed bytes: a bomb takes no longer than others

constexpr std::size_t kMostStep = 256;

struct Unpacked {
  std::vector<std::byte> bytes;
  std::optional<evt::Damage> damage;
};

Unpacked unpacked(evt::Bytes compressed, std::size_t step) {
  evt::Bytes left = compressed;
  evt::Decompression decompression([&left](std::byte* out, std::size_t size) {
    const std::size_t got = std::min(size, left.size());
    std::copy_n(left.begin(), got, out);
    left = left.subspan(got);
    return got;
  });
  Unpacked all;
  std::vector<std::byte> part(step);
  for (std::size_t got = step; got == step && all.bytes.size() < kMost;) {
    got = decompression.read(part.data(), step);
    FUZZ_CHECK(got <= step);
    FUZZ_CHECK(decompression.taken() <= compressed.size());
    all.bytes.insert(all.bytes.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
  }
  all.damage = decompression.damage();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The first byte selects the step; the rest are the file.
  if (size == 0) return 0;
  const evt::Bytes file(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const Unpacked all = unpacked(file, 64 << 10);
  if (evt::compression_of(file) == nullptr) {
    FUZZ_CHECK(all.bytes.empty() && !all.damage);
    return 0;
  }
  if (all.damage) FUZZ_CHECK(all.damage->offset <= file.size() && !all.damage->reason.empty());
  const Unpacked slowly = unpacked(file, std::size_t{1} + data[0]);
  const std::size_t common = std::min({all.bytes.size(), slowly.bytes.size(), kMost});
  FUZZ_CHECK(
      std::equal(all.bytes.begin(), all.bytes.begin() + static_cast<std::ptrdiff_t>(common), slowly.bytes.begin()));
  if (all.bytes.size() < kMost) {
    FUZZ_CHECK(slowly.damage.has_value() == all.damage.has_value());
    // In the call that fails, liblzma returns more or fewer bytes, depending on the step.
    const std::size_t most = std::max(slowly.bytes.size(), all.bytes.size());
    FUZZ_CHECK(most - common <= (all.damage ? kMostStep : 0));
  }

  auto trace = evt::Trace::from_memory(file);
  FUZZ_CHECK(trace.ok() || !trace.status().message().empty());
  if (!trace) return 0;
  FUZZ_CHECK(trace->size() == file.size());
  if (all.damage) FUZZ_CHECK(!trace->status().ok());
  fuzz::read_one_by_one(*trace, false);
  return 0;
}
