// What intervals were spent on, against programs that know it.
#include <evt/analysis/why.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scheduling.h"
#include "simulated_program.h"
#include "simulated_replay.h"
#include "support/sanitizer.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

// The text of a path, as a program tells it.
class WhyWords {
 public:
  WhyWords(Timeline& timeline, const Why& why) : timeline_(&timeline), why_(&why) {}

  std::string of(const Why::Path& path) const {
    std::string words;
    for (std::size_t i = 0; i < path.size(); ++i) {
      const WhyStep& step = path[i];
      if (step.kind == WhyKind::kCaused) {
        static constexpr const char* kHow[] = {"woke", "held", "sent", "ended", "created"};
        words += fmt::format(" > {} ", kHow[static_cast<std::size_t>(step.cause)]);
        continue;
      }
      if (step.kind == WhyKind::kOver) words += " > ";
      words += name(step.thread) + of(step);
    }
    return words;
  }

 private:
  std::string name(std::uint32_t thread) const { return std::to_string(timeline_->actors().threads()[thread].number); }
  std::string of(const WhyStep& step) const {
    switch (step.kind) {
      case WhyKind::kRan:
        return " ran " + place(step.place);
      case WhyKind::kWaited:
        return " waits " + place(step.place);
      case WhyKind::kRunnable:
        if (step.cpu == Actor::kNone) return " runnable";
        return fmt::format(" runnable {}: {}", timeline_->actors().cpus()[step.cpu].number,
                           step.other == Actor::kNone ? "" : name(step.other));
      case WhyKind::kUnknown:
        return " unknown " + place(step.place);
      case WhyKind::kOver:
        return " over";
      case WhyKind::kCollected:
        return " collected" + collection(step);
      case WhyKind::kStopped:
        return " stopped";
      case WhyKind::kUncertain:
        return " uncertain";
      case WhyKind::kOutside:
        return " outside";
      case WhyKind::kAbsent:
        return " absent";
      case WhyKind::kAndSoOn:
        return " and so on";
      case WhyKind::kCaused:
        break;
    }
    return "";
  }
  std::string collection(const WhyStep& step) const {
    std::string words;
    if (step.leader != Actor::kNone) {
      words += fmt::format(" led by {}", timeline_->actors().session().streams[step.leader].id);
    }
    if (step.other != Actor::kNone) words += " for " + name(step.other);
    return words;
  }
  std::string place(std::uint32_t index) const {
    const WhyPlace& place = why_->places()[index];
    if (place.name == Actor::kNone) return "";
    std::string words = timeline_->names().text(place.name);
    if (place.is_call && place.target != Actor::kNone) {
      const Usage::Target& target = why_->targets()[place.target];
      const bool is_named = target.name != Usage::kNone;
      words += " " + (is_named ? timeline_->names().text(target.name) : std::to_string(target.number));
    }
    return words;
  }

  Timeline* timeline_;
  const Why* why_;
};

std::uint32_t index_of_thread(std::uint64_t number, Timeline& timeline) {
  const std::vector<Actor>& all = timeline.actors().threads().all();
  const auto found = std::ranges::find_if(all, [&](const Actor& a) { return a.number == number && !a.is_stream; });
  return static_cast<std::uint32_t>(found - all.begin());
}

// A text as a trace, of which all that is needed is read.
class Explained {
 public:
  Explained(const std::string& text, TimeRange range, const Why::GroupsOf& groups = {},
            std::size_t most_bytes = std::size_t{1} << 20)
      : bytes_(trace_from_text(text)), trace_(open_trace(bytes_)), timeline_(trace_, {}) {
    timeline_.next_session();
    timeline_.hand_out(Why::items());
    timeline_.hand_out_rows(Why::rows());
    why_.emplace(timeline_, range, most_bytes);
    if (groups) why_->set_groups(groups);
  }
  // False: no more is needed. `take` is given each item after it was taken.
  void read(const std::function<void(const TimelineItem&)>& take = {}) {
    for (const TimelineItem* item = timeline_.next(); item != nullptr && why_->take(*item); item = timeline_.next()) {
      if (take) take(*item);
    }
  }
  Timeline& timeline() { return timeline_; }
  Why& why() { return *why_; }

 private:
  std::string bytes_;
  Trace trace_;
  Timeline timeline_;
  std::optional<Why> why_;
};

