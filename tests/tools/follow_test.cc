// evt dump --follow and evt stats --follow: the events of a program that runs, each once, until it has ended.
#include <atomic>
#include <optional>
#include <thread>

#include "support/command.h"
#include "write/ring_session.h"

struct Crate {
  std::uint32_t weight = 0;
};
template <>
inline constexpr auto evt::schema<Crate> = evt::event("crate", "", evt::field("weight", &Crate::weight));

struct Parcel {
  std::uint32_t size = 0;
};
template <>
inline constexpr auto evt::schema<Parcel> = evt::event("parcel", "", evt::field("size", &Parcel::size));

namespace evt::testing {
namespace {

// This process is the program that runs.
class Follow : public RingTest {
 protected:
  Follow() : writer_(open()), types_(writer_->declare<Tick>()) {}
  ~Follow() override {
    if (reader_.joinable()) reader_.join();
  }

  void follow(const std::string& options, const std::string& form = "--format '{n}' ") {
    follow_with("exec evt dump --follow " + form + options + " a.evt > out.txt");
  }
  void follow_with(const std::string& line) {
    reader_ = std::thread([this, line] {
      outcome_ = run(line, folder.path());
      has_ended_ = true;
    });
  }
  // Until this number of lines was printed, or the command has ended.
  void wait_for_lines(std::size_t count, const std::string& file = "out.txt") const {
    while (!has_ended_ && lines(file) < count) std::this_thread::yield();
  }
  std::size_t lines(const std::string& file) const {
    const std::string text = printed(file);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  std::string printed(const std::string& file = "out.txt") const {
    return std::filesystem::exists(folder / file) ? read_file(folder / file) : "";
  }

  Outcome end() {
    writer_.reset();
    reader_.join();
    return outcome_;
  }

  static std::string numbers(std::uint32_t from, std::uint32_t to) {
    std::string text;
    for (std::uint32_t i = from; i < to; ++i) text += std::to_string(i) + "\n";
    return text;
  }

  std::optional<Writer> writer_;
  decltype(std::declval<Writer>().declare<Tick>()) types_;

 private:
  std::thread reader_;
  Outcome outcome_;
  std::atomic<bool> has_ended_ = false;
};

TEST_F(Follow, PrintsEachEventOnceAsItComes) {
  Stream stream = writer_->stream("a");
  emit_ticks(stream, types_, 0, 50);
  follow("");
  wait_for_lines(50);
  EXPECT_EQ(printed(), numbers(0, 50));
  emit_ticks(stream, types_, 50, 60);  // in the ring alone
  wait_for_lines(60);
  stream.flush();  // now in the file
  emit_ticks(stream, types_, 60, 20'000);
  wait_for_lines(20'000);
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  EXPECT_EQ(printed(), numbers(0, 20'000));
}

TEST_F(Follow, HasStreamsThatBeginLater) {
  Stream first = writer_->stream("a");
  emit_ticks(first, types_, 0, 5);
  follow("");
  wait_for_lines(5);
  Stream second = writer_->stream("b");
  emit_ticks(second, types_, 5, 10);
  wait_for_lines(10);
  emit_ticks(first, types_, 10, 15);
  wait_for_lines(15);
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  EXPECT_EQ(printed(), numbers(0, 15));
}

TEST_F(Follow, MayBeginWithTheLast) {
  Stream stream = writer_->stream("a");
  emit_ticks(stream, types_, 0, 50);
  follow("--last 3");
  wait_for_lines(3);
  emit_ticks(stream, types_, 50, 55);
  wait_for_lines(8);
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  EXPECT_EQ(printed(), numbers(47, 55));
}

TEST_F(Follow, EndsBehindTheLimit) {
  Stream stream = writer_->stream("a");
  emit_ticks(stream, types_, 0, 5);
  follow("--limit 8 --where 'n>=2'");
  wait_for_lines(3);
  emit_ticks(stream, types_, 5, 50);
  wait_for_lines(8);
  end();
  EXPECT_EQ(printed(), numbers(2, 10));
}

TEST_F(Follow, HasHeadsOnceAndTimesSinceTheEventBefore) {
  Stream stream = writer_->stream("a");
  emit_ticks(stream, types_, 0, 2);
  follow("--fields n,type,delta", "");
  wait_for_lines(3);
  emit_ticks(stream, types_, 2, 4);
  wait_for_lines(5);
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  // Of a trace that is not closed yet there may be losses, whose name is wider.
  EXPECT_EQ(run("evt dump --fields n,type,delta a.evt | tr -s ' ' > whole.txt; tr -s ' ' < out.txt | cmp - whole.txt",
                folder.path()),
            (Outcome{0, "", ""}));
}

TEST_F(Follow, HasAllThatDumpHasWhereTimeStepsBack) {
  for (const std::string name : {"jumps", "columns_jumps"}) {
    const std::string trace = " " EVT_SOURCE_FOLDER "/testdata/v1/" + name + ".evt";
    EXPECT_EQ(run("evt dump --follow" + trace), run("evt dump" + trace)) << name;
  }
}

TEST_F(Follow, ListsDamageOfAPipe) {
  Stream stream = writer_->stream("a");
  emit_ticks(stream, types_, 0, 50'000);
  writer_.reset();
  std::string bytes = read_file(path);
  const auto break_at = [&](std::size_t at) { bytes[at] = static_cast<char>(bytes[at] ^ 1); };
  break_at(bytes.size() / 3);
  break_at(bytes.size() / 2);
  folder.write("bad.evt", bytes);
  const std::string whole = run("evt dump --format '{n}' bad.evt > whole.txt", folder.path()).err;
  const Outcome outcome = run(
      "{ head -c 100000; sleep 0.3; cat; } < bad.evt | evt dump --follow --format '{n}' - > out.txt", folder.path());
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(printed(), printed("whole.txt"));
  const auto damage_in = [](const std::string& text) {
    std::string lines;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      const std::string line = text.substr(at, text.find('\n', at) - at);
      if (line.find(" ignored: ") != std::string::npos) lines += line.substr(line.find(": ", 10)) + "\n";
    }
    return lines;
  };
  EXPECT_NE(damage_in(whole), "");
  EXPECT_EQ(damage_in(outcome.err), damage_in(whole));
}

TEST_F(Follow, ReportsWhyEventsWereLost) {
  folder.write("lost.evt", trace_from_text("type 1024 tick (n u32)\nstream 1 \"a\"\n"
                                           "0.000000001 1 !lost count=3 cause=ring_full duration=0.000000000\n"
                                           "0.000000002 1 tick n=1\n"
                                           "0.000000003 1 !lost count=2 cause=too_large duration=0.000000000\n"));
  const std::string sentences =
      "evt dump: lost.evt: 3 events of stream 1 \"a\" lost: ring_full\n"
      "evt dump: lost.evt: 2 events of stream 1 \"a\" lost: too_large\n";
  EXPECT_EQ(run("evt dump --follow --format '{n}' --where 'n=1' lost.evt", folder.path()),
            (Outcome{0, "1\n", sentences}));
}

TEST_F(Follow, ReportsWhyEventsWereLostAsTheyCame) {
  const auto papers = writer_->declare<Paper>();
  Stream stream = writer_->stream("a");
  emit_ticks(stream, types_, 0, 1);
  const std::string too_large = letters(std::size_t{16} << 20);
  stream.emit(papers, Paper{{too_large}});
  follow("--event tick");
  wait_for_lines(1);
  stream.emit(papers, Paper{{too_large}});
  emit_ticks(stream, types_, 1, 2);
  wait_for_lines(2);
  EXPECT_EQ(end(), (Outcome{0, "", "evt dump: a.evt: 2 events of stream 1 \"a\" lost: too_large\n"}));
}

TEST_F(Follow, ReportsANameThatIsAFieldOfLaterEventsAlone) {
  Stream stream = writer_->stream("a");
  emit_ticks(stream, types_, 0, 2);
  follow("--json --fields type,size,@ordinal", "");
  wait_for_lines(2);
  const auto parcels = writer_->declare<Parcel>();
  stream.emit(parcels, Parcel{77});
  wait_for_lines(3);
  EXPECT_EQ(end(), (Outcome{1, "",
                            "evt dump: size: a field of this name was declared later: size prints that of each event; "
                            "\"size\", in quotes, is the field\n"}));
  EXPECT_EQ(printed(),
            "{\"type\":\"tick\",\"size\":4,\"@ordinal\":0}\n{\"type\":\"tick\",\"size\":4,\"@ordinal\":1}\n"
            "{\"type\":\"parcel\",\"size\":4,\"@ordinal\":2}\n");
}

TEST_F(Follow, WaitsForAFieldOfATypeThatIsDeclaredLater) {
  Stream stream = writer_->stream("a");
  emit_ticks(stream, types_, 0, 2);
  follow("--where 'weight=7 or n=1' 2> err.txt", "--format '{type}' ");
  wait_for_lines(1, "err.txt");
  const auto crates = writer_->declare<Crate>();
  stream.emit(crates, Crate{8});
  stream.emit(crates, Crate{7});
  wait_for_lines(2);
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  EXPECT_EQ(printed(), "tick\ncrate\n");
  EXPECT_EQ(printed("err.txt"),
            "evt dump: --where: column 1 of weight=7 or n=1: no event has a field weight; a type that has it may be "
            "declared later\n");
}

TEST_F(Follow, ReportsAFieldThatNoTypeHadUntilTheEnd) {
  Stream stream = writer_->stream("a");
  emit_ticks(stream, types_, 0, 2);
  follow("2> err.txt", "--format '{weight}' ");
  wait_for_lines(1, "err.txt");
  EXPECT_EQ(end(), (Outcome{2, "", ""}));
  const std::string sentence = "evt dump: --format: column 1 of {weight}: no event has a field weight";
  EXPECT_EQ(printed("err.txt"), sentence + "; a type that has it may be declared later\n" + sentence + "\n");
}

TEST_F(Follow, TakesOneFile) {
  EXPECT_EQ(run("evt dump --follow a.evt a.evt", folder.path()).err, "evt dump: --follow takes one trace\n");
}

TEST_F(Follow, MarksAndCountsWhatComesLate) {
  Stream one = writer_->stream("one");
  Stream other = writer_->stream("other");
  one.emit_at(1000, types_, Tick{0});
  one.emit_at(2000, types_, Tick{1});
  follow("--event tick", "");
  wait_for_lines(2);
  other.emit_at(1500, types_, Tick{2});
  one.emit_at(3000, types_, Tick{3});
  wait_for_lines(4);
  EXPECT_EQ(end(), (Outcome{0, "", "evt dump: a.evt: 1 event came late: printed after later ones\n"}));
  EXPECT_EQ(run("grep -c 'n=2  (late)$' out.txt; grep -c late out.txt", folder.path()), (Outcome{0, "1\n1\n", ""}));
}

TEST_F(Follow, MarksLateLinesInJson) {
  Stream one = writer_->stream("one");
  Stream other = writer_->stream("other");
  one.emit_at(2000, types_, Tick{1});
  follow("--json --event tick", "");
  wait_for_lines(1);
  other.emit_at(1500, types_, Tick{2});
  wait_for_lines(2);
  EXPECT_EQ(end().status, 0);
  EXPECT_EQ(
      printed(),
      "{\"ns\":2000,\"stream\":\"one\",\"stream_id\":1,\"event\":\"tick\",\"fields\":{\"n\":1}}\n"
      "{\"ns\":1500,\"stream\":\"other\",\"stream_id\":2,\"event\":\"tick\",\"fields\":{\"n\":2},\"late\":true}\n");
}

TEST_F(Follow, ReadsBlocksFromAPipeAsTheyCome) {
  emit_ticks(writer_->stream("a"), types_, 0, 5000);
  writer_.reset();
  EXPECT_EQ(
      run("(head -c 20000 a.evt; sleep 0.4; tail -c +20001 a.evt) | evt dump --follow --format '{n}' -", folder.path()),
      (Outcome{0, numbers(0, 5000), ""}));
  EXPECT_EQ(run("head -c 20000 a.evt | evt dump --follow --limit 1 --format '{n}' -", folder.path()),
            (Outcome{1, "0\n", "evt dump: standard input: the session is truncated: its end is missing\n"}));
}

class StatsFollow : public Follow {
 protected:
  void follow(const std::string& words) { follow_with("exec evt stats " + words + " a.evt > out.txt"); }
};

TEST_F(StatsFollow, PrintsTablesUntilTheEnd) {
  Stream stream = writer_->stream("a");
  emit_ticks(stream, types_, 0, 5);
  follow("events --follow=100ms");
  wait_for_lines(3);
  emit_ticks(stream, types_, 5, 50);
  wait_for_lines(8);
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  // The last table is that of the closed file.
  EXPECT_EQ(run("evt stats events a.evt > whole.txt; tail -n $(wc -l < whole.txt) out.txt | cmp - whole.txt; "
                "sed -n 1p out.txt | sed 's/[0-9]/9/g'",
                folder.path()),
            (Outcome{0, "# 9999-99-99 99:99:99.999999999 UTC\n", ""}));
}

TEST_F(StatsFollow, HasAnObjectForEachTable) {
  emit_ticks(writer_->stream("a"), types_, 0, 5);
  follow("events --json --follow=100ms");
  wait_for_lines(2);
  EXPECT_EQ(end(), (Outcome{0, "", ""}));
  EXPECT_EQ(run("evt stats events --json a.evt > whole.txt; tail -n 1 out.txt | cmp - whole.txt", folder.path()),
            (Outcome{0, "", ""}));
}

TEST_F(StatsFollow, TakesOneFile) {
  EXPECT_EQ(run("evt stats --follow a.evt - 2>&1 </dev/null", folder.path()).out,
            "evt stats: --follow takes one trace\n");
  EXPECT_EQ(run("evt stats --follow -", folder.path()).err,
            "evt stats: --follow takes a file, because a pipe is read once\n");
  EXPECT_EQ(run("evt stats --follow=x a.evt", folder.path()).err,
            "evt stats: --follow: expected a time of 100ms or more, found x\n");
}

}  // namespace
}  // namespace evt::testing
