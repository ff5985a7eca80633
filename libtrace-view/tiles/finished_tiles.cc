#include "finished_tiles.h"

#include <charconv>
#include <set>
#include <utility>

#include "byte_cursor.h"
#include "libtrace-view/rows/async_rows.h"
#include "tile_check.h"

namespace evt::view {
namespace {

constexpr std::string_view kMagic("EVTF\5", 5);
// Rows and lanes have numbers of 32 bits.
constexpr std::uint64_t kMostId = UINT32_MAX - 1;

void append_sized(std::string_view text, std::string* to) {
  append_varint(text.size(), to);
  *to += text;
}

// A number as keys have it, up to the next '/' or the end.
std::optional<std::uint64_t> take_number(std::string_view& key) {
  const std::string_view digits = key.substr(0, key.find('/'));
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_shortest = digits == "0" || !digits.starts_with('0');
  if (error != std::errc() || end != digits.data() + digits.size() || !is_shortest) return std::nullopt;
  key.remove_prefix(digits.size());
  return number;
}

bool take_word(std::string_view& key, std::string_view word) {
  if (!key.starts_with(word)) return false;
  key.remove_prefix(word.size());
  return true;
}

// word/N with a number below `end`, and nothing behind it.
bool is_numbered(std::string_view key, std::string_view word, std::uint64_t end) {
  if (!take_word(key, word)) return false;
  const auto number = take_number(key);
  return number && *number < end && key.empty();
}

bool is_key_of(TrackKind kind, std::string_view key, std::size_t streams) {
  switch (kind) {
    case TrackKind::kCpus:
      return key == "cpus";
    case TrackKind::kCpu:
      return is_numbered(key, "cpu/", kMostId);
    case TrackKind::kThread:
      return is_numbered(key, "thread/", kMostId);
    case TrackKind::kSamples:
      return is_numbered(key, "samples/", kMostId);
    case TrackKind::kSpan:
      return take_word(key, "span/") && take_number(key) && is_numbered(key, "/", SpanRows::kMaxDepth);
    case TrackKind::kCounter: {
      if (!take_word(key, "counter/")) return false;
      const auto stream = take_number(key);
      return stream && *stream < streams && key.starts_with('/');
    }
    case TrackKind::kMark:
      return key == "marks";
    case TrackKind::kEvents:
      return is_numbered(key, "events/", streams);
    case TrackKind::kSparks:
      return is_numbered(key, "sparks/", streams);
    case TrackKind::kObject:
      return key == "object/others" || is_numbered(key, "object/", kMostId);
    case TrackKind::kTracer:
      return key == "tracer";
    case TrackKind::kAsync: {
      if (!take_word(key, "async/")) return false;
      const auto group = take_number(key);
      return group && *group <= AsyncRows::kMostNames && is_numbered(key, "/", AsyncRows::kMaxLanes + 1);
    }
    default:
      return false;
  }
}

class FinishedReading {
 public:
  FinishedReading(std::string_view bytes, std::int64_t last_ns, std::size_t streams)
      : bytes_(bytes), last_ns_(last_ns), streams_(streams) {}

  std::optional<FinishedTiles> all() {
    for (const char c : kMagic) {
      if (bytes_.u8() != static_cast<std::uint8_t>(c)) return std::nullopt;
    }
    finished_.generation = bytes_.varint();
    finished_.until_ns = bytes_.zigzag();
    finished_.has_jumps = bytes_.varint_to(1) == 1;
    finished_.layout.range = {bytes_.zigzag(), bytes_.zigzag()};
    if (finished_.layout.range.to_ns != last_ns_ || finished_.layout.range.from_ns > last_ns_) bytes_.fail();
    take_names();
    take_ids();
    take_rows();
    take_groups();
    take_plans();
    take_levels();
    return bytes_.is_at_end() ? std::optional(std::move(finished_)) : std::nullopt;
  }