// The parts of an interval, one a line, the first first; fails if they leave a gap or overlap.
std::string parts_of(Explained& explained, std::uint32_t thread, std::int64_t from, std::int64_t to,
                     Why::Moment end = Why::kEnd) {
  std::string parts;
  std::int64_t until = to;
  const WhyWords words(explained.timeline(), explained.why());
  const Why::Take take = [&](std::int64_t began, std::int64_t ended, const Why::Path& path) {
    EXPECT_EQ(ended, until);
    EXPECT_LT(began, ended);
    parts = fmt::format("{}-{} {}\n", began, ended, words.of(path)) + parts;
    until = began;
  };
  explained.why().divide(thread, from, to, take, end);
  EXPECT_EQ(until, from);
  return parts;
}

std::string parts_of(const std::string& text, std::uint64_t thread, std::int64_t from, std::int64_t to, TimeRange range,
                     std::size_t most_bytes = std::size_t{1} << 20) {
  Explained explained(text, range, {}, most_bytes);
  explained.read();
  return parts_of(explained, index_of_thread(thread, explained.timeline()), from, to);
}

// Each nanosecond by itself, joined where neighbours are alike.
std::string truth_of(const SimulatedProgram& program, unsigned thread, std::int64_t from, std::int64_t to) {
  std::string parts;
  for (std::int64_t ns = from; ns < to;) {
    const std::string is = program.truth(thread, ns);
    std::int64_t end = ns + 1;
    while (end < to && program.truth(thread, end) == is) ++end;
    parts += fmt::format("{}-{} {}\n", ns, end, is);
    ns = end;
  }
  return parts;
}

// Neighbours that are alike become one.
std::string joined_parts(const std::string& parts) {
  std::string all;
  std::string from, to, is;
  const auto flush = [&] {
    if (!from.empty()) all += from + "-" + to + " " + is + "\n";
  };
  for (std::size_t at = 0; at < parts.size();) {
    const std::size_t end = parts.find('\n', at);
    const std::string line = parts.substr(at, end - at);
    at = end + 1;
    const std::size_t dash = line.find('-');
    const std::size_t space = line.find(' ');
    const std::string what = line.substr(space + 1);
    if (!from.empty() && what == is) {
      to = line.substr(dash + 1, space - dash - 1);
      continue;
    }
    flush();
    from = line.substr(0, dash);
    to = line.substr(dash + 1, space - dash - 1);
    is = what;
  }
  flush();
  return all;
}

// With one event at its end, so that the trace ends with it.
std::string text_with_end(const SimulatedProgram& program) {
  return program.text() + fmt::format("0.{:09} 1 done\n", program.end_ns());
}

TEST(WhyOfRandomPrograms, IsWhatTheProgramsKnow) {
  constexpr TimeRange kAll;
  for (unsigned seed = 0; seed < 500; seed += kEveryCase) {
    SimulatedProgram program(seed);
    const std::string text = text_with_end(program);
    const unsigned thread = program.below(program.threads());
    std::int64_t to = program.end_ns();
    ASSERT_EQ(joined_parts(parts_of(text, thread + 1, 0, to, kAll)), truth_of(program, thread, 0, to))
        << "seed " << seed << "\n"
        << text;
    const std::int64_t born = program.born_ns(thread);
    to = born + 1 + program.below(static_cast<unsigned>(to - born));
    const std::int64_t from = program.below(static_cast<unsigned>(to));
    ASSERT_EQ(joined_parts(parts_of(text, thread + 1, from, to, {from, to})), truth_of(program, thread, from, to))
        << "seed " << seed << " from " << from << " to " << to << "\n"
        << text;
  }
}

TEST(WhyOfRandomPrograms, IsTheSameWhereChangesDoNotFitInMemory) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const SimulatedProgram program(seed, 1000, 60'000);
    const std::string text = text_with_end(program);
    for (unsigned thread = 0; thread < 2; ++thread) {
      ASSERT_TRUE(joined_parts(parts_of(text, thread + 1, 0, program.end_ns(), {}, 1)) ==
                  truth_of(program, thread, 0, program.end_ns()))
          << "seed " << seed << " thread " << thread;
    }
  }
}

