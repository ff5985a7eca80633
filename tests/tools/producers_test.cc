// Whatever makes a trace of another, or a text, finds as much wrong with it as those who look for it, and what it makes
// has no more events and shows the same losses: of every trace of the archive that is damaged or of a later version.
#include <evt/saturating_add.h>

#include <algorithm>
#include <filesystem>

#include "at_the_shell.h"

namespace evt::testing {
namespace {

struct ProducerReading {
  bool is_open = false;
  bool is_ok = false;
  std::vector<std::string> events;  // the names of their types, sorted
  std::uint64_t lost = 0;           // as LOST rows say
  std::uint64_t gone = 0;           // rows that were written and are not to be had
  std::vector<bool> closed;
};

ProducerReading read_produced(const std::string& path) {
  ProducerReading reading;
  ReadOptions options;
  options.rings = false;
  options.use_index = false;
  auto trace = Trace::open(path, options);
  reading.is_open = trace.ok();
  if (!trace) return reading;
  Events events = trace->events({.markers = true});
  while (const Event* const event = events.next()) {
    if (event->is_lost()) saturating_add(&reading.lost, event->value("count")->as_unsigned());
    if (!event->is_lost() && !event->is_jump()) reading.events.push_back(event->type().name());
  }
  std::sort(reading.events.begin(), reading.events.end());
  reading.is_ok = trace->status().ok();
  for (const Session& session : trace->sessions()) {
    saturating_add(&reading.gone, session.missing);
    saturating_add(&reading.gone, session.not_decodable);
    reading.closed.push_back(session.closed);
  }
  return reading;
}

std::vector<std::string> archived() {
  std::vector<std::string> names;
  for (const char* folder : {"damaged", "future"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(EVT_SOURCE_FOLDER "/testdata/" + std::string(folder))) {
      if (entry.path().extension() == ".evt") names.push_back(folder + ("/" + entry.path().stem().string()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Producers : public AtTheShell, public ::testing::WithParamInterface<std::string> {
 protected:
  Producers() {
    given_file("x.evt", read_file(EVT_SOURCE_FOLDER "/testdata/" + GetParam() + ".evt"));
    whole_ = read_produced(path_of("x.evt"));
    check_ = run("evt check x.evt").status;
    dump_ = run("evt dump x.evt").status;
  }

  // What the command makes of the trace.
  ProducerReading made_by(const std::string& command, const std::string& output, int least_status) {
    const Outcome outcome = run(command);
    EXPECT_GE(outcome.status, least_status) << command << "\n" << outcome;
    EXPECT_TRUE(outcome.status == 0 || !outcome.err.empty()) << command;
    EXPECT_EQ(std::filesystem::exists(path_of(output)), outcome.status < 2) << command;
    return outcome.status < 2 ? read_produced(path_of(output)) : ProducerReading();
  }
  void expect_no_more_events(const ProducerReading& made, const std::string& what) const {
    EXPECT_TRUE(std::includes(whole_.events.begin(), whole_.events.end(), made.events.begin(), made.events.end()))
        << what << ": " << made.events.size() << " of " << whole_.events.size();
  }

  ProducerReading whole_;
  int check_ = 0;
  int dump_ = 0;
};

TEST_P(Producers, OfAnotherFormShowWhatIsWrongAsTheOriginalDoes) {
  for (const char* form : {"--columns", "--rows"}) {
    const ProducerReading made = made_by(std::string("evt convert x.evt -o ") + form + ".evt " + form,
                                         std::string(form) + ".evt", std::max(check_, dump_));
    if (!made.is_open) continue;
    EXPECT_EQ(made.events, whole_.events) << form;
    EXPECT_EQ(made.gone, whole_.gone) << form;
    EXPECT_EQ(made.lost, whole_.lost) << form;
    EXPECT_EQ(made.closed, whole_.closed) << form;
    EXPECT_TRUE(!made.is_ok || whole_.gone == 0) << form;
  }
}

TEST_P(Producers, OfATextSayWhatItCannotShow) {
  const Outcome text = run("evt convert x.evt -o t.txt");
  EXPECT_GE(text.status, std::max(check_, dump_)) << text;
  if (text.status > 1) return;
  // Not every text of a later version can become a trace again.
  if (run("evt convert t.txt -o t.evt").status == 0) expect_no_more_events(read_produced(path_of("t.evt")), "text");
}

TEST_P(Producers, OfPartsOrOfTheWholeAreWholeAndTellOfTheLosses) {
  for (const auto& [command, output] :
       {std::pair("evt cut x.evt -o cut.evt", "cut.evt"), std::pair("evt merge x.evt -o merged.evt", "merged.evt"),
        std::pair("evt check --repair repaired.evt x.evt", "repaired.evt")}) {
    const ProducerReading made = made_by(command, output, dump_);
    if (!made.is_open) continue;
    EXPECT_TRUE(made.is_ok) << command;
    expect_no_more_events(made, command);
    std::uint64_t reported = whole_.lost;
    saturating_add(&reported, whole_.gone);
    EXPECT_GE(made.lost, reported) << command;
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& trace) {
  std::string name = trace.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Every, Producers, ::testing::ValuesIn(archived()), test_name);

}  // namespace
}  // namespace evt::testing
