// Traces of anything that a timeline knows, made at random.
#pragma once

#include <fmt/core.h>

#include <random>
#include <string>

namespace evt::testing {

// Losses, collections, stops of the process and wakes beside threads and, if asked for, spans, on streams that share
// threads.
inline std::string anything(unsigned seed, bool with_spans = true) {
  std::mt19937 engine(seed);
  const auto random = [&] { return static_cast<unsigned>(engine()); };
  std::string text =
      "type 1 create role=threadCreate (t u8 role=thread)\ntype 2 run role=threadRun (t u8 role=thread) (c u8 "
      "role=cpu)\n"
      "type 3 stop role=threadStop (t u8 role=thread) (r enum16 role=reason labels=[3=blocked 5=finished])\n"
      "type 4 exit role=threadExit (t u8 role=thread)\n"
      "type 8 gc role=gcStart (g u16 role=generation)\ntype 9 gcend role=gcEnd\n"
      "type 10 halt role=stopped (d u32 role=duration unit=nanoseconds)\n"
      "type 11 wake role=threadWake (t u8 role=thread) (w u8 role=waker)\n"
      "stream 1 \"a\"\nstream 2 \"b\" thread=3\nstream 3 \"c\"\n";
  text += with_spans ? "type 5 in role=spanBegin (n text role=name)\ntype 6 out role=spanEnd\n"
                       "type 7 was role=span (n text role=name) (d u32 role=duration unit=nanoseconds)\n"
                     : "type 5 in (n text)\ntype 6 out\ntype 7 was (n text) (d u32)\n";
  std::int64_t ns = 1000;
  for (int i = 0; i < 150; ++i) {
    ns += random() % 3 == 0 ? 0 : random() % 40;
    const unsigned t = 1 + random() % 5;
    std::string event;
    switch (random() % 12) {
      case 0:
        event = fmt::format("create t={}", t);
        break;
      case 1:
      case 2:
        event = fmt::format("run t={} c={}", t, random() % 3);
        break;
      case 3:
        event = fmt::format("stop t={} r={}", t, random() % 3 == 0 ? 5 : 3);
        break;
      case 4:
        event = fmt::format("exit t={}", t);
        break;
      case 5:
        event = fmt::format("in n=\"n{}\"", t);
        break;
      case 6:
        event = "out";
        break;
      case 7:
        event = fmt::format("was n=\"w{}\" d={}", t, random() % 90);
        break;
      case 8:
        event = fmt::format("gc g={}", t % 2);
        break;
      case 9:
        event = "gcend";
        break;
      case 10:
        event = random() % 3 == 0 ? fmt::format("halt d={}", random() % 30) : fmt::format("wake t={} w=1", t);
        break;
      default:
        event = random() % 2 == 0 ? fmt::format("!lost count={} cause=ring_full", t) : "out";
    }
    text += fmt::format("0.{:09} {} {}\n", ns, 1 + random() % 3, event);
  }
  return text;
}

}  // namespace evt::testing