// Spans that overlap, from the moments at which they ended.
TEST(WhyOfRandomPrograms, ExplainsAllSpansInAnyOrder) {
  struct Span {
    std::uint32_t thread;
    std::int64_t from;
    std::int64_t to;
    Why::Moment end;
  };
  for (unsigned seed = 0; seed < 100; ++seed) {
    const SimulatedProgram program(seed);
    Explained explained(text_with_end(program), {});
    std::vector<Span> spans;
    explained.read([&](const TimelineItem& item) {
      if (item.kind != ItemKind::kEnded || item.is_open) return;
      spans.push_back({item.thread, item.began_ns, item.ended_ns, explained.why().moment(item.thread)});
    });
    for (const Span& span : spans) {
      const auto thread = static_cast<unsigned>(explained.timeline().actors().threads()[span.thread].number - 1);
      ASSERT_EQ(joined_parts(parts_of(explained, span.thread, span.from, span.to, span.end)),
                truth_of(program, thread, span.from, span.to))
          << "seed " << seed << " from " << span.from;
    }
  }
}

// What is shorter, in the words of the program: a span, a call, or waits for a lock.
struct LeftOut {
  const char* open;  // as the program has it
  const char* name;
  std::uint64_t lock;
};

std::int64_t most_sooner(const SimulatedProgram& program, unsigned thread, TimeRange range, const LeftOut& what,
                         double factor) {
  Explained* explained = nullptr;
  Explained all(text_with_end(program), range, [&](std::uint32_t name) {
    return std::uint16_t{explained->timeline().names().text(name) == what.name};
  });
  explained = &all;
  all.read();
  Why::Shorter shorter{.factor = factor};
  for (const Usage::Target& target : all.why().targets()) {
    const bool is_lock = target.resource != Usage::kNone && all.timeline().names().text(target.resource) == "lock";
    shorter.targets.push_back(is_lock && target.number == what.lock);
  }
  return all.why().sooner(index_of_thread(thread + 1, all.timeline()), range.from_ns, range.to_ns, shorter);
}

TEST(WhatIfOfRandomPrograms, GainsNoMoreThanTheBound) {
  constexpr LeftOut kAll[] = {{"s0", "s0", 0}, {"read 20", "read", 0}, {"lock 1", "", 1}};
  unsigned gained = 0;
  unsigned exact = 0;
  for (unsigned seed = 0; seed < 500; seed += kEveryCase) {
    SimulatedProgram program(seed, 8);
    // Up to a moment in which it ran, from one near the beginning.
    const unsigned thread = program.below(program.threads());
    std::int64_t to = program.end_ns() - 1 - program.below(static_cast<unsigned>(program.end_ns() / 2));
    while (to > 0 && !program.ran(thread, to)) --to;
    const std::int64_t from = program.below(static_cast<unsigned>(to / 4 + 1));
    const auto no = [](unsigned, std::int64_t) { return false; };
    ASSERT_EQ(SimulatedReplay(program, from, no).ends(thread, to), to) << "seed " << seed;
    for (const LeftOut& what : kAll) {
      const auto is_in = [&](unsigned of, std::int64_t ns) { return program.was_in(of, ns, what.open); };
      const std::int64_t sooner = to - SimulatedReplay(program, from, is_in).ends(thread, to);
      const std::int64_t bound = most_sooner(program, thread, {from, to}, what, 0);
      ASSERT_GE(bound, sooner) << "seed " << seed << " " << what.open << " of " << thread + 1 << " from " << from
                               << " to " << to << "\n"
                               << program.text();
      ASSERT_LE(bound, to - from);
      gained += sooner > 0 ? 1 : 0;
      exact += sooner > 0 && bound == sooner ? 1 : 0;
    }
  }
  EXPECT_GT(gained, 300U / kEveryCase);
  EXPECT_GT(exact, 100U / kEveryCase);
}

TEST(WhatIfOfRandomPrograms, GainsNothingWhereNothingIsShorter) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const SimulatedProgram program(seed);
    EXPECT_EQ(most_sooner(program, 0, {0, program.end_ns()}, {"", "read", 1}, 1), 0);
    EXPECT_EQ(most_sooner(program, 0, {0, program.end_ns()}, {"", "none", 9}, 0), 0);
  }
}

