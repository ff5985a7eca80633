#include "checkpoint_words.h"

#include <algorithm>

#include "libtrace-read/analyze/src/actors_impl.h"
#include "libtrace-read/analyze/src/cpu_time_impl.h"
#include "libtrace-read/analyze/src/event_counts_impl.h"
#include "libtrace-read/analyze/src/parts.h"

namespace evt {
namespace {

class Saver {
 public:
  explicit Saver(std::vector<std::uint64_t>* words) : words_(words) {}
  template <typename T>
  void number(T& value) {
    words_->push_back(static_cast<std::uint64_t>(value));
  }
  // kNone is 0.
  void index(std::uint32_t& value, std::size_t) { words_->push_back((value + std::uint64_t{1}) & 0xFFFFFFFF); }

 private:
  std::vector<std::uint64_t>* words_;
};

// Whatever is missing or makes no sense makes it fail.
class Restorer {
 public:
  explicit Restorer(std::span<const std::uint64_t> words) : words_(words) {}
  template <typename T>
  void number(T& value) {
    const std::uint64_t word = next();
    value = static_cast<T>(word);
    // The upper half of a small number is zero.
    if constexpr (sizeof(T) < sizeof word) ok_ &= static_cast<std::uint64_t>(value) == word;
  }
  // kNone, or less than `count`.
  void index(std::uint32_t& value, std::size_t count) {
    const std::uint64_t word = next();
    ok_ &= word <= count;
    value = static_cast<std::uint32_t>(word) - 1;
  }
  bool is_whole() const { return ok_ && words_.empty(); }

 private:
  std::uint64_t next() {
    if (words_.empty()) {
      ok_ = false;
      return 0;
    }
    const std::uint64_t word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }

