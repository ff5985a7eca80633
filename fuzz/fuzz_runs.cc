// Any intervals: runs have each nanosecond once, however often their columns became wider.
#include <cstdint>
#include <cstdlib>
#include <map>

#include "libtrace-view/rows/state_runs.h"

namespace {

using evt::view::Key;
using evt::view::Scale;
using evt::view::Shares;
using evt::view::StateRuns;
using evt::view::Zoom;

using Sums = std::map<std::pair<std::uint32_t, Key>, std::uint64_t>;

void require(bool holds) {
  if (!holds) std::abort();
}

Sums shown(const StateRuns& runs, const Scale& of, const Scale& as) {
  Shares shares;
  runs.show(Zoom(of, as), &shares);
  Sums sums;
  for (const Shares::Cell& cell : shares.cells())
    require(sums.emplace(std::pair(cell.column, cell.key), cell.ns).second);
  return sums;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Scale fine = Scale::of_level(0, -1024, 65'536);
  Scale scale = fine;
  StateRuns exact;  // in columns of one nanosecond
  StateRuns runs;
  std::int64_t now = -std::int64_t{data[1]} * 16;
  std::uint64_t sum = 0;
  for (std::size_t i = 2; i + 3 <= size && i < 3'000; i += 3) {
    const auto key = static_cast<Key>(data[i] % evt::view::kKeys);
    if (data[i + 1] >= 128) now += data[i + 1] - 128;
    const std::int64_t end = now + (std::int64_t{data[i + 2]} << (data[i + 1] % 8));
    exact.add(fine, key, now, end);
    runs.add(scale, key, now, end);
    const std::int64_t inside = std::min(end, fine.to_ns()) - std::max(now, fine.from_ns());
    if (inside > 0) sum += static_cast<std::uint64_t>(inside);
    now = end;
    if (data[i] < data[0] || scale.level() == 9) continue;
    runs.coarsen(scale);
    scale = scale.coarser();
  }
  for (const Scale& as : {scale, scale.coarser(), Scale::of_level(scale.level() + 1, 7, 20)}) {
    const Sums sums = shown(runs, scale, as);
    require(sums == shown(exact, fine, as));
    std::map<std::uint32_t, std::uint64_t> columns;
    for (const auto& [where, ns] : sums) require((columns[where.first] += ns) <= as.width(where.first));
  }
  std::uint64_t all = 0;
  for (const auto& [where, ns] : shown(runs, scale, scale)) all += ns;
  require(all == sum);
  return 0;
}