// Whether threads run as no scheduler would have it, or two at a time on a cpu.
TEST(WhyOfRandomSchedules, LeavesNoGapAndDoesNotOverlap) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Scheduling scheduling(seed);
    const std::int64_t from = scheduling.end_ns() / 5;
    for (const std::uint64_t thread : {scheduling.steps().front().thread, scheduling.steps().back().thread}) {
      const std::string parts = parts_of(scheduling.text(), thread, from, scheduling.end_ns(), {from, INT64_MAX});
      ASSERT_NE(parts, "") << "seed " << seed;
    }
  }
}

constexpr std::string_view kWhyTypes =
    "type 1024 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 1025 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason "
    "labels=[1=preempted 3=blocked 5=finished 6=called_out]) (object u64 role=object)\n"
    "type 1026 wake role=threadWake (thread u64 role=thread) (waker u64 role=waker)\n"
    "type 1027 new role=threadCreate (thread u64 role=thread)\n"
    "type 1028 call role=callBegin (function text role=function) (object u64 role=object) (resource text "
    "role=resource) (holder u64 role=holder)\n"
    "type 1029 back role=callEnd (holder u64 role=holder)\n"
    "type 1030 release role=lockRelease (object u64 role=object)\n"
    "type 1032 mark role=mark\n"
    "type 1033 connected role=objectName (object u64 role=object) (end u64 role=flow)\n"
    "type 1034 closed role=objectClose (object u64 role=object)\n"
    "type 1035 ready role=callEnd (amount u64 role=amount)\n"
    "type 20 process.stopped role=stopped (duration tick_delta role=duration)\n";

std::string parts_of(const std::string& text, std::uint64_t thread, std::int64_t to) {
  return parts_of(std::string(kWhyTypes) + text, thread, 0, to, {});
}

// Without events of when threads run, calls about objects are waits.
TEST(WhyOfWaits, IsTheHolderWhereNoEventShowsWhenThreadsRun) {
  EXPECT_EQ(parts_of("stream 1 \"a\" thread=1\nstream 2 \"b\" thread=2\n"
                     "0.000000000 1 mark\n0.000000000 2 mark\n"
                     "0.000000000 2 call function=\"write\" object=9 resource=\"file\" holder=0\n"
                     "0.000000010 1 call function=\"lock\" object=7 resource=\"lock\" holder=2\n"
                     "0.000000030 2 back holder=0\n"
                     "0.000000040 2 release object=7\n"
                     "0.000000045 1 back holder=0\n0.000000060 1 mark\n",
                     1, 60),
            "0-10 1 absent\n10-30 1 waits lock 7 > held 2 waits write 9\n"
            "30-40 1 waits lock 7 > held 2 unknown \n40-45 1 waits lock 7 > 1 over\n45-60 1 unknown \n");
}

TEST(WhyOfWaits, IsTheProcessThatTheCallNamesWhenItEnds) {
  EXPECT_EQ(parts_of("stream 1 \"a\" thread=1\nstream 2 \"b\" thread=2\n"
                     "0.000000000 1 run thread=1 cpu=0\n0.000000000 2 run thread=2 cpu=1\n"
                     "0.000000010 1 call function=\"waitpid\" object=0 resource=\"process\" holder=0\n"
                     "0.000000010 1 stop thread=1 reason=blocked object=0\n"
                     "0.000000030 2 stop thread=2 reason=finished object=0\n"
                     "0.000000040 1 run thread=1 cpu=0\n"
                     "0.000000045 1 back holder=2\n0.000000060 1 mark\n",
                     1, 60),
            "0-10 1 ran \n10-30 1 waits waitpid 0 > ended 2 ran \n30-40 1 waits waitpid 0 > 1 over\n"
            "40-45 1 ran waitpid 0\n45-60 1 ran \n");
}

// Ends 10 and 11 are those of one connection.
TEST(WhyOfWaits, IsWhoSendsFromTheOtherEndOfTheConnection) {
  const auto parts = [](const std::string& closed) {
    return parts_of(
        "stream 1 \"a\" thread=1\nstream 2 \"b\" thread=2\nstream 3 \"c\" thread=3\n"
        "0.000000000 1 connected object=7 end=10\n0.000000000 2 connected object=8 end=11\n"
        "0.000000000 3 mark\n" +
            closed +
            "0.000000010 1 call function=\"recv\" object=7 resource=\"socket\" holder=0\n"
            "0.000000020 2 call function=\"send\" object=8 resource=\"socket\" holder=0\n"
            "0.000000030 2 back holder=0\n"
            "0.000000032 3 call function=\"send\" object=7 resource=\"socket\" holder=0\n"
            "0.000000034 3 back holder=0\n"
            "0.000000040 1 back holder=0\n0.000000050 1 mark\n",
        1, 50);
  };
  EXPECT_EQ(parts(""),
            "0-10 1 absent\n10-20 1 waits recv 7 > sent 2 absent\n20-30 1 waits recv 7 > sent 2 waits send 8\n"
            "30-40 1 waits recv 7 > 1 over\n40-50 1 unknown \n");
  EXPECT_EQ(parts("0.000000005 1 closed object=7\n"), "0-10 1 absent\n10-40 1 waits recv 7\n40-50 1 unknown \n");
}

