#include "tile.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "byte_cursor.h"

namespace evt::view {
namespace {

constexpr int kWhole = 255;

int share_of(std::uint64_t ns, std::uint64_t width) {
  return static_cast<int>(static_cast<double>(ns) / static_cast<double>(width) * kWhole);
}

void append_float(double number, std::string* to) {
  const auto value = static_cast<float>(number);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  for (unsigned shift = 0; shift < 32; shift += 8) to->push_back(static_cast<char>(bits >> shift));
}

// Columns as texts, of which equal neighbours are one run.
class ColumnRuns {
 public:
  void add(std::string_view text, std::size_t columns = 1) {
    if (columns_ > 0 && text != text_) end_run();
    if (columns_ == 0) text_ = text;
    columns_ += columns;
  }
  // Up to the last column.
  std::string take() {
    end_run();
    return std::move(runs_);
  }

 private:
  void end_run() {
    append_varint(columns_, &runs_);
    runs_ += text_;
    columns_ = 0;
  }

  std::string runs_;
  std::string text_;
  std::size_t columns_ = 0;  // of the last run
};

void set_text(const std::array<std::uint8_t, kKeys>& shares, std::string* text) {
  text->assign(1, '\0');
  for (std::size_t key = 0; key < kKeys; ++key) {
    if (shares[key] == 0) continue;
    ++(*text)[0];
    text->push_back(static_cast<char>(key));
    text->push_back(static_cast<char>(shares[key]));
  }
}

// Columns up to where a run of any share begins or ends are equal: there are few where states last.
std::string states_of(const Track& track, const Scale& scale) {
  std::vector<std::size_t> next(track.shares.size());
  ColumnRuns runs;
  std::string text;
  for (std::uint32_t i = 0, end = 0; i < kTileColumns; i = end) {
    ColumnShares column;
    end = kTileColumns;
    for (std::size_t of = 0; of < next.size(); ++of) {
      const std::vector<Shares::Run>& all = track.shares[of].runs();
      while (next[of] < all.size() && all[next[of]].end() <= i) ++next[of];
      for (std::size_t at = next[of]; at < all.size(); ++at) {
        if (all[at].column > i) {
          end = std::min(end, all[at].column);
          break;
        }
        column.add(static_cast<Key>(all[at].key), all[at].ns);
        end = std::min(end, all[at].end());
      }
    }
    // Several parts that name one cpu may each state that it runs there.
    set_text(column.of(std::max(scale.width(i) * std::max(track.rows, 1u), column.all())), &text);
    runs.add(text, end - i);
  }
  return runs.take();
}

std::string values_of(const Track& track) {
  ColumnRuns runs;
  std::string text;
  for (std::size_t i = 0; i < kTileColumns; ++i) {
    const ValueColumn column = i < track.values.size() ? track.values[i] : ValueColumn();
    text.assign(1, column.is_empty() ? '\0' : '\1');
    if (!column.is_empty()) {
      for (const double value : {column.min, column.max, column.mean()}) append_float(value, &text);
    }
    runs.add(text);
  }
  return runs.take();
}

std::string counts_of(const Track& track) {
  ColumnRuns runs;
  std::string text;
  for (std::size_t i = 0; i < kTileColumns; ++i) {
    text.clear();
    append_varint(i < track.counts.size() ? track.counts[i] : 0, &text);
    runs.add(text);
  }
  return runs.take();
}

// Classes that are not there take no bytes.
std::string classes_of(const Track& track) {
  std::vector<std::string> texts(kTileColumns, std::string(1, '\0'));
  for (std::size_t i = 0; i < track.classes.size(); ++i) {
    for (std::size_t column = 0; column < track.classes[i].size(); ++column) {
      if (track.classes[i][column] == 0) continue;
      ++texts[column][0];
      texts[column].push_back(static_cast<char>(i));
      append_varint(track.classes[i][column], &texts[column]);
    }
  }
  ColumnRuns runs;
  for (const std::string& text : texts) runs.add(text);
  return runs.take();
}

void append_labels(const Track& track, NameIds* names, std::string* to) {
  append_varint(track.labels.size(), to);
  for (const TrackLabel& label : track.labels) {
    append_varint(label.first, to);
    append_varint(label.end - label.first, to);
    append_varint(names->of(label.text), to);
  }
}

void append_bands(const Track& track, std::string* to) {
  std::string all;
  std::size_t count = 0;
  char kind = 0;
  for (const Bands* const bands : {&track.lost, &track.stopped, &track.uncertain, &track.unread}) {
    for (const Bands::Run& run : bands->runs()) {
      all.push_back(kind);
      append_varint(run.first, &all);
      append_varint(run.end - run.first, &all);
      ++count;
    }
    ++kind;
  }
  append_varint(count, to);
  *to += all;
}

std::string payload_of(const Track& track, const Scale& scale, NameIds* names) {
  std::string payload;
  switch (payload_kind(track.kind)) {
    case PayloadKind::kOfValues:
      payload = values_of(track);
      break;
    case PayloadKind::kOfCounts:
      payload = counts_of(track);
      break;
    case PayloadKind::kOfClasses:
      payload = classes_of(track);
      break;
    default:
      payload = states_of(track, scale);
      append_labels(track, names, &payload);
      break;
  }
  append_bands(track, &payload);
  return payload;
}

std::int64_t index_of(std::int64_t ns, unsigned level) { return ns >> (level + kTileBits); }

bool has_both(TimeRange range, unsigned level) {
  return level <= kMostTileLevel && TilePlace{level, index_of(range.from_ns, level)}.is_in_time() &&
         TilePlace{level, index_of(range.to_ns, level)}.is_in_time();
}

}  // namespace

std::array<std::uint8_t, kKeys> ColumnShares::of(std::uint64_t width) const {
  std::array<std::uint8_t, kKeys> found{};
  if (is_empty()) return found;
  std::size_t largest = 0;
  int sum = 0;
  for (std::size_t key = 0; key < kKeys; ++key) {
    if (ns_[key] == 0) continue;
    found[key] = static_cast<std::uint8_t>(std::clamp(share_of(ns_[key], width), 1, kWhole));
    sum += found[key];
    if (ns_[key] > ns_[largest]) largest = key;
  }
  const int all = all_ >= width ? kWhole : std::min(share_of(all_, width), kWhole - 1);
  found[largest] = static_cast<std::uint8_t>(std::max(1, found[largest] + all - sum));
  return found;
}

PayloadKind payload_kind(TrackKind kind) {
  switch (kind) {
    case TrackKind::kSpan:
    case TrackKind::kTracer:
    case TrackKind::kAsync:
      return PayloadKind::kOfSpans;
    case TrackKind::kCounter:
      return PayloadKind::kOfValues;
    case TrackKind::kMark:
    case TrackKind::kEvents:
    case TrackKind::kObject:
    case TrackKind::kSamples:
      return PayloadKind::kOfCounts;
    case TrackKind::kSparks:
      return PayloadKind::kOfClasses;
    default:
      return PayloadKind::kOfStates;
  }
}

bool TilePlace::is_in_time() const {
  if (level > kMostTileLevel) return false;
  const std::int64_t most = INT64_MAX >> (level + kTileBits);
  return index >= -most && index < most;
}

Scale TilePlace::scale() const { return Scale::of_level(level, index * kTileColumns, kTileColumns); }

TileRow TileRow::of(const Track& track, const Scale& scale, NameIds* names) {
  return {static_cast<std::uint8_t>(payload_kind(track.kind)), payload_of(track, scale, names)};
}

TileRow TileRow::empty(TrackKind kind) {
  Track track;
  track.kind = kind;
  NameIds none;
  return of(track, TilePlace().scale(), &none);
}

Tile::Tile(TilePlace place, std::uint64_t generation) : bytes_("EVTT\1") {
  bytes_.push_back(static_cast<char>(place.level));
  append_zigzag(place.index, &bytes_);
  append_varint(generation, &bytes_);
}

void Tile::add(std::uint32_t id, const TileRow& row, bool is_partial) {
  append_varint(id, &bytes_);
  bytes_.push_back(static_cast<char>(row.kind));
  bytes_.push_back(is_partial ? 1 : 0);
  append_varint(row.payload.size(), &bytes_);
  bytes_ += row.payload;
}

TilesOfLevel::TilesOfLevel(TimeRange range, unsigned of_level)
    : level(of_level), first(index_of(range.from_ns, of_level)), last(index_of(range.to_ns, of_level)) {}

unsigned whole_level(TimeRange range) {
  const std::uint64_t length = ns_between(range.from_ns, range.to_ns);
  unsigned level = 0;
  while (length >> (level + kTileBits) != 0) ++level;
  return level;
}

unsigned coarsest_level(TimeRange range, unsigned coarser) {
  unsigned level = whole_level(range) + coarser;
  while (level > 0 && !has_both(range, level)) --level;
  return level;
}

}  // namespace evt::view
