#include "cpu_loads.h"

#include <algorithm>

#include "row_state.h"

namespace evt::view {
namespace {

bool is_same(const Actor& a, const Actor& b) {
  return a.number == b.number && a.part == b.part && a.is_stream == b.is_stream;
}

std::uint64_t distance(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
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
  const std::uint64_t length = distance(moments_[moment - 1], moments_[moment]);
  if (ns >= moments_[moment]) return all;
  const double share = static_cast<double>(distance(moments_[moment - 1], ns)) / static_cast<double>(length);
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

}  // namespace evt::view
