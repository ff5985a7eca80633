// The states that something was in, one after another or several at once, in columns of a scale.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shares.h"
#include "zoom.h"

namespace evt::view {

// Exact as Shares are, and small where a state goes on: columns that are wholly in it are one run.
class StateRuns {
 public:
  static constexpr std::uint32_t kMostColumns = 1u << 21;

  // In order of time. What is outside the scale is left out. REQUIRES: scale.columns() <= kMostColumns.
  void add(const Scale& scale, Key key, std::int64_t from_ns, std::int64_t to_ns) {
    from_ns = std::max(from_ns, scale.from_ns());
    to_ns = std::min(to_ns, scale.to_ns());
    if (from_ns >= to_ns) return;
    const std::uint32_t first = scale.column_of(from_ns);
    const std::uint64_t ns = ns_between(from_ns, to_ns);
    if (first == scale.column_of(to_ns - 1) && ns < scale.width(first)) {
      add_part(first, key, ns);
    } else {
      add_columns(scale, key, from_ns, to_ns);
    }
  }
  // The same within a column of the scale, and not all of it.
  void add_part(std::uint32_t column, Key key, std::uint64_t ns) {
    if (column != column_) {
      close();
      column_ = column;
      is_split_ = false;
    }
    for (std::uint32_t i = 0; i < parts_; ++i) {
      if (latest_[i].key != key) continue;
      latest_[i].ns += ns;
      return;
    }
    add_key(key, ns);
  }
  // What it has in columns twice as wide. REQUIRES: all that is in it was added by this scale, which can be coarser().
  void coarsen(const Scale& scale);
  // What it has in the columns of zoom.as(), if these are none before the last one of `shares`.
  void show(const Zoom& zoom, Shares* shares) const;
  // In pieces of 16 bytes.
  std::size_t size() const { return (pieces_.size() + parts_ + 1) / 2; }

 private:
  // 8 bytes, as there are millions: a run has its number of columns, a part its ns below 2^kBits, or those above.
  enum class Kind : std::uint8_t { kRun, kPart, kPartAbove };
  class Piece {
   public:
    static constexpr unsigned kBits = 37;

    Piece(std::uint32_t column, Kind kind, Key key, std::uint64_t value)
        : bits_(std::uint64_t{column} << (kBits + 6) | static_cast<std::uint64_t>(kind) << (kBits + 4) |
                std::uint64_t{key} << kBits | value) {}
    std::uint32_t column() const { return static_cast<std::uint32_t>(bits_ >> (kBits + 6)); }
    Kind kind() const { return static_cast<Kind>(bits_ >> (kBits + 4) & 3); }
    bool is_run() const { return kind() == Kind::kRun; }
    Key key() const { return static_cast<Key>(bits_ >> kBits & 15); }
    std::uint64_t value() const { return bits_ & ((std::uint64_t{1} << kBits) - 1); }
    std::uint32_t end() const { return column() + (is_run() ? static_cast<std::uint32_t>(value()) : 1); }
    std::uint64_t ns() const { return kind() == Kind::kPart ? value() : value() << kBits; }
    // REQUIRES: a run.
    void add_columns(std::uint32_t columns) { bits_ += columns; }

   private:
    std::uint64_t bits_;
  };
  struct Part {
    Key key = 0;
    std::uint64_t ns = 0;
  };

  // As many parts as the latest column mostly has: most is added to these, and the pieces are far away in memory.
  static constexpr std::size_t kParts = 3;

  void add_key(Key key, std::uint64_t ns);
  // A whole column at least, or parts of several.
  void add_columns(const Scale& scale, Key key, std::int64_t from_ns, std::int64_t to_ns);
  void add_run(std::uint32_t first, std::uint32_t end, Key key);
  // The latest parts become pieces.
  void close();
  // Takes out what pieces have of this key in the latest column.
  std::uint64_t take_closed(Key key);

  std::vector<Piece> pieces_;
  std::array<Part, kParts> latest_{};
  std::uint32_t parts_ = 0;   // of them
  std::uint32_t column_ = 0;  // theirs
  bool is_split_ = false;     // there are pieces of that column
};

// Something that is in one state at a time, as time goes on. What it was is kept as changes where these are few in each
// column, as nothing is to be done for columns then that become wider before anybody sees them, and else as runs.
class Course {
 public:
  // From now on, which is never before the last time. kNothing: it is in no state that is drawn.
  void become(const Scale& scale, Key key, std::int64_t ns) {
    if (key == key_) return;
    const bool is_seen = since_ns_ < ns && scale.from_ns() < ns && since_ns_ < scale.to_ns();
    if (is_seen && (key_ != kNothing || !changes_.empty())) note(scale, ns);
    key_ = key;
    since_ns_ = ns;
  }
  // In the state of another, which has columns of its own.
  void go_on_from(const Course& other) {
    key_ = other.key_;
    since_ns_ = other.since_ns_;
  }
  Key key() const { return key_; }
  std::int64_t since_ns() const { return since_ns_; }
  void coarsen(const Scale& scale) {
    runs_.coarsen(scale);
    if (!changes_.empty()) review(scale.coarser(), since_ns_);
  }
  // What it was up to this time, as StateRuns::show() has it.
  void show(const Zoom& zoom, std::int64_t until_ns, Shares* shares) const;
  std::size_t size() const { return runs_.size() + (changes_.size() + 1) / 2; }

 private:
  // 8 bytes: from when on it is in a state, since the begin of the scale.
  class Change {
   public:
    static constexpr unsigned kKeyBits = 4;
    static constexpr std::uint64_t kMostNs = UINT64_MAX >> kKeyBits;

    Change(std::uint64_t ns, Key key) : bits_(ns << kKeyBits | (key & 15u)) {}
    std::uint64_t ns() const { return bits_ >> kKeyBits; }
    bool is_nothing() const { return (bits_ & 15) == (kNothing & 15); }
    Key key() const { return static_cast<Key>(bits_ & 15); }

   private:
    std::uint64_t bits_;
  };
  // Fewer are not looked at.
  static constexpr std::size_t kFew = 64;

  // The state ends at this time.
  void note(const Scale& scale, std::int64_t ns) {
    const std::uint64_t since = since_ns_ > scale.from_ns() ? ns_between(scale.from_ns(), since_ns_) : 0;
    if (since > Change::kMostNs || !scale.has_level()) return add(scale, ns);
    changes_.push_back(Change(since, key_));
    if (changes_.size() >= next_) review(scale, ns);
  }
  void add(const Scale& scale, std::int64_t ns);
  // Changes become runs if these take no more memory. The last one ends at this time.
  void review(const Scale& scale, std::int64_t ns);
  void add_changes(const Scale& scale, std::int64_t ns);

  StateRuns runs_;               // of what has ended
  std::vector<Change> changes_;  // of what has ended since
  std::size_t next_ = kFew;      // how many there are when they are looked at
  Key key_ = kNothing;
  std::int64_t since_ns_ = 0;
};

}  // namespace evt::view
