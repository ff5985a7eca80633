// Profiles of pprof.
#include <protozero/pbf_writer.hpp>

#include "sampled_reading.h"

namespace evt::testing {
namespace {

using protozero::pbf_writer;

// Writes a profile by its numbers of fields.
class MadeProfile {
 public:
  MadeProfile(std::initializer_list<const char*> texts) : texts_(texts.begin(), texts.end()) {}

  MadeProfile& type(std::int64_t type, std::int64_t unit) { return numbers(1, {{1, type}, {2, unit}}); }
  MadeProfile& mapping(std::int64_t id, std::int64_t start, std::int64_t file) {
    return numbers(3, {{1, id}, {2, start}, {5, file}});
  }
  MadeProfile& function(std::int64_t id, std::int64_t name) { return numbers(5, {{1, id}, {2, name}}); }
  // `lines`: pairs of a function and a number.
  MadeProfile& location(std::uint64_t id, std::uint64_t mapping, std::uint64_t address,
                        const std::vector<std::pair<std::int64_t, std::int64_t>>& lines) {
    pbf_writer profile(bytes_);
    pbf_writer location(profile, 4);
    location.add_uint64(1, id);
    location.add_uint64(2, mapping);
    location.add_uint64(3, address);
    for (const auto& [function, number] : lines) {
      pbf_writer line(location, 4);
      line.add_int64(1, function);
      line.add_int64(2, number);
    }
    return *this;
  }
  // The label has this text as its key and that one as its value.
  MadeProfile& sample(const std::vector<std::uint64_t>& stack, const std::vector<std::int64_t>& values,
                      std::pair<std::int64_t, std::int64_t> label = {}) {
    pbf_writer profile(bytes_);
    pbf_writer sample(profile, 2);
    sample.add_packed_uint64(1, stack.begin(), stack.end());
    for (const std::int64_t value : values) sample.add_int64(2, value);
    if (label.first == 0) return *this;
    pbf_writer of_it(sample, 3);
    of_it.add_int64(1, label.first);
    of_it.add_int64(2, label.second);
    return *this;
  }
  MadeProfile& number(protozero::pbf_tag_type tag, std::int64_t number) {
    pbf_writer(bytes_).add_int64(tag, number);
    return *this;
  }
  // Behind all others, as Go's are.
  std::string bytes() const {
    std::string all = bytes_;
    pbf_writer profile(all);
    for (const std::string& text : texts_) profile.add_string(6, text);
    return all;
  }

 private:
  MadeProfile& numbers(protozero::pbf_tag_type tag,
                       std::initializer_list<std::pair<protozero::pbf_tag_type, std::int64_t>> fields) {
    pbf_writer profile(bytes_);
    pbf_writer message(profile, tag);
    for (const auto& [field, number] : fields) message.add_int64(field, number);
    return *this;
  }

