// A trace that becomes CTF and is read again is the same.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <iterator>
#include <random>
#include <regex>
#include <sstream>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

// Events of types with fields of all kinds that CTF has, in streams whose times may step back.
class RandomEvents {
 public:
  explicit RandomEvents(unsigned seed) : random_(seed) {
    text_ = "string 1 \"\"\nstring 2 \"two words\"\nstring 3 \"gr\xc3\xbc\xc3\x9f\x65\"\n";
    for (unsigned type = 0; type < kTypes; ++type) add_type(type);
    for (unsigned stream = 1; stream <= kStreams; ++stream) {
      text_ += fmt::format("stream {} \"a \\\"{}\\\"\"\n", stream, stream % 3);
    }
    for (unsigned i = 0; i < 200; ++i) add_event();
  }
  const std::string& text() const { return text_; }

 private:
  static constexpr unsigned kTypes = 6;
  static constexpr unsigned kStreams = 4;
  struct Kind {
    const char* name;
    std::vector<const char*> values;
  };

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  static const std::vector<Kind>& kinds() {
    static const std::vector<Kind> kAll = {
        {"u8", {"0", "255"}},
        {"u16", {"0", "65535"}},
        {"u32", {"7", "4294967295"}},
        {"u64", {"1", "18446744073709551615"}},
        {"i8", {"-128", "127"}},
        {"i16", {"-1", "300"}},
        {"i32", {"-2147483648", "5"}},
        {"i64", {"-9223372036854775808", "9223372036854775807"}},
        {"f32", {"1.5", "-0", "inf", "1e-45"}},
        {"f64", {"0.1", "nan", "1.7976931348623157e+308"}},
        {"bool", {"true", "false"}},
        {"enum8 labels=[0=no 1=\"with \\\"quotes\\\"\" 7=yes]", {"no", "yes", "\"with \\\"quotes\\\"\"", "9"}},
        {"enum64 labels=[18446744073709551615=most]", {"most", "1"}},
        {"text", {"\"\"", "\"some text\"", "\"gr\xc3\xbc\xc3\x9f\x65\\n\"", "\"\\xff\""}},
        {"text32", {"\"long\""}},
        {"bytes", {"0x", "0x00ff"}},
        {"bytes(3)", {"0x010203"}},
        {"interned", {"\"two words\"", "\"gr\xc3\xbc\xc3\x9f\x65\"", "#99"}},
        {"u8[]", {"[]", "[1 255]"}},
        {"i32[]", {"[-1 5 7]"}},
        {"f64[]", {"[0.1 inf]"}},
        {"bool[]", {"[true false]"}},
        {"enum8[] labels=[1=up 2=down]", {"[up down 3]", "[]"}},
        {"text[]", {"[\"one\" \"\" \"three\"]", "[]"}},
        {"bytes[]", {"[0x01 0x 0x0203]"}},
        {"interned[]", {"[\"two words\" #99]"}}};
    return kAll;
  }

  void add_type(unsigned number) {
    text_ += fmt::format("type {} \"type {}\"", 1024 + number, number);
    std::vector<const Kind*>& fields = types_.emplace_back();
    for (unsigned i = 0; i < below(8); ++i) {
      fields.push_back(&kinds()[below(static_cast<unsigned>(kinds().size()))]);
      text_ += fmt::format(" (f{} {})", i, fields.back()->name);
    }
    text_ += '\n';
  }