  std::span<const std::uint64_t> words_;
  bool ok_ = true;
};

template <typename List, typename Each>
void for_all(List& list, Each each) {
  for (auto& element : list) each(element);
}

}  // namespace

template <typename Each>
void CheckpointWords::visit(const CheckpointParts& state, Each& each) {
  Actors::Impl& actors = Actors::Impl::of(state.actors);
  CpuTime::Impl& cpu = CpuTime::Impl::of(state.cpu);
  Occupancy& occupancy = state.occupancy;
  EventCounts::Impl& counts = EventCounts::Impl::of(state.counts);
  const std::size_t threads = actors.threads_.size();
  const std::size_t cpus = actors.cpus_.size();
  const std::size_t cells = cpu.cells_.size();
  each.number(actors.now_);
  each.number(actors.streams_are_cpus_);
  for_all(actors.streams_, [&](auto& s) { each.index(s.thread, threads); });
  for_all(actors.streams_, [&](auto& s) { each.index(s.cpu, cpus); });
  for_all(actors.streams_, [&](auto& s) { each.index(s.running, threads); });
  for_all(actors.streams_, [&](auto& s) { each.number(s.has_threads); });
  for_all(actors.streams_, [&](auto& s) { each.number(s.is_cpu); });
  for_all(actors.streams_, [&](auto& s) { each.number(s.last_ns); });
  for_all(cpu.cells_, [&](auto& c) { each.number(c.ns); });
  for_all(cpu.cells_, [&](auto& c) { each.number(c.slices); });
  for_all(cpu.cells_, [&](auto& c) { each.number(c.uncertain_ns); });
  for_all(cpu.threads_, [&](auto& t) { each.index(t.cell, cells); });
  for_all(cpu.threads_, [&](auto& t) { each.number(t.since); });
  for_all(cpu.threads_, [&](auto& t) { each.number(t.counted); });
  for_all(cpu.threads_, [&](auto& t) { each.number(t.last_slice); });
  for_all(occupancy.threads_, [&](auto& t) { each.index(t.cpu, cpus); });
  for_all(occupancy.threads_, [&](auto& t) { each.number(t.since); });
  for_all(occupancy.threads_, [&](auto& t) { each.number(t.uncertain_since); });
  for_all(occupancy.threads_, [&](auto& t) { each.number(t.moved_from); });
  for_all(occupancy.cpus_, [&](auto& c) { each.index(c.thread, threads); });
  for_all(occupancy.cpus_, [&](auto& c) { each.number(c.stream); });
  each.number(occupancy.doubts_.unmatched_stops);
  each.number(occupancy.doubts_.replaced);
  each.number(occupancy.doubts_.moved);
  each.number(occupancy.doubts_.jumps);
  for_all(counts.by_type, [&](auto& count) { each.number(count); });
  each.number(counts.undeclared);
  each.number(counts.all);
  each.number(counts.lost);
  for (std::uint32_t i = 0; i < threads; ++i) {
    std::uint8_t is = (actors.threads_[i].has_ended ? 1 : 0) | (actors.threads_[i].is_idle ? 2 : 0);
    each.number(is);
    if ((is & 1) != 0) actors.threads_.end(i);
    actors.threads_[i].is_idle = (is & 2) != 0;
  }
  for_all(occupancy.cpus_, [&](auto& c) { each.index(c.idle.thread, threads); });
  for_all(occupancy.cpus_, [&](auto& c) { each.number(c.idle.since); });
}

std::array<std::size_t, CheckpointWords::kColumns> CheckpointWords::column_sizes(std::span<const std::uint64_t> words,
                                                                                 std::size_t streams) {
  const auto size = [&](std::size_t word) { return static_cast<std::size_t>(words[word]); };
  const auto [cells, running, seen, used, types] = std::array{size(2), size(3), size(4), size(5), size(6)};
  const std::size_t s = streams;
  return {2,    s,    s,    s,    s, s, s, cells, cells, cells, running, running, running, running, seen, seen,
          seen, seen, used, used, 1, 1, 1, 1,     types, 1,     1,       1,       size(0), used,    used};
}

// What cells, types and the rest were counted by. Of the doubts, `moved` may turn out to be none.
bool CheckpointWords::only_grows(std::size_t column) {
  constexpr std::size_t kOfCells = 7;
  constexpr std::size_t kUnmatched = 20;
  constexpr std::size_t kMoved = 22;
  constexpr std::size_t kEnded = 28;
  if (column >= kEnded) return false;
  return (column >= kOfCells && column < kOfCells + 3) || (column >= kUnmatched && column != kMoved);
}

std::size_t CheckpointWords::most(const Session& session, const CheckpointDirectory::OfSession& directory) {
  constexpr std::size_t kSingle = 9;
  return kSizes + kSingle + session.streams.size() * 6 + directory.cell_threads.size() * 3 +
         directory.threads.size() * 9 + directory.cpus.size() * 4 + session.types.size();
}

std::size_t CheckpointWords::size(const CheckpointParts& state) {
  const CpuTime::Impl& cpu = CpuTime::Impl::of(state.cpu);
  return cpu.cells_.size() * 3 + cpu.threads_.size() * 4 + state.occupancy.threads_.size() * 3 +
         Actors::Impl::of(state.actors).streams_.size() * 6;
}

std::vector<std::uint64_t> CheckpointWords::save(const CheckpointParts& state) {
  const CpuTime::Impl& cpu = CpuTime::Impl::of(state.cpu);
  std::vector<std::uint64_t> words = {state.actors.threads().size(),
                                      state.actors.cpus().size(),
                                      cpu.cells_.size(),
                                      cpu.threads_.size(),
                                      state.occupancy.threads_.size(),
                                      state.occupancy.cpus_.size(),
                                      EventCounts::Impl::of(state.counts).by_type.size()};
  words.reserve(size(state) + 64);
  Saver saver(&words);
  visit(state, saver);
  return words;
}

namespace {

// The first `count` actors of the directory.
bool fill(const std::vector<Actor>& from, std::uint64_t count, ActorTable* table) {
  if (count > from.size()) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    // Several may have had one number, one after another: it is the last one's.
    const bool is_again = i == table->size() && table->has(from[i].number, from[i].part, from[i].is_stream);
    const std::uint32_t index = is_again && !from[i].is_stream
                                    ? table->begin_again(from[i].number, from[i].part)
                                    : table->index(from[i].number, from[i].part, from[i].is_stream);
    if (index != i) return false;
    (*table)[i].name = from[i].name;
  }
  return true;
}

}  // namespace

