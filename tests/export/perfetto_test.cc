// Timelines as Perfetto's protobuf, read by its numbers of fields as a message's documentation has them.
#include <fmt/core.h>

#include <map>
#include <protozero/pbf_reader.hpp>

#include "pictures.h"

namespace evt::testing {
namespace {

using protozero::pbf_reader;

constexpr std::int64_t kStart = 3'600'000'000'000;  // of the clock when the session begins

// What packets say, a line each.
class Packets {
 public:
  explicit Packets(std::string_view file) {
    pbf_reader trace(file.data(), file.size());
    while (trace.next(1)) add(trace.get_message());
  }
  const std::string& text() const { return text_; }

 private:
  void add(pbf_reader packet) {
    std::int64_t ns = 0;
    std::string what;
    while (packet.next()) {
      switch (packet.tag()) {
        case 8:
          ns = static_cast<std::int64_t>(packet.get_uint64());
          break;
        case 11:
          event_ = packet.get_message();
          what = "event";
          break;
        case 12:
          take_names(packet.get_message());
          break;
        case 60:
          take_track(packet.get_message());
          break;
        case 66:
          sample_ = packet.get_message();
          what = "sample";
          break;
        case 117:
          what = state(packet.get_message());
          break;
        default:
          packet.skip();
      }
    }
    if (what == "event") what = event();
    if (what == "sample") what = sample();
    if (!what.empty()) text_ += fmt::format("{} {}\n", ns - kStart, what);
  }

  static std::string state(pbf_reader state) {
    static constexpr const char* kStates[] = {"unknown", "created", "runnable", "running", "sleeping", "", "", "dead"};
    std::string text = "state";
    while (state.next()) {
      if (state.tag() == 1)
        text += fmt::format(" cpu {}", state.get_int32());
      else if (state.tag() == 2)
        text += " " + state.get_string();
      else if (state.tag() == 3)
        text += fmt::format(" thread {}", state.get_int64());
      else
        text += fmt::format(" {}", kStates[state.get_enum()]);
    }
    return text;
  }

  // Fields of the sample, its stack by names, the outermost first.
  std::string sample() {
    std::string text = "sample";
    while (sample_.next()) {
      const std::uint32_t tag = sample_.tag();
      const std::uint64_t number = sample_.get_uint64();
      text += tag == 4 ? stack(number) : fmt::format(" {}={}", tag, number);
    }
    return text;
  }

  std::string stack(std::uint64_t number) {
    std::string text;
    for (const auto& [tag, frame] : numbers_[7].at(number)) {
      std::map<std::uint32_t, std::uint64_t> facts;
      for (const auto& [fact, value] : numbers_[6].at(frame)) facts[fact] = value;
      text += " " + interned_[5].at(facts.at(2));
      for (const auto& [fact, path] : numbers_[19].at(facts.at(3))) text += " in " + interned_[17].at(path);
      text += ",";
    }
    return text;
  }

  // Messages of numbers, the first of which is their own.
  void take_numbers(std::uint32_t kind, pbf_reader each) {
    std::uint64_t number = 0;
    while (each.next()) {
      if (each.tag() == 1) {
        number = each.get_uint64();
        numbers_[kind][number];
      } else {
        const std::uint32_t tag = each.tag();
        numbers_[kind][number].emplace_back(tag, each.get_uint64());
      }
    }
  }

  void take_names(pbf_reader interned) {
    while (interned.next()) {
      if (const std::uint32_t tag = interned.tag(); tag == 6 || tag == 7 || tag == 19) {
        take_numbers(tag, interned.get_message());
        continue;
      }
      auto& names = interned_[interned.tag()];
      pbf_reader each = interned.get_message();
      std::uint64_t number = 0;
      while (each.next())
        each.tag() == 1 ? static_cast<void>(number = each.get_uint64())
                        : static_cast<void>(names[number] = each.get_string());
    }
  }

