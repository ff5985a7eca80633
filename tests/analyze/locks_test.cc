// Who waited for locks and who held them, against programs that know it, nanosecond by nanosecond.
#include <evt/analysis/locks.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "simulated_program.h"
#include "support/sanitizer.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

// By lock and holder; of a holder that is not known the name is empty.
using Times = std::map<std::pair<std::string, std::string>, std::uint64_t>;

struct Found {
  Times held;
  std::map<std::string, std::uint64_t> waited;
};

Found found_in(const std::string& text) {
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  Timeline timeline(trace, {});
  Found found;
  if (!timeline.next_session()) return found;
  timeline.hand_out_rows(Locks::rows());
  Locks locks(timeline);
  while (const TimelineItem* const item = timeline.next()) locks.take(*item);
  const auto name = [&](std::uint32_t target) { return std::to_string(locks.targets()[target].number); };
  for (const Locks::Lock& lock : locks.locks()) found.waited[name(lock.target)] += lock.ns;
  for (const Locks::Holder& holder : locks.holders()) {
    const bool is_known = holder.thread != Locks::kNone;
    found
        .held[{name(holder.lock), is_known ? std::to_string(timeline.actors().threads()[holder.thread].number) : ""}] +=
        holder.ns;
  }
  return found;
}

// A nanosecond in which a thread waits for a lock reads `2 waits lock 1 > held 3 ran ...`. Who woke it may have waited
// for it, too: `2 waits lock 1 > woke 3 waits lock 1 > woke 4 ran ...`. Who comes last to a barrier held the others,
// also before it existed.
std::string holder_in(const std::string& is, const std::string& lock, bool has_wakers) {
  const bool is_barrier = lock == "21";
  const std::string waits = (is_barrier ? " waits arrive " : " waits lock ") + lock + " > ";
  std::string holder;
  for (std::size_t at = is.find(' '); is.compare(at, waits.size(), waits) == 0;) {
    const std::size_t how = at + waits.size();
    if (is.compare(how, 5, "held ") != 0 && is.compare(how, 5, "woke ") != 0) break;
    at = is.find(' ', how + 5);
    holder = is.substr(how + 5, at - how - 5);
    if (is.compare(at, 7, " absent") == 0) return is_barrier ? holder : "";  // it has ended
    if (!has_wakers) break;
  }
  return holder;
}

Found truth_of(const SimulatedProgram& program) {
  const bool has_wakers = program.text().find(" wake thread=") != std::string::npos;
  Found truth;
  for (unsigned thread = 0; thread < program.threads(); ++thread) {
    for (std::int64_t ns = program.born_ns(thread); ns < program.end_ns(); ++ns) {
      const std::string is = program.truth(thread, ns);
      std::string rest = is.substr(is.find(' '));
      if (!rest.starts_with(" waits lock ") && !rest.starts_with(" waits arrive ")) continue;
      rest = rest.substr(rest.find(' ', 7) + 1);
      const std::string lock = rest.substr(0, rest.find(' '));
      ++truth.waited[lock];
      ++truth.held[{lock, holder_in(is, lock, has_wakers)}];
    }
  }
  return truth;
}

std::string text_of(const Found& found) {
  std::string text;
  for (const auto& [lock, ns] : found.waited) text += fmt::format("{}: {} ns\n", lock, ns);
  for (const auto& [of, ns] : found.held) text += fmt::format("{} by {}: {} ns\n", of.first, of.second, ns);
  return text;
}

TEST(LocksOfRandomPrograms, AreWhatTheProgramsKnow) {
  std::size_t compared = 0;
  for (unsigned seed = 0; seed < 500; seed += kEveryCase) {
    const SimulatedProgram program(seed);
    const std::string text = program.text() + fmt::format("0.{:09} 1 done\n", program.end_ns());
    const Found truth = truth_of(program);
    compared += truth.waited.size();
    ASSERT_EQ(text_of(found_in(text)), text_of(truth)) << "seed " << seed << "\n" << text;
  }
  EXPECT_GT(compared, 100U);
}

}  // namespace
}  // namespace evt::testing
