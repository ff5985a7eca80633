// Stacks as pprof's profile, read by its numbers of fields.
#include <evt/events.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <map>
#include <protozero/pbf_reader.hpp>

#include "pictures.h"
#include "write/recording.h"

namespace evt::testing {
namespace {

using protozero::pbf_reader;

std::string unzipped(const std::string& bytes) {
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string text(1 << 20, 0);
  std::string packed = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

// What a profile says: its types of values, and a line for each sample.
class Profile {
 public:
  explicit Profile(const std::string& file) : bytes_(unzipped(file)) {
    each(6, [&](pbf_reader& profile) { texts_.push_back(profile.get_string()); });
  }

  std::string text() {
    std::map<std::uint64_t, std::string> module;
    std::map<std::uint64_t, std::string> function;
    std::map<std::uint64_t, std::string> place;
    std::string lines;
    each(3, [&](pbf_reader& profile) {
      const Numbers numbers = numbers_of(profile.get_message());
      module[numbers.at(1)] = texts_[numbers.at(5)];
    });
    each(5, [&](pbf_reader& profile) {
      const Numbers numbers = numbers_of(profile.get_message());
      function[numbers.at(1)] = texts_[numbers.at(2)];
    });
    each(4, [&](pbf_reader& profile) {
      pbf_reader location = profile.get_message();
      Numbers numbers = numbers_of(location);
      place[numbers.at(1)] = function[numbers_of(line_of(location)).at(1)];
      if (numbers.contains(2)) place[numbers.at(1)] += " in " + module[numbers.at(2)];
    });
    each(1, [&](pbf_reader& profile) {
      const Numbers numbers = numbers_of(profile.get_message());
      lines += fmt::format("{}/{}\n", texts_[numbers.at(1)], texts_[numbers.at(2)]);
    });
    each(2, [&](pbf_reader& profile) {
      pbf_reader sample = profile.get_message();
      std::vector<std::string> stack;
      std::vector<std::int64_t> values;
      std::string label;
      while (sample.next()) {
        if (sample.tag() == 1) {
          for (const std::uint64_t id : sample.get_packed_uint64()) stack.push_back(place[id]);
        } else if (sample.tag() == 2) {
          for (const std::int64_t value : sample.get_packed_int64()) values.push_back(value);
        } else {
          const Numbers numbers = numbers_of(sample.get_message());
          label = texts_[numbers.at(1)] + "=" + texts_[numbers.at(2)];
        }
      }
      lines += fmt::format("{} {} {}\n", fmt::join(stack, " < "), values, label);
    });
    return lines;
  }

 private:
  using Numbers = std::map<std::uint32_t, std::uint64_t>;

  template <typename Take>
  void each(std::uint32_t tag, Take take) {
    pbf_reader profile(bytes_);
    while (profile.next(tag)) take(profile);
  }
  // Fields that are numbers.
  static Numbers numbers_of(pbf_reader message) {
    Numbers numbers;
    while (message.next()) {
      if (message.wire_type() == protozero::pbf_wire_type::varint) {
        numbers[message.tag()] = message.get_uint64();
      } else {
        message.skip();
      }
    }
    return numbers;
  }
  static pbf_reader line_of(pbf_reader location) { return location.next(4) ? location.get_message() : pbf_reader(); }

  std::string bytes_;
  std::vector<std::string> texts_;
};

class Pprof : public Pictures {};

TEST_F(Pprof, HasTheStacksOfSamplesWithTheirModulesAndThreads) {
  Recording recording;
  const auto types = recording->declare<events::StackFrame, events::StackFrames, events::StackSample>();
  Stream stream = recording->stream("a");
  const auto frame = [&](const char* function, const char* module) {
    return recording->intern(types, events::StackFrame{recording->intern(function), recording->intern(module), 7});
  };
  const Reference main = frame("main", "/bin/a");
  const Reference copy = frame("copy\xff", "/lib/libc.so.6");
  const auto sample = [&](std::uint64_t thread, const std::vector<Reference>& frames) {
    stream.emit(types, events::StackSample{thread, recording->intern(types, events::StackFrames{frames}), 30});
  };
  sample(1, {copy, main});
  sample(1, {copy, main});
  sample(2, {main});
  EXPECT_EQ(Profile(file_of_bytes(pprof(PathWeight::kSamples), recording.bytes())).text(),
            "samples/count\ncpu/nanoseconds\n"
            "copy\uFFFD in /lib/libc.so.6 < main in /bin/a [2, 60] thread=thread 1\n"
            "main in /bin/a [1, 30] thread=thread 2\n");
}

TEST_F(Pprof, HasSpansByWhatIsAsked) {
  EXPECT_EQ(Profile(file_of(pprof(PathWeight::kWall), kLife)).text(),
            "entries/count\nwall/nanoseconds\nstep [1, 2750] thread=worker\nread < step [1, 1250] thread=worker\n");
  EXPECT_EQ(Profile(file_of(pprof(PathWeight::kCount), kLife)).text(),
            "entries/count\nstep [1] thread=worker\nread < step [1] thread=worker\n");
}

TEST_F(Pprof, OfNothingIsAProfile) {
  EXPECT_EQ(Profile(file_of(pprof(PathWeight::kSamples), "")).text(), "samples/count\ncpu/nanoseconds\n");
}

}  // namespace
}  // namespace evt::testing
