#include "cpu_rows.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "actor_names.h"
#include "collector_key.h"

namespace evt::view {
namespace {

constexpr const char* kCpusKey = "cpus";

bool is_same(const Actor& a, const Actor& b) {
  return a.number == b.number && a.part == b.part && a.is_stream == b.is_stream;
}

}  // namespace

CpuLoads::CpuLoads(StateHistory& history, std::size_t session, std::size_t most) {
  history.each_checkpoint(session, most, [this](std::int64_t ns, const SessionState& state) { add(ns, state); });
}

CpuLoads::OfCpu* CpuLoads::of(const Actor& cpu) {
  const auto known =
      std::find_if(cpus_.begin(), cpus_.end(), [&](const OfCpu& each) { return is_same(each.cpu, cpu); });
  if (known != cpus_.end()) return &*known;
  cpus_.push_back({cpu, std::vector<std::uint64_t>(moments_.size() - 1)});
  return &cpus_.back();
}

// What cpus run when they have nothing to do is no thread.
void CpuLoads::add(std::int64_t ns, const SessionState& state) {
  moments_.push_back(ns);
  const ActorList cpus = state.actors.cpus();
  const ActorList threads = state.actors.threads();
  std::vector<std::uint64_t> sums(cpus.size());
  for (const CpuTime::Cell& cell : state.cpu.cells(ns)) {
    if (cell.cpu < sums.size() && !threads[cell.thread].is_idle) sums[cell.cpu] += cell.ns;
  }
  for (std::uint32_t i = 0; i < sums.size(); ++i) of(cpus[i])->ns.push_back(sums[i]);
  for (OfCpu& each : cpus_) each.ns.resize(moments_.size(), each.ns.empty() ? 0 : each.ns.back());
}

std::uint64_t CpuLoads::until(const OfCpu& cpu, std::size_t moment, std::int64_t ns) const {
  const std::uint64_t before = cpu.ns[moment - 1];
  const std::uint64_t all = cpu.ns[moment] > before ? cpu.ns[moment] - before : 0;
  const std::uint64_t length = ns_between(moments_[moment - 1], moments_[moment]);
  if (ns >= moments_[moment]) return all;
  const double share = static_cast<double>(ns_between(moments_[moment - 1], ns)) / static_cast<double>(length);
  return std::min(all, static_cast<std::uint64_t>(static_cast<double>(all) * share));
}

void CpuLoads::show(const Actor& cpu, const Scale& scale, std::int64_t from_ns, Shares* shares) const {
  const auto known =
      std::find_if(cpus_.begin(), cpus_.end(), [&](const OfCpu& each) { return is_same(each.cpu, cpu); });
  if (known == cpus_.end()) return;
  for (std::size_t moment = 1; moment < moments_.size(); ++moment) {
    std::int64_t now = std::max({moments_[moment - 1], from_ns, scale.from_ns()});
    const std::int64_t end = std::min(moments_[moment], scale.to_ns());
    while (now < end) {
      const std::uint32_t column = scale.column_of(now);
      const std::int64_t next = std::min(end, scale.edge(column + 1));
      const std::uint64_t ns = until(*known, moment, next) - until(*known, moment, now);
      if (ns > 0) shares->add_to(column, key_of(RowState::kRunning), ns);
      now = next;
    }
  }
}

void CpuRows::number(Actors& actors, const TimelineItem& item) {
  const bool collects = item.kind == ItemKind::kCollectorBegan || item.kind == ItemKind::kCollectorPhase ||
                        item.kind == ItemKind::kCollectorEnded;
  if (collects) actors.cpu_of(*item.stream);
}

void CpuRows::take_change(const TimelineItem& item) {
  switch (item.kind) {
    case ItemKind::kState:
      return change_thread(item);
    case ItemKind::kIdleThread:
      return leave(item.thread, item.ns);
    case ItemKind::kIdleBegan:
      if (item.cpu < Actor::kOthers) meet(&at(item.cpu), item.stream, true);
      return;
    case ItemKind::kUncertain:
      if (item.thread < where_.size() && where_[item.thread] != Actor::kNone) {
        std::int64_t& since = cpus_[where_[item.thread]].uncertain_since;
        since = std::min(since, item.began_ns);
      }
      return;
    case ItemKind::kCollectorBegan:
      return change_phase(item, CollectorPhase::kWork);
    case ItemKind::kCollectorPhase:
      return change_phase(item, item.phase);
    case ItemKind::kCollectorEnded:
      return change_phase(item, CollectorPhase::kNone);
    case ItemKind::kFold:
      for (const std::uint32_t thread : item.event->fold->all()) leave(thread, item.ns);
      return;
    default:
      return;
  }
}

CpuRows::Cpu& CpuRows::at(std::uint32_t cpu) {
  if (cpu >= cpus_.size()) cpus_.resize(cpu + std::size_t{1});
  return cpus_[cpu];
}

void CpuRows::meet(Cpu* cpu, const StreamInfo* stream, bool runs_threads) {
  cpu->is_met = true;
  cpu->runs_threads |= runs_threads;
  if (stream != nullptr) cpu->streams.insert(static_cast<std::uint32_t>(stream - streams_));
}

// The last item of what runs when the session ends is of its state then.
void CpuRows::change_thread(const TimelineItem& item) {
  leave(item.thread, item.ns);
  const bool is_held = item.is_collecting && item.cpu >= Actor::kOthers;
  if (is_held) {
    held_.insert(item.thread);
  } else if (!held_.empty()) {
    held_.erase(item.thread);
  }
  const bool is_there = item.state == ThreadState::kRunning || item.is_collecting;
  if (item.is_open || !is_there || item.cpu >= Actor::kOthers) return;
  if (item.thread >= where_.size()) where_.resize(item.thread + std::size_t{1}, Actor::kNone);
  Cpu& cpu = at(item.cpu);
  meet(&cpu, item.stream, true);
  where_[item.thread] = item.cpu;
  cpu.thread = item.thread;
  show(&cpu, item.ns);
}

void CpuRows::leave(std::uint32_t thread, std::int64_t ns) {
  if (thread >= where_.size() || where_[thread] == Actor::kNone) return;
  Cpu& cpu = cpus_[where_[thread]];
  where_[thread] = Actor::kNone;
  if (cpu.thread != thread) return;
  if (cpu.uncertain_since < ns) cpu.uncertain.add(*scale_, cpu.uncertain_since, ns);
  cpu.uncertain_since = kCertain;
  cpu.thread = Actor::kNone;
  show(&cpu, ns);
}

// A collector that works on a thread is where that is, if that collects when the collection begins.
void CpuRows::change_phase(const TimelineItem& item, CollectorPhase phase) {
  std::uint32_t& on = works_on_.try_emplace(item.stream, Actor::kNone).first->second;
  const bool is_there =
      (item.thread < where_.size() && where_[item.thread] != Actor::kNone) || held_.contains(item.thread);
  if (item.kind == ItemKind::kCollectorBegan) on = is_there ? item.thread : Actor::kNone;
  if (on != Actor::kNone) {
    if (on >= phases_.size()) phases_.resize(on + std::size_t{1}, CollectorPhase::kNone);
    phases_[on] = phase;
    if (on < where_.size() && where_[on] != Actor::kNone) show(&cpus_[where_[on]], item.ns);
    return;
  }
  const std::uint32_t cpu = actors_->cpu_of(*item.stream);
  if (cpu >= Actor::kOthers) return;
  meet(&at(cpu), item.stream, false);
  cpus_[cpu].phase = phase;
  show(&cpus_[cpu], item.ns);
}

void CpuRows::show(Cpu* cpu, std::int64_t ns) {
  const bool runs = cpu->thread != Actor::kNone;
  const bool has_own = cpu->phase != CollectorPhase::kNone || !runs || cpu->thread >= phases_.size();
  const Key collects = key_of(has_own ? cpu->phase : phases_[cpu->thread]);
  cpu->course.become(*scale_, collects == kNothing && runs ? key_of(RowState::kRunning) : collects, ns);
}

void CpuRows::go_on_from(const CpuRows& other) {
  where_ = other.where_;
  works_on_ = other.works_on_;
  phases_ = other.phases_;
  held_ = other.held_;
  for (const Cpu& cpu : other.cpus_) {
    cpus_.push_back({{cpu}, {}, {}});
    cpus_.back().course.go_on_from(cpu.course);
  }
}

void CpuRows::coarsen() {
  for (Cpu& cpu : cpus_) {
    cpu.course.coarsen(*scale_);
    cpu.uncertain.coarsen();
  }
}

std::size_t CpuRows::size() const {
  std::size_t size = 0;
  for (const Cpu& cpu : cpus_) size += cpu.course.size() + cpu.uncertain.size();
  return size;
}

void CpuRows::add_expected(const Actor& cpu, const TrackView& view, Track* track) const {
  const std::int64_t last_ns = end_ns_of(actors_->session());
  if (view.until_ns >= last_ns) return;
  expected_.show(cpu, view.zoom.as(), view.until_ns, &track->shares.front());
  track->unread.add(view.zoom.as(), view.until_ns, last_ns);
}

std::vector<std::uint32_t> CpuRows::in_order() const {
  const ActorList actors = actors_->cpus();
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < cpus_.size(); ++i) {
    if (cpus_[i].is_met) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return comes_before(actors[a], actors[b]); });
  return order;
}