// The thread reads next from the one that ended its wait. A poll that found nothing shows none, nor does a later write.
TEST(WhyOfWaits, ForAnyOfSeveralIsWhoWroteWhatIsReadNext) {
  const auto parts = [](const std::string& ready, const std::string& begins, const std::string& ends,
                        const std::string& next) {
    return parts_of(
        "stream 1 \"a\" thread=1\nstream 2 \"b\" thread=2\n"
        "0.000000000 1 run thread=1 cpu=0\n0.000000000 2 run thread=2 cpu=1\n"
        "0.000000000 1 connected object=7 end=10\n0.000000000 2 connected object=8 end=11\n"
        "0.000000010 1 call function=\"poll\" object=0 resource=\"descriptors\" holder=0\n"
        "0.000000010 1 stop thread=1 reason=blocked object=0\n"
        "0.000000040 1 run thread=1 cpu=0\n0.000000042 1 ready amount=" +
            ready + "\n" + begins + " 2 call function=\"send\" object=8 resource=\"socket\" holder=0\n" + ends +
            " 2 back holder=0\n" + next +
            "0.000000052 1 call function=\"recv\" object=7 resource=\"socket\" holder=0\n"
            "0.000000054 1 back holder=0\n0.000000060 1 mark\n",
        1, 46);
  };
  const std::string unknown = "0-10 1 ran \n10-40 1 waits poll 0\n40-42 1 ran poll 0\n42-46 1 ran \n";
  const std::string other =
      "0.000000048 1 call function=\"accept\" object=9 resource=\"socket\" holder=0\n0.000000048 1 back holder=0\n";
  EXPECT_EQ(parts("1", "0.000000020", "0.000000030", ""),
            "0-10 1 ran \n10-20 1 waits poll 0 > sent 2 ran \n20-30 1 waits poll 0 > sent 2 ran send 8\n"
            "30-40 1 waits poll 0 > 1 over\n40-42 1 ran poll 0\n42-46 1 ran \n");
  EXPECT_EQ(parts("1", "0.000000044", "0.000000046", ""), unknown);
  EXPECT_EQ(parts("0", "0.000000020", "0.000000030", ""), unknown);
  EXPECT_EQ(parts("1", "0.000000020", "0.000000030", other), unknown);
}

TEST(WhyOfWaits, HasStopsOfTheProcessAndLossesOfTheirOwn) {
  EXPECT_EQ(parts_of("stream 1 \"a\" thread=1\n"
                     "0.000000000 1 run thread=1 cpu=0\n"
                     "0.000000030 1 process.stopped duration=0.000000010\n"
                     "0.000000040 1 !lost count=3 cause=ring_full duration=0.000000005\n"
                     "0.000000050 1 stop thread=1 reason=called_out object=0\n0.000000060 1 mark\n",
                     1, 60),
            "0-20 1 ran \n20-30 1 stopped\n30-35 1 ran \n35-40 1 uncertain\n40-50 1 uncertain\n50-60 1 outside\n");
}

// A thread is created by the thread of the stream that says so.
TEST(WhyOfWaits, GoesOnWithTheThreadThatCreatedAnother) {
  EXPECT_EQ(parts_of("stream 1 \"a\" thread=1\nstream 2 \"b\" thread=2\n"
                     "0.000000000 1 run thread=1 cpu=0\n"
                     "0.000000010 1 new thread=2\n"
                     "0.000000020 2 run thread=2 cpu=0\n0.000000030 2 mark\n",
                     2, 30),
            "0-10 2 absent > created 1 ran \n10-20 2 runnable 0: 1\n20-30 2 ran \n");
}

}  // namespace
}  // namespace evt::testing
