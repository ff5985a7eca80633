#include "thread_usage.h"

#include <evt/saturating_add.h>

#include <algorithm>

#include "parts.h"

namespace evt {
namespace {

std::size_t place(Use use) { return static_cast<std::size_t>(use); }

// It would have done the same anyway.
bool is_asleep(Use use) { return use == Use::kSleeping || use == Use::kUnknown; }

}  // namespace

// What counts as stopped: nothing, unless the call took as much longer than it must as the process was stopped.
void ThreadUsage::apply(const Call& call, CallSum* sum, bool comes) {
  const std::uint64_t must = call.expected_ns;
  const std::uint64_t all = call.ns + call.before_ns;
  const std::uint64_t stopped = call.stopped_ns + call.stopped_before_ns;
  const bool waited = stopped <= all && all - stopped >= must;
  const std::uint64_t moved = waited ? call.stopped_ns : 0;
  const std::uint64_t sign = comes ? 1 : ~std::uint64_t{0};
  const std::uint64_t tracing = std::min(call.tracing_ns, call.ns - moved);
  sum->ns += sign * (call.ns - moved - tracing);
  sum->subtracted_ns += sign * tracing;
  sum->stopped_ns += sign * moved;
  sum->assumed_ns += sign * (call.limit == 0 ? moved : 0);
}

void ThreadUsage::count(const Piece& piece, std::uint64_t ns, bool comes) {
  const std::uint64_t change = comes ? ns : 0 - ns;
  const bool moves = piece.stopped && !is_asleep(piece.use);
  (moves ? times_.moved : times_.ns)[place(piece.use)] += change;
}

// Time goes on. What a call has had is counted when it ends.
void ThreadUsage::settle(std::int64_t ns) {
  if (ns <= since_ns_) return;
  Piece piece{since_ns_, ns, 0, use_, false};
  if (!open_.empty()) {
    piece.call = open_.back().number;
    open_.back().ns += length(since_ns_, ns);
  } else {
    count(piece, length(since_ns_, ns), true);
  }
  add_piece(piece);
  since_ns_ = ns;
}

void ThreadUsage::add_piece(const Piece& piece) {
  if (!looks_back_) return;
  if (pieces_.size() >= kPieces) {
    pieces_.erase(pieces_.begin(), pieces_.begin() + kPieces / 2);
    dropped_ = true;
  }
  pieces_.push_back(piece);
}

void ThreadUsage::become(Use use, std::int64_t ns) {
  if (use_ == Use::kAbsent) {
    since_ns_ = std::max(ns, counted_from_);
    pieces_.clear();
    dropped_ = false;
  } else if (use != use_) {
    settle(ns);
  }
  use_ = use;
}

void ThreadUsage::begin(Call call, std::int64_t ns) {
  settle(ns);
  call.begin_ns = ns;
  call.number = ++last_call_;
  open_.push_back(call);
}

void ThreadUsage::add_ended(const Call& call, Sums* sums) {
  CallSum& sum = (*sums)[call.sum];
  saturating_add(&sum.amount, call.amount);
  apply(call, &sum, true);
  if (!looks_back_) return;
  if (ended_.size() < kEnded) ended_.resize(kEnded);
  ended_[call.number % kEnded] = call;
}

void ThreadUsage::end(std::int64_t ns, Sums* sums) {
  settle(ns);
  add_ended(open_.back(), sums);
  open_.pop_back();
}

// The first piece that does not begin before; one that does is divided.
std::size_t ThreadUsage::split_at(std::int64_t ns) {
  std::size_t at = pieces_.size();
  while (at > 0 && pieces_[at - 1].from >= ns) --at;
  if (at == 0 || pieces_[at - 1].to <= ns) return at;
  Piece rest = pieces_[at - 1];
  pieces_[at - 1].to = rest.from = ns;
  pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(at), rest);
  return at;
}

// Until now its time was counted for what it was in; all of that since it began is its own, but for calls inside of it.
void ThreadUsage::complete(Call call, std::int64_t ns, Sums* sums) {
  settle(ns);
  call.number = ++last_call_;
  if (call.begin_ns < counted_from_) {
    call.before_ns = length(call.begin_ns, counted_from_);
  } else if (dropped_ && call.begin_ns < pieces_.front().from) {
    forgotten_ns_ += length(call.begin_ns, pieces_.front().from);
  }
  const std::uint64_t outer = open_.empty() ? 0 : open_.back().number;
  for (std::size_t at = split_at(call.begin_ns); at < pieces_.size(); ++at) {
    Piece& piece = pieces_[at];
    if (piece.call != outer) continue;
    const std::uint64_t own = length(piece.from, piece.to);
    if (outer == 0) {
      count(piece, own, false);
    } else {
      open_.back().ns -= own;
      if (piece.stopped) open_.back().stopped_ns -= own;
    }
    call.ns += own;
    if (piece.stopped) call.stopped_ns += own;
    piece.call = call.number;
  }
  add_ended(call, sums);
}

ThreadUsage::Call* ThreadUsage::call_of(std::uint64_t number) {
  for (Call& call : open_) {
    if (call.number == number) return &call;
  }
  Call* const ended = ended_.empty() ? nullptr : &ended_[number % kEnded];
  return ended != nullptr && ended->number == number ? ended : nullptr;
}

void ThreadUsage::mark_stopped(Piece* piece, Sums* sums) {
  const std::uint64_t ns = length(piece->from, piece->to);
  if (piece->stopped) return;
  if (piece->call == 0) {
    count(*piece, ns, false);
    piece->stopped = true;
    count(*piece, ns, true);
    return;
  }
  Call* const call = call_of(piece->call);
  if (call == nullptr) {
    forgotten_ns_ += ns;
    return;
  }
  const bool has_ended = std::none_of(open_.begin(), open_.end(), [&](const Call& open) { return &open == call; });
  if (has_ended) apply(*call, &(*sums)[call->sum], false);
  call->stopped_ns += ns;
  if (has_ended) apply(*call, &(*sums)[call->sum], true);
  piece->stopped = true;
}

void ThreadUsage::stop(std::int64_t from_ns, std::int64_t ns, Sums* sums) {
  if (use_ != Use::kAbsent) settle(ns);
  if (pieces_.empty()) return;
  if (dropped_ && from_ns < pieces_.front().from) forgotten_ns_ += length(from_ns, pieces_.front().from);
  for (std::size_t at = split_at(from_ns); at < pieces_.size(); ++at) mark_stopped(&pieces_[at], sums);
}

void ThreadUsage::restart(std::int64_t ns) {
  if (use_ != Use::kAbsent) settle(ns);
  times_ = Times();
  pieces_.clear();
  ended_.clear();
  dropped_ = false;
  counted_from_ = ns;
  forgotten_ns_ = 0;
  for (Call& call : open_) {
    call.before_ns += call.ns;
    call.stopped_before_ns += call.stopped_ns;
    call.ns = call.stopped_ns = 0;
  }
}

void ThreadUsage::move_sums(const std::vector<std::uint32_t>& to) {
  for (Call& call : open_) call.sum = to[call.sum];
  for (Call& call : ended_) call.sum = call.number != 0 ? to[call.sum] : 0;
}

ThreadUsage::Times ThreadUsage::times(std::int64_t ns, Sums* sums) const {
  ThreadUsage then = *this;
  if (use_ != Use::kAbsent) then.settle(ns);
  for (const Call& call : then.open_) apply(call, &(*sums)[call.sum], true);
  return then.times_;
}

}  // namespace evt