Track CpuRows::track_of(std::uint32_t index, const TrackView& view) const {
  const Actor& actor = actors_->cpus()[index];
  const Cpu& cpu = cpus_[index];
  const bool is_of_machine = groups_->is_of_run(actor.part) && groups_->has_system_cpus() && !actor.is_stream;
  Track track;
  track.kind = TrackKind::kCpu;
  track.key = "cpu/" + std::to_string(index);
  track.name = name_of(actor, "cpu", false);
  track.part = is_of_machine ? Actor::kNone : actor.part;
  track.rows = cpu.runs_threads ? 1 : 0;
  cpu.course.show(view.zoom, view.until_ns, &track.shares.emplace_back());
  track.lost = view.losses.lost(cpu.streams);
  track.stopped = view.losses.stopped(actor.part);
  track.uncertain = cpu.uncertain.seen(view.zoom);
  if (!expected_.is_empty()) add_expected(actor, view, &track);
  return track;
}

Track CpuRows::sum_of(const std::vector<Shown>& cpus) const {
  std::set<std::tuple<std::string, std::uint32_t, bool, std::uint64_t>> different;  // by machine, or part, and number
  Track sum;
  sum.kind = TrackKind::kCpus;
  sum.key = kCpusKey;
  sum.name = "all cpus";
  for (const auto& [index, cpu] : cpus) {
    if (!cpus_[index].runs_threads) continue;
    const Actor& actor = actors_->cpus()[index];
    const std::string machine = actor.is_stream ? "" : groups_->machine_of(actor.part);
    different.emplace(machine, machine.empty() ? actor.part : Actor::kNone, actor.is_stream, actor.number);
    sum.shares.push_back(cpu.shares.front());
    sum.lost.add(cpu.lost);
    sum.stopped.add(cpu.stopped);
    sum.unread.add(cpu.unread);
  }
  sum.rows = static_cast<std::uint32_t>(different.size());
  return sum;
}

std::vector<Track> CpuRows::tracks(const TrackView& view, const Wanted& wanted) const {
  const ActorList actors = actors_->cpus();
  std::vector<std::uint32_t> all;
  for (const std::uint32_t i : in_order()) {
    if (wanted(TrackKind::kCpu, name_of(actors[i], "cpu", false))) all.push_back(i);
  }
  const auto runs_threads = [this](std::uint32_t i) { return cpus_[i].runs_threads; };
  const bool has_sum = view.shows(kCpusKey) && std::count_if(all.begin(), all.end(), runs_threads) > 1;
  const auto is_shown = [&](std::uint32_t i) { return view.shows("cpu/" + std::to_string(i)); };
  std::vector<Shown> cpus;
  for (const std::uint32_t i : all) {
    if (is_shown(i) || (has_sum && runs_threads(i))) cpus.emplace_back(i, track_of(i, view));
  }
  std::vector<Track> tracks;
  if (has_sum) tracks.push_back(sum_of(cpus));
  for (auto& [index, track] : cpus) {
    if (is_shown(index)) tracks.push_back(std::move(track));
  }
  return tracks;
}

}  // namespace evt::view
