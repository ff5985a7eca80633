#include "seen_blocks.h"

#include <iterator>

namespace evt {

std::uint64_t SeenBlocks::end(std::uint64_t session) const {
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? 0 : found->second.end;
}

SeenBlocks::State SeenBlocks::look(std::uint64_t session, std::uint64_t number) const {
  const auto found = sessions_.find(session);
  if (found == sessions_.end() || number >= found->second.end) return State::kNew;
  const Session& of = found->second;
  const State seen = with_refused_.contains(session) ? State::kRefused : State::kSeen;
  if (number >= of.begin) return seen;
  const bool joins_last = number + 1 == of.begin;
  if (of.earlier == nullptr) return joins_last || !is_full() ? State::kNew : State::kRefused;
  const auto behind = of.earlier->upper_bound(number);
  const bool joins_next = behind == of.earlier->end() ? joins_last : behind->first == number + 1;
  if (behind == of.earlier->begin()) return joins_next || !is_full() ? State::kNew : State::kRefused;
  const std::uint64_t end_before = std::prev(behind)->second;
  if (number < end_before) return seen;
  return number == end_before || joins_next || !is_full() ? State::kNew : State::kRefused;
}

void SeenBlocks::add(std::uint64_t session, std::uint64_t number) {
  const auto [at, is_first] = sessions_.try_emplace(session);
  Session& of = at->second;
  if (is_first) {
    of.begin = number;
  } else if (number < of.begin) {
    return add_earlier(of, number);
  } else if (number > of.end && is_full()) {
    with_refused_.insert(session);
  } else if (number > of.end) {
    if (of.earlier == nullptr) of.earlier = std::make_unique<Ranges>();
    of.earlier->emplace_hint(of.earlier->end(), of.begin, of.end);
    ++ranges_;
    of.begin = number;
  }
  of.end = number + 1;
}

// Before the last range: it may extend an existing one, or close the gap between two.
void SeenBlocks::add_earlier(Session& session, std::uint64_t number) {
  if (session.earlier == nullptr) session.earlier = std::make_unique<Ranges>();
  Ranges& ranges = *session.earlier;
  const auto behind = ranges.upper_bound(number);
  const auto before = behind == ranges.begin() ? ranges.end() : std::prev(behind);
  const bool grows = before != ranges.end() && before->second == number;
  const std::uint64_t begin = grows ? before->first : number;
  if (grows) {
    ranges.erase(before);
    --ranges_;
  }
  if (behind == ranges.end() && session.begin == number + 1) {
    session.begin = begin;
    return;
  }
  std::uint64_t end = number + 1;
  if (behind != ranges.end() && behind->first == end) {
    end = behind->second;
    ranges.erase(behind);
    --ranges_;
  }
  ranges.emplace(begin, end);
  ++ranges_;
}

}  // namespace evt