  std::string bytes_;
  std::vector<std::string> texts_;
};

// f calls g, which is inlined there.
MadeProfile cpu_profile() {
  MadeProfile made{"", "samples", "count", "cpu", "nanoseconds", "/bin/a", "f", "g", "thread", "main", "user"};
  made.number(9, 5'000'000'000).type(1, 2).type(3, 4).mapping(1, 0x1000, 5).function(1, 6).function(2, 7);
  made.location(1, 1, 0x1010, {{2, 20}, {1, 10}}).location(2, 1, 0x1123, {}).location(3, 0, 0x77, {});
  return made;
}

TEST(PprofProfile, HasItsStacksWithModulesLinesAndThreads) {
  const std::string bytes =
      cpu_profile().sample({1}, {1, 30}, {8, 9}).sample({2, 1}, {3, 31}).sample({3, 9}, {0, 5}, {10, 9}).bytes();
  EXPECT_EQ(samples_of(bytes),
            "0 main pprof.sample 30: g in /bin/a line 20, f in /bin/a line 10\n"
            "30 profile pprof.sample 11: a+0x123 in /bin/a, g in /bin/a line 20, f in /bin/a line 10\n"
            "41 profile pprof.sample 10: a+0x123 in /bin/a, g in /bin/a line 20, f in /bin/a line 10\n"
            "51 profile pprof.sample 10: a+0x123 in /bin/a, g in /bin/a line 20, f in /bin/a line 10\n"
            "61 profile pprof.sample 5: 0x77, [unknown]\n"
            "note: labels other than thread are left out\n");
  const auto trace = Trace::from_memory(as_bytes(bytes));
  EXPECT_EQ(trace->sessions().front().start_utc_ns, 5'000'000'000);
}

TEST(PprofProfile, OfAHeapIsReadByTheValueThatItNames) {
  MadeProfile made{"", "objects", "count", "space", "bytes", "spare", "f"};
  made.type(1, 2).type(3, 4).type(5, 4).number(14, 3).function(1, 6).location(1, 0, 1, {{1, 0}});
  EXPECT_EQ(samples_of(made.sample({1}, {2, 512, 9}).sample({1}, {1, 0, 9}).bytes()),
            "0 profile pprof.sample 512: f\n"
            "note: space (bytes) is no time: its values are read as nanoseconds\n"
            "note: values left out: objects (count), spare (bytes)\n");
}

TEST(PprofProfile, OfGoroutinesThatWaitHasWaits) {
  MadeProfile made{"", "contentions", "count", "delay", "microseconds", "f"};
  made.type(1, 2).type(3, 4).function(1, 5).location(1, 0, 1, {{1, 0}});
  const std::string bytes = made.sample({1}, {1, 7}).bytes();
  EXPECT_EQ(samples_of(bytes), "0 profile pprof.sample 7000: f\n");
  auto trace = Trace::from_memory(as_bytes(bytes));
  for (const Event& event : trace->events()) EXPECT_EQ(event.number(Role::kDuration), 7000u);
}

TEST(PprofProfile, ASampleThatIsNoneIsALoss) {
  EXPECT_EQ(samples_of(cpu_profile().sample({1}, {1, 30}).sample({1}, {1}).sample({1}, {1, -5}).bytes()),
            "0 profile pprof.sample 30: g in /bin/a line 20, f in /bin/a line 10\n"
            "30 profile lost 1\n30 profile lost 1\n"
            "damage 86+7: no sample: it has not one value of each type\n"
            "damage 93+18: no sample: its value is negative\n");
}

TEST(PprofProfile, OneThatIsCutIsReadUpToThere) {
  const std::string bytes = cpu_profile().sample({1}, {1, 30}).bytes();
  EXPECT_EQ(samples_of(bytes.substr(0, bytes.size() - 3)),
            "0 profile pprof.sample 30: g in /bin/a line 20, f in /bin/a line 10\n"
            "30 profile lost 1\n"
            "damage 150+3: no sample: the profile ends inside a field, or is none from here on\n");
}

TEST(PprofProfile, WhatIsClaimedTakesNoMemoryAndNoTime) {
  // A sample that counts for 2^62, one whose stack claims 2^40 bytes, and one of a million calls in one place.
  MadeProfile made = cpu_profile();
  made.location(4, 0, 1, std::vector<std::pair<std::int64_t, std::int64_t>>(1'000'000, {1, 1}));
  made.sample({1}, {std::int64_t{1} << 62, 30});
  for (int i = 0; i < 1000; ++i) made.sample({4, 4, 4, 4}, {1, 1});
  const std::string read = samples_of(made.bytes() + "\x12\x07\x0a\x80\x80\x80\x80\x80\x20");
  EXPECT_THAT(read, ::testing::StartsWith("0 profile pprof.sample 30: g in /bin/a line 20, f in /bin/a line 10\n30 "));
  EXPECT_THAT(read, ::testing::EndsWith("note: it has more than 1000000 samples: those of one stack are one event\n"));
  EXPECT_THAT(read, ::testing::HasSubstr("no sample: a part of it claims more bytes than it has"));
  EXPECT_THAT(read, ::testing::HasSubstr("[truncated]"));
  EXPECT_THAT(read, ::testing::HasSubstr("its tables have more than 524288 entries: 475714 are left out"));
}

TEST(PprofProfile, OneWithoutTypesOfValuesIsASentence) {
  EXPECT_EQ(samples_of(std::string("\x32\x00\x32\x01x", 5)),
            "not a trace: memory is a profile of pprof that evt does not read: it states no type of its values\n");
}

}  // namespace
}  // namespace evt::testing
