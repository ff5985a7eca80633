#include "tile_check.h"

#include <cmath>

#include "byte_cursor.h"
#include "tile.h"

namespace evt::view {
namespace {

constexpr unsigned kWholeColumn = 255;
constexpr unsigned kBandKinds = 4;

// Calls f for each run of columns, until there are all.
template <typename F>
void check_runs(ByteCursor& bytes, F f) {
  for (std::uint64_t columns = 0; bytes.ok() && columns < kTileColumns;) {
    const std::uint64_t run = bytes.varint_to(kTileColumns - columns);
    if (run == 0) bytes.fail();
    columns += run;
    f();
  }
}

// Columns, of which there is one at least, and their end is in the tile.
void check_stretch(ByteCursor& bytes) {
  const std::uint64_t first = bytes.varint_to(kTileColumns - 1);
  if (bytes.varint_to(kTileColumns - first) == 0) bytes.fail();
}

// In order of keys.
void check_shares(ByteCursor& bytes) {
  int before = -1;
  unsigned sum = 0;
  for (unsigned n = bytes.u8(); n > 0 && bytes.ok(); --n) {
    const int key = bytes.u8();
    const unsigned share = bytes.u8();
    sum += share;
    if (key <= before || key >= kKeys || share == 0 || sum > kWholeColumn) bytes.fail();
    before = key;
  }
}

void check_value(ByteCursor& bytes) {
  const unsigned is_there = bytes.u8();
  if (is_there > 1) bytes.fail();
  for (unsigned i = 0; i < 3 * is_there; ++i) {
    if (std::isnan(bytes.f32())) bytes.fail();
  }
}

void check_classes(ByteCursor& bytes) {
  int before = -1;
  for (unsigned n = bytes.u8(); n > 0 && bytes.ok(); --n) {
    const int spark_class = bytes.u8();
    if (spark_class <= before || spark_class >= static_cast<int>(kSparkClasses) || bytes.varint() == 0) bytes.fail();
    before = spark_class;
  }
}

void check_labels(ByteCursor& bytes, std::size_t names) {
  for (std::size_t n = bytes.count(); n > 0 && bytes.ok(); --n) {
    check_stretch(bytes);
    if (bytes.varint() >= names) bytes.fail();
  }
}

void check_bands(ByteCursor& bytes) {
  for (std::size_t n = bytes.count(); n > 0 && bytes.ok(); --n) {
    if (bytes.u8() >= kBandKinds) bytes.fail();
    check_stretch(bytes);
  }
}

}  // namespace

bool is_payload(TrackKind kind, std::string_view payload, std::size_t names) {
  ByteCursor bytes(payload);
  switch (payload_kind(kind)) {
    case PayloadKind::kOfValues:
      check_runs(bytes, [&] { check_value(bytes); });
      break;
    case PayloadKind::kOfCounts:
      check_runs(bytes, [&] { bytes.varint(); });
      break;
    case PayloadKind::kOfClasses:
      check_runs(bytes, [&] { check_classes(bytes); });
      break;
    default:
      check_runs(bytes, [&] { check_shares(bytes); });
      check_labels(bytes, names);
      break;
  }
  check_bands(bytes);
  return bytes.is_at_end();
}

}  // namespace evt::view