bool CheckpointWords::restore(std::span<const std::uint64_t> words, const CheckpointDirectory::OfSession& directory,
                              const CheckpointParts& state) {
  if (words.size() < kSizes) return false;
  const auto [threads, cpus, cells, running, seen, used, types] =
      std::array{words[0], words[1], words[2], words[3], words[4], words[5], words[6]};
  Actors::Impl& actors = Actors::Impl::of(state.actors);
  CpuTime::Impl& cpu = CpuTime::Impl::of(state.cpu);
  const bool fits = cells <= directory.cell_threads.size() && cells <= directory.cell_cpus.size() && running <= seen &&
                    seen <= threads && used <= cpus && types <= actors.session().types.size();
  if (!fits || !fill(directory.threads, threads, &actors.threads_) || !fill(directory.cpus, cpus, &actors.cpus_)) {
    return false;
  }
  for (std::uint32_t i = 0; i < cells; ++i) {
    const std::uint32_t thread = directory.cell_threads[i];
    const std::uint32_t on = directory.cell_cpus[i];
    if (thread >= running || on >= used) return false;
    cpu.cells_.push_back({thread, on, 0, 0, 0});
    if (cpu.cell_of_pair_.index(thread, on, i) != i) return false;
  }
  cpu.threads_.resize(static_cast<std::size_t>(running));
  state.occupancy.threads_.resize(static_cast<std::size_t>(seen));
  state.occupancy.cpus_.resize(static_cast<std::size_t>(used));
  EventCounts::Impl::of(state.counts).by_type.resize(static_cast<std::size_t>(types));
  Restorer restorer(words.subspan(kSizes));
  visit(state, restorer);
  if (!restorer.is_whole() || !is_consistent(state.cpu, state.occupancy)) return false;
  for (std::uint32_t i = 0; i < cpu.threads_.size(); ++i) {
    cpu.threads_[i].runs = state.occupancy.runs(i);
    cpu.threads_[i].uncertain_since = state.occupancy.uncertain_since(i);
  }
  for (std::uint32_t i = 0; i < state.occupancy.cpus_.size(); ++i) {
    const Occupancy::Idle idle = state.occupancy.idle(i);
    if (idle.thread == Actor::kNone) continue;
    const std::uint32_t cell = cpu.cell_of_pair_.index(idle.thread, i, PairTable::kNone);
    if (cell == PairTable::kNone || state.occupancy.cpus_[i].thread != Actor::kNone) return false;
    grown(&cpu.idle_, i) = {cell, idle.since};
  }
  return true;
}

// Each thread has a cell of its own, if any; who runs has that of its cpu; and thread and cpu know of each other.
bool CheckpointWords::is_consistent(const CpuTime& time, const Occupancy& occupancy) {
  const CpuTime::Impl& cpu = CpuTime::Impl::of(time);
  const auto& threads = occupancy.threads_;
  const auto& cpus = occupancy.cpus_;
  for (std::uint32_t i = 0; i < threads.size(); ++i) {
    const std::uint32_t cell = i < cpu.threads_.size() ? cpu.threads_[i].cell : Actor::kNone;
    if (cell != Actor::kNone && cpu.cells_[cell].thread != i) return false;
    const std::uint32_t on = threads[i].cpu;
    if (on == Actor::kNone) continue;
    if (cell == Actor::kNone || cpu.cells_[cell].cpu != on || on >= cpus.size() || cpus[on].thread != i) return false;
  }
  for (std::uint32_t i = 0; i < cpus.size(); ++i) {
    const std::uint32_t thread = cpus[i].thread;
    if (thread != Actor::kNone && (thread >= threads.size() || threads[thread].cpu != i)) return false;
  }
  return true;
}

void CheckpointWords::describe(const CheckpointParts& state, const Sizes& sizes,
                               CheckpointDirectory::OfSession* directory) {
  const auto take = [](const auto& all, std::uint64_t count, auto* to) {
    to->assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  };
  take(state.actors.threads().all(), sizes[0], &directory->threads);
  take(state.actors.cpus().all(), sizes[1], &directory->cpus);
  const std::vector<CpuTime::Cell>& cells = CpuTime::Impl::of(state.cpu).cells_;
  for (std::size_t i = 0; i < sizes[2]; ++i) {
    directory->cell_threads.push_back(cells[i].thread);
    directory->cell_cpus.push_back(cells[i].cpu);
  }
}

std::size_t CheckpointWords::directory_size(const CheckpointParts& state) {
  std::size_t size = CpuTime::Impl::of(state.cpu).cells_.size() * 2 * sizeof(std::uint32_t);
  for (const ActorList& list : {state.actors.threads(), state.actors.cpus()}) {
    for (const Actor& actor : list.all()) size += bytes_of(actor);
  }
  return size;
}

}  // namespace evt
