// Times that users ask for and that evt dump shows: units, times of day, dates, zones.
#include "at_the_shell.h"

namespace evt::testing {
namespace {

// 2026-01-01 11:00 UTC, and how long after it.
constexpr std::string_view kDay =
    "evtrace text 1\n"
    "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767265200.000000000 program=\"test\"\n"
    "type 1024 tick (n u8)\n"
    "stream 1 \"a\"\n"
    "0.000000000 1 tick n=0\n"
    "60.000000000 1 tick n=1\n"
    "90.500000000 1 tick n=2\n"
    "3600.000000000 1 tick n=3\n"
    "93600.000000000 1 tick n=4\n";
// Central Europe, without a list of time zones.
constexpr const char* kBerlin = "export TZ=CET-1CEST,M3.5.0,M10.5.0/3; ";

class DumpTimes : public AtTheShell {
 protected:
  DumpTimes() { given_trace("x.evt", kDay); }

  // The numbers of the events.
  std::string found(const std::string& options, const std::string& before = "") const {
    return run(before + "evt dump --format '{n}' " + options + " x.evt | tr '\\n' ' '").out;
  }
  std::string refused(const std::string& options, const std::string& before = "") const {
    const Outcome outcome = run(before + "evt dump " + options + " x.evt");
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_EQ(outcome.out, "");
    const std::string sentence = outcome.err.substr(0, outcome.err.find('\n'));
    constexpr std::string_view kFront = "evt dump: ";
    return sentence.starts_with(kFront) ? sentence.substr(kFront.size()) : sentence;
  }
};

TEST_F(DumpTimes, AreOfDaysThatThereAre) {
  EXPECT_EQ(refused("--from 2026-02-30"),
            "--from: expected 1.5, 200ms, 5m, -2s, 14:05 or 2026-11-21T22:48:09Z, found 2026-02-30");
  EXPECT_EQ(found("--from 2025-12-31T23:59:60Z"), "0 1 2 3 4 ");
}

TEST_F(DumpTimes, OfUtcNeedNoListOfZones) {
  EXPECT_EQ(run("TZDIR=/nosuch evt dump --utc --limit 1 x.evt"), run("evt dump --utc --limit 1 x.evt"));
}

TEST_F(DumpTimes, MayBeInMinutesHoursAndDays) {
  EXPECT_EQ(found("--from 1m"), "1 2 3 4 ");
  EXPECT_EQ(found("--from 1.5m"), "2 3 4 ");
  EXPECT_EQ(found("--from 1min --to 60min"), "1 2 3 ");
  EXPECT_EQ(found("--from 1h"), "3 4 ");
  EXPECT_EQ(found("--from=-1d"), "4 ");
  EXPECT_EQ(found("--where '@time>=0.025h'"), "2 3 4 ");
}

TEST_F(DumpTimes, MayCountFromFrom) {
  EXPECT_EQ(found("--from 60 --to=+30.5s"), "1 2 ");
  EXPECT_EQ(found("--from=-25h --to=+1ns"), "3 ");
  EXPECT_EQ(found("--from 2026-01-01T11:01Z --to +30500000000ns"), "1 2 ");
  EXPECT_EQ(refused("--to +1ms"), "--to: +1ms counts from --from, which is not given");
  EXPECT_EQ(refused("--from +1ms"), "--from: expected 1.5, 200ms, 5m, -2s, 14:05 or 2026-11-21T22:48:09Z, found +1ms");
}

TEST_F(DumpTimes, MayBeOfTheDayOfTheTrace) {
  EXPECT_EQ(found("--from 11:01Z --to 11:01:30Z"), "1 ");
  EXPECT_EQ(found("--from 11:01:30.5Z"), "2 3 4 ");
  EXPECT_EQ(found("--from 13:01+02:00 --to 13:02+02:00"), "1 2 ");
  EXPECT_EQ(found("--from 05:31-05:30 --to 11:02Z"), "1 2 ");
  EXPECT_EQ(found("--from 12:01 --to=+1m", kBerlin), "1 2 ");
  EXPECT_EQ(found("--where '@time=12:01'", kBerlin), "1 ");
}

TEST_F(DumpTimes, OfTheDayMayBeBehindMidnight) {
  // Thirteen hours before the start: it is meant behind it. 13:00 of the next day is the last event.
  given_trace("x.evt",
              "evtrace text 1\n"
              "session uuid=0x000102030405460788090a0b0c0d0e0f start=1767308400.000000000 program=\"test\"\n"  // 23:00
              "type 1024 tick (n u8)\n"
              "stream 1 \"a\"\n"
              "0.000000000 1 tick n=0\n"
              "7200.000000000 1 tick n=1\n"
              "50400.000000000 1 tick n=2\n");
  EXPECT_EQ(found("--from 00:30Z --to 02:00Z"), "1 ");
  EXPECT_EQ(found("--from 23:30Z --to 01:00Z"), "1 ");
  EXPECT_EQ(found("--from 22:59Z --to 23:01Z"), "0 ");
  EXPECT_EQ(found("--from 12:59Z"), "2 ");
}

TEST_F(DumpTimes, MayBeDatesInAZone) {
  EXPECT_EQ(found("--from 2026-01-01T12:01+01:00 --to 2026-01-01T12:01:30+0100"), "1 ");
  EXPECT_EQ(found("--from '2026-01-01 11:01:00 UTC' --to '2026-01-01 12:02:00 +01:00'"), "1 2 ");
  // Without one they are of the zone that was chosen, else UTC.
  EXPECT_EQ(found("--from 2026-01-01T12:00", kBerlin), "3 4 ");
  EXPECT_EQ(run("evt dump --zone +01:00 --from 2026-01-01T12:00 --to=+10ms x.evt"),
            prints("2026-01-01 12:00:00.000000000 +01:00  a  tick n=0\n"));
}

TEST_F(DumpTimes, MayBeDatesInAZoneWhereNoTimeIsPrinted) {
  const std::string range = " --zone +01:00 --from 2026-01-01T12:00 --to=+10ms ";
  EXPECT_EQ(run("evt dump --count" + range + "x.evt"), prints("1\n"));
  EXPECT_EQ(run("evt grep --count" + range + "tick x.evt"), prints("1\n"));
  EXPECT_EQ(run("evt dump --canonical" + range + "x.evt | tail -n 1"), prints("0.000000000 1 tick n=0\n"));
}

TEST_F(DumpTimes, AreRefusedWhereTheyAreNone) {
  const auto sentence = [](const char* found) {
    return std::string("--from: expected 1.5, 200ms, 5m, -2s, 14:05 or 2026-11-21T22:48:09Z, found ") + found;
  };
  for (const char* const text : {"1y", "24:00", "12:60", "12:", "12:00:00.", "12:00+15:00", "12:00+1", "12:00 CET",
                                 "2026-01-01T", "2026-01-01T12:00Q", "2026-13-01", "-12:00", "1e3"}) {
    EXPECT_EQ(refused("--from='" + std::string(text) + "'"), sentence(text));
  }
}

TEST_F(DumpTimes, AreShownInTheMachinesZone) {
  EXPECT_EQ(run(std::string(kBerlin) + "evt dump --local --limit 1 x.evt"),
            prints("2026-01-01 12:00:00.000000000 +01:00  a  tick n=0\n"));
  EXPECT_EQ(run(std::string(kBerlin) + "evt dump --local --limit 1 --json x.evt"),
            prints(R"({"ns":0,"local":"2026-01-01T12:00:00.000000000+01:00","stream":"a","stream_id":1,)"
                   R"("event":"tick","fields":{"n":0}})"
                   "\n"));
  EXPECT_EQ(run(std::string(kBerlin) + "evt dump --local --limit 1 --csv x.evt"),
            prints("ns,local,stream,event,n,rest\r\n0,2026-01-01T12:00:00.000000000+01:00,a,tick,0,\r\n"));
}

TEST_F(DumpTimes, FollowSummerTime) {
  given_trace("s.evt",
              "evtrace text 1\n"
              "session uuid=0x000102030405460788090a0b0c0d0e0f start=1774745999.000000000 program=\"test\"\n"
              "type 1024 tick\n"
              "stream 1 \"a\"\n"
              "0.000000000 1 tick\n"
              "1.000000000 1 tick\n");
  // 2026-03-29 01:00 UTC: clocks go from 2 to 3.
  EXPECT_EQ(run(std::string(kBerlin) + "evt dump --local s.evt"),
            prints("2026-03-29 01:59:59.000000000 +01:00  a  tick\n"
                   "2026-03-29 03:00:00.000000000 +02:00  a  tick\n"));
  EXPECT_EQ(run(std::string(kBerlin) + "evt dump --local --from 03:00 s.evt"),
            prints("2026-03-29 03:00:00.000000000 +02:00  a  tick\n"));
}

TEST_F(DumpTimes, TakeTheFirstOfTwoEqualTimes) {
  given_trace("w.evt",
              "evtrace text 1\n"
              "session uuid=0x000102030405460788090a0b0c0d0e0f start=1792888200.000000000 program=\"test\"\n"
              "type 1024 tick\n"
              "stream 1 \"a\"\n"
              "0.000000000 1 tick\n"
              "3600.000000000 1 tick\n");
  // 2026-10-25 00:30 UTC, and an hour later: clocks show 2:30 twice.
  EXPECT_EQ(run(std::string(kBerlin) + "evt dump --local w.evt"),
            prints("2026-10-25 02:30:00.000000000 +02:00  a  tick\n"
                   "2026-10-25 02:30:00.000000000 +01:00  a  tick\n"));
  EXPECT_EQ(run(std::string(kBerlin) + "evt dump --local --from 02:30 --to=+1s w.evt"),
            prints("2026-10-25 02:30:00.000000000 +02:00  a  tick\n"));
}

TEST_F(DumpTimes, AreShownInAZoneByName) {
  // One zone of five and a half hours in a list of its own (tzfile(5)).
  std::filesystem::create_directories(path_of("zones/Asia"));
  std::string zone = "TZif" + std::string(40, '\0');
  zone[39] = 1;  // a type of time, of the offset 0x4d58, and four bytes of names
  zone[43] = 4;
  zone += std::string("\0\0\x4d\x58\0\0IST\0", 10);
  given_file("zones/Asia/Kolkata", zone);
  given_file("zones/UTC", zone);
  const std::string in = "export TZDIR=$PWD/zones; ";
  EXPECT_EQ(run(in + "evt dump --zone Asia/Kolkata --limit 1 x.evt"),
            prints("2026-01-01 16:30:00.000000000 +05:30  a  tick n=0\n"));
  EXPECT_EQ(
      refused("--zone Kolkata", in),
      "--zone: expected a time zone like Europe/Berlin, UTC or +02:00, found Kolkata; did you mean Asia/Kolkata?");
  EXPECT_EQ(refused("--zone ../x.evt", in),
            "--zone: expected a time zone like Europe/Berlin, UTC or +02:00, found ../x.evt");
  EXPECT_EQ(refused("--zone Mars", "export TZDIR=/nowhere; "),
            "--zone: expected +02:00, as /nowhere has no time zones, found Mars");
}

TEST_F(DumpTimes, MayBeSinceTheLineBeforeBesideTheOthers) {
  EXPECT_EQ(run("evt dump --delta --from 1m --to 2m x.evt"), prints("  60.000000000  +60.000000000  a  tick n=1\n"
                                                                    "  90.500000000  +30.500000000  a  tick n=2\n"));
  EXPECT_EQ(run("evt dump --delta --utc --from 1m --to 1m x.evt"),
            prints("2026-01-01 11:01:00.000000000 UTC  +60.000000000  a  tick n=1\n"));
  EXPECT_EQ(run("evt dump --delta --json --from 90 --to 2m x.evt"),
            prints(R"({"ns":90500000000,"delta_ns":90500000000,"stream":"a","stream_id":1,"event":"tick",)"
                   R"("fields":{"n":2}})"
                   "\n"));
  EXPECT_EQ(run("evt dump --delta --csv --from 1m --to 2m x.evt"),
            prints("ns,delta_ns,stream,event,n,rest\r\n60000000000,60000000000,a,tick,1,\r\n"
                   "90500000000,30500000000,a,tick,2,\r\n"));
}

}  // namespace
}  // namespace evt::testing
