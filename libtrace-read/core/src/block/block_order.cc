#include "block_order.h"

#include <evt/format.h>
#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace evt {
namespace {

constexpr std::size_t kMaxNamed = 1000;  // number of misplaced blocks that are named individually

}  // namespace

struct BlockOrder::Place {
  std::uint64_t session;
  std::uint64_t number;
  std::uint64_t offset;
};

std::string missing_blocks(std::uint64_t begin, std::uint64_t end) {
  return end - begin == 1 ? fmt::format("block {} of the session is missing", begin)
                          : fmt::format("blocks {} to {} of the session are missing", begin, end - 1);
}

std::optional<std::uint64_t> BlockOrder::next() {
  if (*again_ == places_.size()) return std::nullopt;
  return places_[(*again_)++];
}

std::vector<BlockOrder::Place> BlockOrder::places_met() {
  std::vector<Place> places;
  places.reserve(places_.size());
  for (const std::uint64_t offset : places_) {
    const BlockHeader header = headers_.probe(offset).block.header;
    places.push_back({header.session_id, header.block_no, offset});
  }
  return places;
}

// Segments may come in any order, each after the end of another.
bool BlockOrder::begins_segment_behind_end(const Place* before, const Place& place) {
  return before != nullptr && headers_.probe(place.offset).block.begins_segment() &&
         headers_.probe(before->offset).block.header.type == EVT_BLOCK_TRAILER;
}

// True for blocks between two segments of a session, or before the first that is present.
bool BlockOrder::is_not_kept(const Place* before, const Place& place) {
  return headers_.probe(place.offset).block.begins_segment() &&
         (before == nullptr || headers_.probe(before->offset).block.ends_with_more());
}

// REQUIRES: places in the order of the file.
void BlockOrder::find_misplaced(const std::vector<Place>& places) {
  struct Met {
    std::uint64_t latest = 0;
    std::uint64_t highest = 0;
    bool went_on = false;  // after another session
  };
  std::unordered_map<std::uint64_t, Met> sessions;
  std::uint64_t latest_session = 0;
  const Place* before = nullptr;
  std::size_t more = 0;
  misplaced_.clear();
  const auto name = [&](const Place& place, const auto& what) {
    if (misplaced_.size() == kMaxNamed && ++more > 0) return;
    misplaced_.push_back({place.offset, 0, fmt::format("block {} of its session comes after {}", place.number, what)});
  };
  for (const Place& place : places) {
    if (place.number == EVT_BLOCK_NO_RECOVERED) continue;
    const auto [at, is_first] = sessions.try_emplace(place.session, Met{place.number, place.number});
    Met& met = at->second;
    const bool is_late = !is_first && place.number < met.highest && place.number != met.latest + 1;
    const bool goes_on = !is_first && latest_session != place.session && !met.went_on;
    if ((is_late || goes_on) && !begins_segment_behind_end(before, place)) {
      name(place, is_late ? fmt::format("block {}", met.highest) : "another session");
      met.went_on |= !is_late;
    }
    met.latest = place.number;
    met.highest = std::max(met.highest, place.number);
    latest_session = place.session;
    before = &place;
  }
  if (more > 0) misplaced_.push_back({places.back().offset, 0, fmt::format("so do {} more blocks", more)});
}

std::vector<Damage> BlockOrder::damage_between() const {
  std::vector<Damage> damage;
  for (const Skip& skip : skips_) {
    if (skip.damage < ledger_.damage().size()) damage.push_back(ledger_.damage()[skip.damage]);
  }
  return damage;
}

// Blocks of a session that are nowhere in the file. If bytes were skipped next to the gap, those were the blocks.
void BlockOrder::add_gaps(const std::vector<Place>& places, std::uint64_t first_session, std::vector<Damage>* damage) {
  const auto was_skipped_from = [&](std::uint64_t offset) {
    const auto at = std::ranges::lower_bound(skips_, offset, {}, &Skip::from);
    return at != skips_.end() && at->from == offset;
  };
  const auto was_skipped_to = [&](std::uint64_t offset) {
    const auto at = std::ranges::lower_bound(skips_, offset, {}, &Skip::to);
    return at != skips_.end() && at->to == offset;
  };
  const Place* before = nullptr;
  for (const Place& place : places) {
    if (before != nullptr && before->session != place.session) before = nullptr;
    const std::uint64_t expected = before == nullptr ? 0 : before->number + 1;
    const bool is_gap = place.number != EVT_BLOCK_NO_RECOVERED && place.number > expected &&
                        (before != nullptr || place.session != first_session);
    if (is_gap && !is_not_kept(before, place) && !was_skipped_to(place.offset) &&
        (before == nullptr || !was_skipped_from(headers_.probe(before->offset).block.padded_end()))) {
      damage->push_back({place.offset, 0, missing_blocks(expected, place.number)});
    }
    before = &place;
  }
}

void BlockOrder::sort() {
  std::vector<Place> places = places_met();
  if (places.empty()) return;
  find_misplaced(places);
  // A session is where most of its blocks are: one block elsewhere does not move it.
  struct Size {
    std::size_t blocks = 0;
    std::size_t met = 0;
    std::uint64_t middle = 0;
  };
  std::unordered_map<std::uint64_t, Size> sessions;
  for (const Place& place : places) ++sessions[place.session].blocks;
  for (const Place& place : places) {
    Size& size = sessions[place.session];
    if (size.met++ == size.blocks / 2) size.middle = place.offset;
  }
  for (Place& place : places) place.session = sessions[place.session].middle;
  const std::uint64_t first_session = places.front().session;
  std::ranges::sort(places, [](const Place& a, const Place& b) {
    return std::tie(a.session, a.number, a.offset) < std::tie(b.session, b.number, b.offset);
  });
  std::vector<Damage> damage = damage_between();
  add_gaps(places, first_session, &damage);
  damage.insert(damage.end(), misplaced_.begin(), misplaced_.end());
  std::ranges::stable_sort(damage, {}, &Damage::offset);
  ledger_.replace_damage(std::move(damage));
  skips_.clear();
  for (std::size_t i = 0; i < places.size(); ++i) places_[i] = places[i].offset;
  again_ = 0;
}

}  // namespace evt