 private:
  void take_names() {
    for (std::size_t n = bytes_.count(), i = 0; i < n && bytes_.ok(); ++i) {
      if (finished_.layout.names.of(std::string(bytes_.text())) != i) bytes_.fail();
    }
  }
  void take_ids() {
    std::set<std::string> keys;
    for (std::size_t n = bytes_.count(); n > 0 && bytes_.ok(); --n) {
      FinishedTiles::Id id{std::string(bytes_.text()), static_cast<TrackKind>(bytes_.u8())};
      if (!is_key_of(id.kind, id.key, streams_) || !keys.insert(id.key).second) bytes_.fail();
      finished_.ids.push_back(std::move(id));
    }
  }
  void take_rows() {
    std::set<std::uint64_t> known;
    for (std::size_t n = bytes_.count(); n > 0 && bytes_.ok(); --n) {
      LayoutRow row;
      const std::uint64_t id = bytes_.varint();
      row.name = bytes_.text();
      row.of = static_cast<std::uint32_t>(bytes_.varint_to(UINT32_MAX));
      row.unit = bytes_.text();
      row.group = static_cast<std::uint32_t>(bytes_.varint_to(UINT32_MAX)) - 1;
      if (id >= finished_.ids.size() || !known.insert(id).second) return bytes_.fail();
      row.id = static_cast<std::uint32_t>(id);
      row.key = finished_.ids[id].key;
      row.kind = finished_.ids[id].kind;
      finished_.layout.rows.push_back(std::move(row));
    }
  }
  void take_groups() {
    for (std::size_t n = bytes_.count(); n > 0 && bytes_.ok(); --n) {
      std::string title(bytes_.text());
      const bool is_process = bytes_.varint_to(1) == 1;
      finished_.layout.groups.push_back({std::move(title), is_process, bytes_.varint_to(1) == 1});
    }
  }
  void take_plans() {
    for (std::size_t n = bytes_.count(); n > 0 && bytes_.ok(); --n) {
      finished_.layout.lanes.push_back(static_cast<std::size_t>(bytes_.varint_to(kMostId)) - 1);
    }
    for (std::size_t n = bytes_.count(); n > 0 && bytes_.ok(); --n) {
      finished_.layout.objects.push_back(static_cast<std::uint32_t>(bytes_.varint_to(kMostId)));
    }
  }
  void take_levels() {
    auto level = static_cast<unsigned>(bytes_.varint_to(kMostTileLevel));
    const auto levels = static_cast<unsigned>(bytes_.varint_to(level + 1));
    if ((finished_.ids.empty() && levels > 0) || (levels == 0 && level > 0)) bytes_.fail();
    for (unsigned n = 0; n < levels && bytes_.ok(); ++n, --level) {
      const TilesOfLevel tiles(finished_.layout.range, level);
      const bool is_in_time = TilePlace{level, tiles.first}.is_in_time() && TilePlace{level, tiles.last}.is_in_time();
      // Each tile takes some bytes for each id.
      const auto most = static_cast<std::int64_t>(bytes_.left() / (finished_.ids.size() + 1)) + 1;
      if (!is_in_time || tiles.count() > most) return bytes_.fail();
      finished_.levels.push_back({level, tiles.first, {}});
      for (std::int64_t i = 0; i < tiles.count() && bytes_.ok(); ++i) take_tile(&finished_.levels.back());
    }
  }
  void take_tile(FinishedTiles::Level* level) {
    std::vector<std::string>& payloads = level->tiles.emplace_back();
    for (const FinishedTiles::Id& id : finished_.ids) {
      const std::string_view payload = bytes_.text();
      if (!bytes_.ok()) return;
      if (!is_payload(id.kind, payload, finished_.layout.names.all().size())) return bytes_.fail();
      payloads.emplace_back(payload);
    }
  }

  ByteCursor bytes_;
  std::int64_t last_ns_;
  std::size_t streams_;
  FinishedTiles finished_;
};

}  // namespace

std::string FinishedTiles::bytes() const {
  std::string bytes(kMagic);
  append_varint(generation, &bytes);
  append_zigzag(until_ns, &bytes);
  append_varint(has_jumps ? 1 : 0, &bytes);
  append_zigzag(layout.range.from_ns, &bytes);
  append_zigzag(layout.range.to_ns, &bytes);
  append_varint(layout.names.all().size(), &bytes);
  for (const std::string& name : layout.names.all()) append_sized(name, &bytes);
  append_varint(ids.size(), &bytes);
  for (const Id& id : ids) {
    append_sized(id.key, &bytes);
    bytes.push_back(static_cast<char>(id.kind));
  }
  append_varint(layout.rows.size(), &bytes);
  for (const LayoutRow& row : layout.rows) {
    append_varint(row.id, &bytes);
    append_sized(row.name, &bytes);
    append_varint(row.of, &bytes);
    append_sized(row.unit, &bytes);
    append_varint(row.group + 1u, &bytes);
  }
  append_varint(layout.groups.size(), &bytes);
  for (const RowGroup& group : layout.groups) {
    append_sized(group.title, &bytes);
    append_varint(group.is_process ? 1 : 0, &bytes);
    append_varint(group.is_recorder ? 1 : 0, &bytes);
  }
  append_varint(layout.lanes.size(), &bytes);
  for (const std::size_t lane : layout.lanes) append_varint(lane + 1, &bytes);
  append_varint(layout.objects.size(), &bytes);
  for (const std::uint32_t place : layout.objects) append_varint(place, &bytes);
  append_varint(levels.empty() ? 0 : levels.front().level, &bytes);
  append_varint(levels.size(), &bytes);
  for (const Level& level : levels) {
    for (const std::vector<std::string>& tile : level.tiles) {
      for (const std::string& payload : tile) append_sized(payload, &bytes);
    }
  }
  return bytes;
}

std::optional<FinishedTiles> FinishedTiles::from(std::string_view bytes, std::int64_t last_ns, std::size_t streams) {
  return FinishedReading(bytes, last_ns, streams).all();
}

const std::vector<std::string>* FinishedTiles::tile(TilePlace place) const {
  for (const Level& level : levels) {
    if (level.level != place.level || place.index < level.first) continue;
    const auto at = static_cast<std::uint64_t>(place.index - level.first);
    return at < level.tiles.size() ? &level.tiles[at] : nullptr;
  }
  return nullptr;
}

}  // namespace evt::view