  void take_track(pbf_reader track) {
    std::uint64_t uuid = 0;
    while (track.next()) {
      if (track.tag() == 1)
        uuid = track.get_uint64();
      else if (track.tag() == 2)
        tracks_[uuid] = track.get_string();
      else if (track.tag() == 3 || track.tag() == 4) {
        pbf_reader each = track.get_message();
        while (each.next()) {
          if (each.tag() == 5 || each.tag() == 6)
            tracks_[uuid] = each.get_string();
          else
            each.skip();
        }
      } else {
        track.skip();
      }
    }
  }

  std::string event() {
    static constexpr const char* kTypes[] = {"", "begin", "end", "instant", "counter"};
    std::string text;
    while (event_.next()) {
      switch (event_.tag()) {
        case 3:
          text += fmt::format(" ({})", interned_[1][event_.get_uint64()]);
          break;
        case 4:
          text += field(event_.get_message());
          break;
        case 9:
          text += kTypes[event_.get_enum()];
          break;
        case 10:
          text += fmt::format(" {}", interned_[2][event_.get_uint64()]);
          break;
        case 11:
          text += fmt::format(" on {}", tracks_[event_.get_uint64()]);
          break;
        case 44:
          text += fmt::format(" value {}", event_.get_double());
          break;
        default:
          text += fmt::format(" field {}", static_cast<std::uint32_t>(event_.tag()));
          event_.skip();
      }
    }
    return text;
  }

  std::string field(pbf_reader annotation) {
    std::string text = " ";
    while (annotation.next()) {
      switch (annotation.tag()) {
        case 1:
          text += interned_[3][annotation.get_uint64()] + "=";
          break;
        case 2:
          text += annotation.get_bool() ? "true" : "false";
          break;
        case 3:
          text += fmt::format("{}", annotation.get_uint64());
          break;
        default:
          text += annotation.get_string();
      }
    }
    return text;
  }

