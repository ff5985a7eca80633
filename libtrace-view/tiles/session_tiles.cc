#include "session_tiles.h"

#include <algorithm>
#include <numeric>

namespace evt::view {
namespace {

// By which threads share a lane: finer than any screen.
constexpr std::uint32_t kLaneColumns = 4096;
// At once, so that others may have their turn after some milliseconds.
constexpr std::size_t kItemsOfRead = 65'536;
// What is read grows at first after this many reads, and always after twice as many, or this many more.
constexpr std::uint64_t kFirstReads = 4;
constexpr std::uint64_t kMostReads = 200;
// Columns of the whole session, or of a part, before there are too many pieces.
constexpr unsigned kFineBits = 20;
constexpr std::size_t kMost = std::size_t{2} << 20;
// Of a part, and of those that are kept when one is made: neighbours are asked for by turns, some rows at a time.
constexpr std::size_t kMostOfPart = kMost / 2;
constexpr std::size_t kMostOfParts = kMost;
// Parts that reading has not come to.
constexpr std::size_t kMostAhead = 2;
// A part has columns this much finer than the tile that it is made for, and up to this many tiles beside one another.
constexpr unsigned kFinerBits = 4;
constexpr std::int64_t kMostTiles = 64;
// Of the tiles that are kept, in bytes.
constexpr std::size_t kMostKept = std::size_t{32} << 20;
// Times beyond are in no tile.
constexpr std::int64_t kFarNs = std::int64_t{1} << 61;

bool is_any(TrackKind, const std::string&) { return true; }

// Its columns can become wider kFineBits times.
Scale fine_scale(std::int64_t first_ns, std::int64_t last_ns) {
  first_ns = std::clamp(first_ns, -kFarNs, kFarNs);
  last_ns = std::clamp(last_ns, first_ns, kFarNs);
  unsigned level = 0;
  while ((last_ns >> level) - (first_ns >> level) >= std::int64_t{1} << kFineBits) ++level;
  const std::int64_t first = first_ns >> (level + kFineBits) << kFineBits;
  return Scale::of_level(level, first, static_cast<std::uint32_t>((last_ns >> level) - first + 1));
}

// The same stretch in few columns.
Scale coarse_scale(Scale scale) {
  while (scale.columns() > kTileColumns) scale = scale.coarser();
  return scale;
}

bool has_all(const Scale& scale, const Scale& of) {
  return scale.from_ns() <= of.from_ns() && of.to_ns() <= scale.to_ns();
}

}  // namespace

void SessionTiles::restore(FinishedTiles finished) {
  layout_ = std::move(finished.layout);
  layout_generation_ = generation_ = finished.generation;
  for (const FinishedTiles::Id& id : finished.ids) {
    ids_.emplace(id.key, static_cast<std::uint32_t>(kinds_.size()));
    kinds_.push_back(id.kind);
  }
  finished_ = std::move(finished);
}

void SessionTiles::go_on_from(SessionTiles& before) {
  layout_.emplace();
  if (before.layout_) layout_->names = before.layout_->names;
  ids_ = std::move(before.ids_);
  kinds_ = std::move(before.kinds_);
  generation_ += before.generation_ + 1;
  layout_generation_ = before.generation_;
}

std::vector<FinishedTiles::Id> SessionTiles::ids() const {
  std::vector<FinishedTiles::Id> ids(kinds_.size());
  for (const auto& [key, id] : ids_) ids[id] = {key, kinds_[id]};
  return ids;
}

std::int64_t SessionTiles::until_ns() const {
  if (finished_) return finished_->until_ns;
  return whole_ == nullptr ? first_event_ns(*session_) : until_of(*whole_);
}

Timeline SessionTiles::timeline_to(std::int64_t to_ns) const {
  Timeline::Options options;
  options.range = [this, to_ns](const Session& session) {
    return &session == session_ ? TimeRange{INT64_MIN, to_ns} : TimeRange{1, 0};
  };
  Timeline timeline(*trace_, options);
  while (timeline.next_session() && &timeline.actors().session() != session_) continue;
  return timeline;
}

// Behind steps in time, which are all known when all was read, times alone do not state what is to be read.
const RowMarks::Mark* SessionTiles::mark_before(std::int64_t ns) {
  return has_marks() ? whole_->marks().before(ns) : nullptr;
}

bool SessionTiles::has_marks() const {
  if (finished_) return whole_ != nullptr && !finished_->has_jumps;
  return is_read() && whole_->timeline().doubts().jumps == 0;
}

void SessionTiles::each_item(std::int64_t to_ns, const std::function<bool(Timeline&, const TimelineItem&)>& f,
                             const RowMarks::Mark* from) {
  Timeline timeline = from != nullptr ? whole_->timeline().behind(from->timeline, to_ns) : timeline_to(to_ns);
  const TimelineItem* item = timeline.next();
  while (item != nullptr && f(timeline, *item)) item = timeline.next();
}

FineRows& SessionTiles::whole() {
  if (whole_ == nullptr) {
    Timeline timeline = timeline_to(INT64_MAX);
    const Scale scale = fine_scale(timeline.first_ns(), end_ns_of(*session_));
    whole_ = std::make_unique<FineRows>(std::move(timeline), scale,
                                        FineRows::Limits{kMost, scale.level() + kFineBits, true});
    whole_->rows().expect(trace_->rows_in_time(*session_));
    whole_->rows().expect(std::move(expected_));
  }
  return *whole_;
}

bool SessionTiles::read_on() {
  if (is_complete()) return false;
  const bool is_more = whole().go_on(kItemsOfRead);
  ++reads_;
  if (!is_more || reads_ - reads_at_growth_ >= std::clamp(reads_at_growth_, kFirstReads, kMostReads)) {
    reads_at_growth_ = reads_;
    ++generation_;
  }
  if (is_more) return true;
  status_ = whole().timeline().status();
  ahead_.clear();
  return false;
}

std::int64_t SessionTiles::until_of(const FineRows& rows) const {
  if (!rows.is_complete()) return rows.until_ns();
  return std::max(rows.until_ns(), std::min(end_ns_of(*session_), rows.scale().to_ns()));
}

double SessionTiles::progress() {
  if (is_complete()) return 1;
  const auto first_ns = static_cast<double>(whole().timeline().first_ns());
  const double length = static_cast<double>(end_ns_of(*session_)) - first_ns;
  return length > 0 ? std::min((static_cast<double>(whole_->until_ns()) - first_ns) / length, 1.0) : 0;
}

void SessionTiles::put_id(Row* row) {
  const auto [place, is_new] = ids_.emplace(row->key, static_cast<std::uint32_t>(kinds_.size()));
  if (is_new) kinds_.push_back(row->kind);
  row->id = place->second;
}

const SessionTiles::Layout& SessionTiles::layout() {
  if (layout_ && layout_generation_ == generation_) return *layout_;
  if (!layout_) layout_.emplace();
  layout_generation_ = generation_;
  Layout& layout = *layout_;
  FineRows& fine = whole();
  const std::int64_t until_ns = until_of(fine);
  const std::int64_t first_ns = fine.timeline().first_ns();
  layout.range = {first_ns, end_ns_of(*session_)};
  layout.lanes = fine.rows().plan(is_any, Scale(first_ns, end_ns_of(*session_), kLaneColumns), until_ns);
  layout.objects = fine.rows().object_plan();
  layout.rows.clear();
  for (const Track& track :
       fine.rows().tracks(is_any, layout.lanes, layout.objects, coarse_scale(fine.scale()), until_ns)) {
    put_id(&layout.rows.emplace_back(Row{0, track.key, track.kind, track.name, track.rows, track.unit, track.group}));
    for (const TrackLabel& label : track.labels) layout.names.of(label.text);
  }
  layout.groups = fine.rows().groups();
  EventNames& names = fine.timeline().names();
  for (std::uint32_t i = 0; i < names.size(); ++i) layout.names.of(names.text(i));
  return layout;
}

// Few tiles, and columns that are hardly finer, if there is much in each column: more would not be kept.
Scale SessionTiles::scale_around(TilePlace place) {
  const Scale& read = whole().scale();
  std::size_t of_column = whole().size() / (read.column_of(whole().until_ns()) + std::size_t{1}) + 1;
  if (place.level > read.level()) of_column <<= std::min(place.level - read.level(), kFineBits);
  std::int64_t tiles = 1;
  const auto fits = [&](unsigned finer) {
    return (static_cast<std::size_t>(tiles) * kTileColumns * of_column) << finer <= kMostOfPart;
  };
  while (tiles < kMostTiles && fits(1)) tiles *= 2;
  unsigned finer = std::min(place.level, kFinerBits);
  while (finer > 0 && !fits(finer)) --finer;
  const std::int64_t first = (place.index - (place.index % tiles + tiles) % tiles) * kTileColumns << finer;
  return Scale::of_level(place.level - finer, first, static_cast<std::uint32_t>(tiles * kTileColumns << finer));
}

// It is read from a mark where it can.
std::unique_ptr<FineRows> SessionTiles::part_around(TilePlace place) {
  const Scale scale = scale_around(place);
  const FineRows::Limits limits = {kMostOfPart, place.level, false};
  const RowMarks::Mark* const mark = mark_before(scale.from_ns());
  if (mark == nullptr) {
    return std::make_unique<FineRows>(timeline_to(scale.to_ns()), scale, limits);
  }
  return std::make_unique<FineRows>(whole().timeline().behind(mark->timeline, scale.to_ns()), *mark->rows, scale,
                                    limits);
}

FineRows& SessionTiles::source_of(TilePlace place) {
  const bool has_place = !finished_ || is_read();
  if (has_place && place.level >= whole().scale().level()) return *whole_;
  const Scale scale = place.scale();
  auto part = std::find_if(parts_.begin(), parts_.end(), [&](const auto& each) {
    return each->scale().level() <= place.level && has_all(each->scale(), scale);
  });
  if (part == parts_.end()) {
    std::size_t size = 0;
    for (const auto& each : parts_) size += each->size();
    for (; size > kMostOfParts; parts_.pop_back()) size -= parts_.back()->size();
    part = parts_.insert(parts_.begin(), part_around(place));
  }
  parts_.splice(parts_.begin(), parts_, part);
  return *parts_.front();
}

void SessionTiles::add_empty(const std::vector<std::uint32_t>& ids, Kept* to) const {
  for (const std::uint32_t id : ids) {
    if (!to->tiles.rows[id]) to->tiles.rows[id] = TileRow::empty(kinds_[id]);
  }
}

bool SessionTiles::is_ahead(const Scale& scale) {
  return history_ != nullptr && !is_complete() && scale.from_ns() > whole().until_ns();
}

AheadRows& SessionTiles::ahead_of(TilePlace place) {
  const Scale scale = place.scale();
  auto found = std::find_if(ahead_.begin(), ahead_.end(), [&](const auto& each) {
    return each->rows().scale().level() <= place.level && has_all(each->rows().scale(), scale);
  });
  if (found == ahead_.end()) {
    if (ahead_.size() == kMostAhead) ahead_.pop_back();
    found = ahead_.insert(ahead_.begin(), std::make_unique<AheadRows>(*history_, number_, scale_around(place),
                                                                      FineRows::Limits{kMostOfPart, place.level}));
  }
  ahead_.splice(ahead_.begin(), ahead_, found);
  return *ahead_.front();
}

void SessionTiles::add_tracks(TilePlace place, const TracksOf& tracks, const std::vector<std::uint32_t>& ids,
                              Kept* to) {
  std::vector<bool> asked(kinds_.size());
  for (const std::uint32_t id : ids) asked[id] = true;
  const auto is_asked = [&](const std::string& key) {
    const auto id = ids_.find(key);
    return id != ids_.end() && asked[id->second];
  };
  const Scale scale = place.scale();
  for (const Track& track : tracks(scale, is_asked)) {
    if (is_asked(track.key)) to->tiles.rows[ids_.at(track.key)] = TileRow::of(track, scale, &layout_->names);
  }
  add_empty(ids, to);
}

void SessionTiles::add_rows(TilePlace place, const FineRows& source, const std::vector<std::uint32_t>& ids, Kept* to) {
  const auto tracks = [&](const Scale& scale, const ShownKeys& keys) {
    return source.rows().tracks(is_any, layout_->lanes, layout_->objects, scale, until_of(source), keys);
  };
  add_tracks(place, tracks, ids, to);
}

// What other rows have there is not known before it was read.
bool SessionTiles::add_ahead(TilePlace place, const std::vector<std::uint32_t>& ids, Kept* to) {
  std::vector<std::uint32_t> known;
  std::vector<std::uint32_t> others;
  for (const std::uint32_t id : ids) (AheadRows::has(kinds_[id]) ? known : others).push_back(id);
  if (!known.empty()) {
    AheadRows& ahead = ahead_of(place);
    if (!ahead.rows().is_complete() && ahead.rows().go_on(kItemsOfRead)) return false;
    const auto tracks = [&](const Scale& scale, const ShownKeys& keys) {
      return ahead.tracks(whole(), *layout_, scale, until_of(ahead.rows()), keys);
    };
    add_tracks(place, tracks, known, to);
  }
  if (place.level >= whole().scale().level()) {
    add_rows(place, whole(), others, to);
  } else {
    add_empty(others, to);
  }
  return true;
}

bool SessionTiles::add_missing(TilePlace place, const std::vector<std::uint32_t>& missing, Kept* to) {
  to->tiles.rows.resize(kinds_.size());
  const Scale scale = place.scale();
  if (scale.to_ns() <= layout_->range.from_ns || scale.from_ns() > layout_->range.to_ns) {
    add_empty(missing, to);
    return true;
  }
  if (const auto* const tile = finished_ ? finished_->tile(place) : nullptr) {
    for (const std::uint32_t id : missing) {
      to->tiles.rows[id] = TileRow{static_cast<std::uint8_t>(payload_kind(kinds_[id])), (*tile)[id]};
    }
    return true;
  }
  if (is_ahead(scale)) return add_ahead(place, missing, to);
  // Read up to what is asked for it has the marks there.
  const bool is_there = is_read() || (whole().until_ns() >= scale.from_ns() && has_marks());
  if (finished_ && !is_there && whole().go_on(kItemsOfRead)) return false;
  FineRows& source = source_of(place);
  if (&source != whole_.get() && !source.is_complete() && source.go_on(kItemsOfRead)) return false;
  add_rows(place, source, missing, to);
  return true;
}

std::vector<std::string> SessionTiles::payloads_at(TilePlace place) {
  layout();
  std::vector<std::uint32_t> ids(kinds_.size());
  std::iota(ids.begin(), ids.end(), 0u);
  Kept all;
  all.tiles.rows.resize(ids.size());
  add_rows(place, whole(), ids, &all);
  std::vector<std::string> payloads;
  for (std::optional<TileRow>& row : all.tiles.rows) payloads.push_back(std::move(row->payload));
  return payloads;
}

void SessionTiles::measure(Kept* kept) {
  size_ -= kept->size;
  kept->size = kept->tiles.rows.size() * sizeof(kept->tiles.rows[0]);
  for (const std::optional<TileRow>& row : kept->tiles.rows) kept->size += row ? row->payload.size() : 0;
  size_ += kept->size;
}

const SessionTiles::Tiles* SessionTiles::tiles_at(TilePlace place, const std::vector<std::uint32_t>& ids) {
  layout();
  Kept* kept = nullptr;
  if (const auto found = kept_.find(place); found != kept_.end()) kept = &found->second;
  const bool is_stale = kept != nullptr && kept->tiles.is_partial && kept->generation != generation_;
  std::vector<std::uint32_t> missing;
  for (const std::uint32_t id : ids) {
    const bool is_there = kept != nullptr && !is_stale && id < kept->tiles.rows.size() && kept->tiles.rows[id];
    if (!is_there) missing.push_back(id);
  }
  if (kept == nullptr || !missing.empty()) {
    Kept more;
    if (!add_missing(place, missing, &more)) return nullptr;
    make_room();
    kept = &kept_[place];
    if (is_stale) kept->tiles.rows.clear();
    kept->tiles.rows.resize(kinds_.size());
    kept->tiles.is_partial = grows_ || !is_complete();
    kept->generation = generation_;
    for (const std::uint32_t id : missing) kept->tiles.rows[id] = std::move(more.tiles.rows[id]);
    measure(kept);
  }
  kept->used = ++now_;
  return &kept->tiles;
}

// What was not used for the longest time goes first.
void SessionTiles::make_room() {
  while (size_ > kMostKept && !kept_.empty()) {
    const auto oldest = std::min_element(kept_.begin(), kept_.end(),
                                         [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
    size_ -= oldest->second.size;
    kept_.erase(oldest);
  }
}

}  // namespace evt::view
