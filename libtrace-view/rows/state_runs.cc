#include "state_runs.h"

namespace evt::view {
namespace {

std::int64_t time_after(const Scale& scale, std::uint64_t ns) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(scale.from_ns()) + ns);
}

}  // namespace

void StateRuns::add_columns(const Scale& scale, Key key, std::int64_t from_ns, std::int64_t to_ns) {
  std::uint32_t first = scale.column_of(from_ns);
  const std::uint32_t last = scale.column_of(to_ns - 1);
  if (from_ns != scale.edge(first)) {
    add_part(first, key, ns_between(from_ns, scale.edge(first + 1)));
    ++first;
  }
  const bool has_all_of_last = to_ns == scale.edge(last + 1);
  const std::uint32_t end = has_all_of_last ? last + 1 : last;
  if (first < end) add_run(first, end, key);
  if (first <= last && !has_all_of_last) add_part(last, key, ns_between(scale.edge(last), to_ns));
}

void StateRuns::add_key(Key key, std::uint64_t ns) {
  if (parts_ == kParts) {
    close();
    is_split_ = true;
  }
  latest_[parts_++] = {key, ns};
}

std::uint64_t StateRuns::take_closed(Key key) {
  std::uint64_t ns = 0;
  for (std::size_t i = pieces_.size(); i > 0 && pieces_[i - 1].column() == column_; --i) {
    const Piece piece = pieces_[i - 1];
    if (piece.is_run() || piece.key() != key) continue;
    ns += piece.ns();
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(i - 1));
  }
  return ns;
}

void StateRuns::close() {
  for (std::uint32_t i = 0; i < parts_; ++i) {
    const Key key = latest_[i].key;
    const std::uint64_t ns = latest_[i].ns + (is_split_ ? take_closed(key) : 0);
    const std::uint64_t above = ns >> Piece::kBits;
    pieces_.push_back(Piece(column_, Kind::kPart, key, ns - (above << Piece::kBits)));
    if (above > 0) pieces_.push_back(Piece(column_, Kind::kPartAbove, key, above));
  }
  parts_ = 0;
}

void StateRuns::add_run(std::uint32_t first, std::uint32_t end, Key key) {
  close();
  const bool goes_on =
      !pieces_.empty() && pieces_.back().is_run() && pieces_.back().key() == key && pieces_.back().end() == first;
  if (goes_on) {
    pieces_.back().add_columns(end - first);
  } else {
    pieces_.push_back(Piece(first, Kind::kRun, key, end - first));
  }
}

void StateRuns::coarsen(const Scale& scale) {
  close();
  const Scale wider = scale.coarser();
  StateRuns coarser;
  coarser.pieces_.reserve(pieces_.size() / 2);
  for (const Piece& piece : pieces_) {
    if (piece.is_run()) {
      coarser.add(wider, piece.key(), scale.edge(piece.column()), scale.edge(piece.end()));
    } else {
      coarser.add_part(piece.column() / 2, piece.key(), piece.ns());
    }
  }
  *this = std::move(coarser);
}

void StateRuns::show(const Zoom& zoom, Shares* shares) const {
  const auto is_before = [](const Piece& piece, std::uint32_t column) { return piece.end() <= column; };
  for (auto piece = std::lower_bound(pieces_.begin(), pieces_.end(), zoom.first(), is_before);
       piece != pieces_.end() && piece->column() < zoom.end(); ++piece) {
    if (piece->is_run()) {
      shares->add(zoom.as(), piece->key(), zoom.of().edge(piece->column()), zoom.of().edge(piece->end()));
    } else {
      shares->add_to(zoom.column(piece->column()), piece->key(), piece->ns());
    }
  }
  if (column_ < zoom.first() || column_ >= zoom.end()) return;
  for (std::uint32_t i = 0; i < parts_; ++i) shares->add_to(zoom.column(column_), latest_[i].key, latest_[i].ns);
}

void Course::add(const Scale& scale, std::int64_t ns) {
  add_changes(scale, since_ns_);
  if (key_ != kNothing) runs_.add(scale, key_, since_ns_, ns);
}

// Most are within a column, where changes became runs.
void Course::add_changes(const Scale& scale, std::int64_t ns) {
  const std::uint64_t last = ns_between(scale.from_ns(), std::min(ns, scale.to_ns()));
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    if (changes_[i].is_nothing()) continue;
    const std::uint64_t from = changes_[i].ns();
    const std::uint64_t to = std::min(i + 1 < changes_.size() ? changes_[i + 1].ns() : last, last);
    const std::uint64_t column = from >> scale.level();
    if (from < to && column == to >> scale.level()) {
      runs_.add_part(static_cast<std::uint32_t>(column), changes_[i].key(), to - from);
    } else {
      runs_.add(scale, changes_[i].key(), time_after(scale, from), time_after(scale, to));
    }
  }
  changes_.clear();
  if (changes_.capacity() > 2 * kFew) changes_.shrink_to_fit();
  next_ = kFew;
}

// Of a column in which the state changes there are mostly two parts, or a part and a run behind it.
void Course::review(const Scale& scale, std::int64_t ns) {
  const std::size_t few = 2 * changes_.size() / 5;
  std::size_t columns = 1;
  for (std::size_t i = 1; i < changes_.size() && columns <= few; ++i) {
    columns += changes_[i - 1].ns() >> scale.level() != changes_[i].ns() >> scale.level() ? 1 : 0;
  }
  if (columns <= few) return add_changes(scale, ns);
  next_ = std::max(next_, 2 * changes_.size());
}

void Course::show(const Zoom& zoom, std::int64_t until_ns, Shares* shares) const {
  runs_.show(zoom, shares);
  const std::int64_t from_ns = std::max(zoom.of().from_ns(), zoom.as().from_ns());
  const std::int64_t to_ns = std::min(zoom.of().to_ns(), zoom.as().to_ns());
  const auto begin_of = [&](std::size_t i) {
    return i < changes_.size() ? time_after(zoom.of(), changes_[i].ns()) : since_ns_;
  };
  const auto after = std::partition_point(changes_.begin(), changes_.end(), [&](const Change& change) {
    return time_after(zoom.of(), change.ns()) <= from_ns;
  });
  auto i = static_cast<std::size_t>(after - changes_.begin());
  for (i -= i > 0 ? 1 : 0; i < changes_.size() && begin_of(i) < to_ns; ++i) {
    if (changes_[i].is_nothing()) continue;
    shares->add(zoom.as(), changes_[i].key(), begin_of(i), std::min(begin_of(i + 1), to_ns));
  }
  if (key_ != kNothing) shares->add(zoom.as(), key_, since_ns_, until_ns);
}

}  // namespace evt::view