  void add_event() {
    now_ += 1 + below(1'000'000);
    const unsigned stream = 1 + below(kStreams);
    const std::int64_t ns = below(20) == 0 ? now_ / 2 : now_;
    text_ += fmt::format("{}.{:09} {} ", ns / 1'000'000'000, ns % 1'000'000'000, stream);
    if (below(20) == 0) {
      text_ += fmt::format("!lost count={} cause=ring_full duration=0\n", 1 + below(9));
      return;
    }
    const unsigned type = below(kTypes);
    text_ += fmt::format("\"type {}\"", type);
    for (std::size_t i = 0; i < types_[type].size(); ++i) {
      const std::vector<const char*>& values = types_[type][i]->values;
      text_ += fmt::format(" f{}={}", i, values[below(static_cast<unsigned>(values.size()))]);
    }
    text_ += '\n';
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::vector<const Kind*>> types_;
  std::int64_t now_ = 0;
};

class CtfRoundTrip : public AtTheShell {
 protected:
  // The events, of which streams have their names and no ids. Losses that are late are at another time.
  std::vector<std::string> events_of(const std::string& trace) const {
    std::istringstream lines(run("evt dump --json " + trace).out);
    std::vector<std::string> events;
    for (std::string line; std::getline(lines, line);) {
      line = std::regex_replace(line, std::regex("\"stream_id\":\\d+,"), "");
      if (line.find("!lost") != line.npos) line = std::regex_replace(line, std::regex("\"(ns|duration)\":\\d+"), "");
      events.push_back(line);
    }
    std::sort(events.begin(), events.end());
    return events;
  }
};

// What is in one of both alone.
std::vector<std::string> differences(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  std::vector<std::string> found;
  std::set_symmetric_difference(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(found));
  return found;
}

TEST_F(CtfRoundTrip, EventsTimesNamesAndFieldsAreTheSame) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const RandomEvents random(seed);
    given_trace("x.evt", random.text());
    const Outcome converted = run("evt convert x.evt -o x.ctf");
    ASSERT_EQ(converted.status, 0) << converted << random.text();
    EXPECT_THAT(differences(events_of("x.ctf"), events_of("x.evt")), ::testing::IsEmpty()) << "seed " << seed;
    EXPECT_GE(events_of("x.ctf").size(), 190u);
    EXPECT_EQ(run("evt stats diff events --fail-above 0 x.evt x.ctf 2>/dev/null").status, 0) << "seed " << seed;
  }
}

TEST_F(CtfRoundTrip, TheSessionIsTheSame) {
  given_file("x.evt", trace_from_text("evtrace text 1\n"
                                      "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.250000000 "
                                      "program=\"app\" pid=77 host=\"here\"\n"
                                      "type 1024 tick\nstream 1 \"main\"\n-0.5 1 tick\n3.0 1 tick\n"));
  const std::string facts = " | grep -E '^(program|pid|host|start)'";
  EXPECT_EQ(run("evt convert x.evt -o x.ctf && evt dump --header x.ctf" + facts),
            run("evt dump --header x.evt" + facts));
  EXPECT_EQ(run("evt dump --csv x.ctf"), run("evt dump --csv x.evt"));
}

TEST_F(CtfRoundTrip, WithKernelNamesThreadsAndCpusAreTheSame) {
  given_trace("x.evt",
              "type 2 thread.name role=threadName (thread u64 role=thread scope=boot) (name text role=name)\n"
              "type 4 thread.run role=threadRun (thread u64 role=thread scope=boot) (cpu u32 role=cpu)\n"
              "type 5 thread.stop role=threadStop (thread u64 role=thread scope=boot) (reason enum16 role=reason "
              "labels=[1=preempted 3=blocked])\n"
              "type 6 thread.wake role=threadWake (thread u64 role=thread scope=boot)\n"
              "stream 1 \"log\"\n"
              "0.000000001 1 thread.name thread=7 name=\"seven\"\n"
              "0.000000001 1 thread.name thread=8 name=\"eight\"\n"
              "0.000000002 1 thread.run thread=7 cpu=0\n"
              "0.000000003 1 thread.run thread=8 cpu=1\n"
              "0.000000050 1 thread.stop thread=8 reason=blocked\n"
              "0.000000060 1 thread.stop thread=7 reason=preempted\n"
              "0.000000080 1 thread.run thread=7 cpu=1\n"
              "0.000000090 1 thread.wake thread=8\n"
              "0.000000100 1 thread.stop thread=7 reason=blocked\n"
              "0.000000110 1 thread.run thread=8 cpu=0\n"
              "0.000000200 1 thread.stop thread=8 reason=blocked\n");
  ASSERT_EQ(run("evt convert x.evt -o x.ctf --kernel-names").status, 0);
  const std::string columns = " | grep -E '^[78],' | cut -d, -f1-2,4-7";
  EXPECT_EQ(run("evt stats threads --csv x.ctf 2>/dev/null" + columns), run("evt stats threads --csv x.evt" + columns));
  EXPECT_EQ(run("evt stats cpu --csv x.ctf 2>/dev/null | grep -E '^[78],'"),
            run("evt stats cpu --csv x.evt | grep -E '^[78],'"));
}

}  // namespace
}  // namespace evt::testing