  std::string text_;
  pbf_reader event_;
  pbf_reader sample_;
  // Frames, stacks and mappings: the tags and numbers of their fields.
  std::map<std::uint32_t, std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>>> numbers_;
  std::map<std::uint32_t, std::map<std::uint64_t, std::string>> interned_;  // by field of InternedData
  std::map<std::uint64_t, std::string> tracks_;
};

class PerfettoFile : public Pictures {};

TEST_F(PerfettoFile, HasStatesOfThreadsAndSlices) {
  EXPECT_EQ(Packets(file_of(perfetto_trace(), kLife)).text(),
            "1000 state thread 7 thread 8388608 created\n"
            "1000 state thread 8388608 runnable\n"
            "2500 state cpu 0 thread 8388608 running\n"
            "3000 begin on thread 7 step (span)\n"
            "3500 begin on thread 7 read (call)\n"
            "4750 end on thread 7\n"
            "5000 state thread 8388608 sleeping\n"
            "6000 state cpu 1 thread 8388608 running\n"
            "7000 end on thread 7 bytes=9\n"
            "9000 state thread 8388608 dead\n");
  EXPECT_EQ(left_out_, (std::vector<std::string>{}));
}

TEST_F(PerfettoFile, HasSamplesWithTheirStacksAndWaitsAsInstants) {
  const std::string types =
      "type 1040 tick role=sample (thread u64 role=thread) (stack interned[] role=stack) "
      "(weight u64 role=weight unit=microseconds)\n"
      "type 1041 wait role=sample (thread u64 role=thread) (stack interned[] role=stack) "
      "(waited u64 role=duration unit=nanoseconds)\n"
      "string 1 \"main\"\nstring 2 \"parse\"\n";
  EXPECT_EQ(
      Packets(file_of(perfetto_trace(), types + "0.000001000 1 tick thread=7 stack=[\"parse\" \"main\"] weight=30\n"
                                                "0.000002000 1 wait thread=7 stack=[\"main\"] waited=5\n"
                                                "0.000003000 1 tick thread=7 stack=[\"main\"] weight=2\n"
                                                "0.000004000 1 tick thread=7 stack=[\"parse\" \"main\"] weight=30\n"))
          .text(),
      "1000 sample 2=77 3=8388608 main, parse, 5=2 6=30000\n"
      "2000 instant on thread 7 wait (event) stack=[\"main\"]\n"
      "3000 sample 2=77 3=8388608 main, 5=2 6=32000\n"
      "4000 sample 2=77 3=8388608 main, parse, 5=2 6=62000\n");
}

TEST_F(PerfettoFile, HasAThreadRunOnlyOnceAtATime) {
  EXPECT_EQ(Packets(file_of(perfetto_trace(),
                            "0.000001000 1 thread.run thread=7 cpu=0\n0.000002000 1 thread.run thread=7 cpu=1\n"))
                .text(),
            "1000 state thread 7 thread 8388608 created\n"
            "1000 state cpu 0 thread 8388608 running\n"
            "2000 state thread 8388608 runnable\n"
            "2000 state cpu 1 thread 8388608 running\n");
}

TEST_F(PerfettoFile, HasWhatOverlapsOnATrackOfItsOwn) {
  EXPECT_EQ(Packets(file_of(perfetto_trace(),
                            "0.000001000 1 open thread=7 name=\"a\"\n0.000005000 1 close thread=7 name=\"a\" bytes=1\n"
                            "0.000006000 1 whole thread=7 function=\"b\" took=0.000003000\n"))
                .text(),
            "1000 state thread 7 thread 8388608 created\n"
            "1000 begin on a a (span)\n"
            "3000 begin on thread 7 b (call)\n"
            "5000 end on a bytes=1\n"
            "6000 end on thread 7\n");
}

TEST_F(PerfettoFile, HasAsynchronousSpansOfOneIdOnOneTrackUntilAllHaveEnded) {
  EXPECT_EQ(Packets(file_of(perfetto_trace(),
                            "0.000001000 1 ask name=\"page\" id=1\n0.000002000 1 ask name=\"part\" id=1\n"
                            "0.000003000 1 answer name=\"part\" id=1\n0.000004000 1 answer name=\"page\" id=1\n"
                            "0.000005000 1 ask name=\"next\" id=1\n0.000006000 1 answer name=\"next\" id=1\n"))
                .text(),
            "1000 begin on page page (async) id=1\n"
            "2000 begin on page part (async) id=1\n"
            "3000 end on page id=1\n"
            "4000 end on page id=1\n"
            "5000 begin on next next (async) id=1\n"
            "6000 end on next id=1\n");
}

TEST_F(PerfettoFile, HasCountersMarksFlowsAndOtherEvents) {
  EXPECT_EQ(Packets(file_of(perfetto_trace(),
                            "0.000001000 1 heap name=\"heap\" bytes=4096\n0.000002000 1 mark message=\"half\"\n"
                            "0.000003000 1 send thread=7 id=5\n0.000004000 1 receive thread=8 id=5\n"
                            "0.000005000 1 job.done job=3 ok=true who=\"\\xff!\"\n"))
                .text(),
            "1000 counter on heap value 4096\n"
            "2000 instant on log half (mark) message=half\n"
            "3000 instant on thread 7 send (event) id=5 field 47\n"
            "4000 instant on thread 8 receive (event) id=5 field 48\n"
            "5000 instant on log job.done (event) job=3 ok=true who=\xEF\xBF\xBD!\n");
}

TEST_F(PerfettoFile, HasEventsOfBeforeTheSession) {
  EXPECT_EQ(Packets(file_of(perfetto_trace(), "0.000001000 1 whole thread=7 function=\"b\" took=0.000003000\n")).text(),
            "-2000 state thread 7 thread 8388608 created\n"
            "-2000 begin on thread 7 b (call)\n"
            "1000 end on thread 7\n");
}

TEST_F(PerfettoFile, CountsTimesOfMoreThanAnHourBeforeTheSession) {
  EXPECT_EQ(
      Packets(file_of(perfetto_trace(), "0.000001000 1 whole thread=7 function=\"b\" took=7200.000000000\n")).text(),
      "-3600000000000 state thread 7 thread 8388608 created\n"
      "-3600000000000 begin on thread 7 b (call)\n"
      "1000 end on thread 7\n");
  EXPECT_EQ(left_out_,
            (std::vector<std::string>{
                "2 times are more than an hour before the first session begins: written as an hour before"}));
}

}  // namespace
}  // namespace evt::testing
