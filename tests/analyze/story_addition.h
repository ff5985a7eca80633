// What else there is in traces, which the stories of threads do not know.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace evt::testing {

inline constexpr std::string_view kMoreTypes =
    "type 1030 here role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 1031 leave role=threadStop\n"
    "type 1032 switch role=threadStop facet=threadRun[next=thread cpu=cpu] (prev u64 role=thread) (next u64) "
    "(cpu u32 role=cpu)\n"
    "type 1033 call.name role=threadName (thread u64 role=thread) (name text role=name)\n"
    "type 1034 move role=threadMigrate (thread u64 role=thread) (cpu u32 role=cpu)\n"
    "type 1035 rouse role=threadWake (thread u64 role=thread) (waker u64 role=waker)\n"
    "type 1036 idle role=idleThread (thread u64 role=thread)\n"
    "type 1037 open role=objectOpen (object u64 role=object) (resource text role=resource) (limit u64 role=limit)\n"
    "type 1038 title role=objectName (object u64 role=object) (name text role=name)\n"
    "type 1039 close role=objectClose (object u64 role=object)\n"
    "type 1040 enter role=callBegin (function text role=function) (object u64 role=object)\n"
    "type 1041 return role=callEnd (amount u64 role=amount)\n"
    "type 1042 did role=call (function text role=function) (object u64 role=object) (amount u64 role=amount) "
    "(duration tick_delta role=duration)\n"
    "type 1043 inside role=spanBegin (name text role=name)\n"
    "type 1044 outside role=spanEnd\n"
    "type 1045 over role=span (name text role=name) (from ticks role=began) (to ticks role=ended)\n"
    "type 1046 stopped role=stopped (from ticks role=began) (to ticks role=ended)\n"
    "type 1047 sync role=gcSync\n"
    "type 1048 collected role=gcStatistics (generation u16 role=generation)\n"
    "type 1049 work role=sparkCreate\n"
    "type 1050 works role=sparkCounters (created u64) (converted u64)\n"
    "type 1052 ask role=gcRequest\ntype 1053 halt role=gcPauseBegin\ntype 1054 resume role=gcPauseEnd\n"
    "type 1055 beside role=gcConcurrentBegin\ntype 1056 alone role=gcConcurrentEnd\n"
    "type 1051 wait role=overhead (reason text role=reason) (duration tick_delta role=duration)\n";

// At the times and on the streams of the events of a story: whatever it does to them.
class StoryAddition {
 public:
  explicit StoryAddition(unsigned seed) : random_(seed) {}

  std::string to(const std::string& story) {
    std::string text;
    for (std::size_t at = 0; at < story.size();) {
      const std::size_t end = story.find('\n', at) + 1;
      const std::string line = story.substr(at, end - at);
      if (!is_event(line)) {
        text += line.starts_with("stream") ? std::exchange(more_types_, "") + line : line;
      } else {
        text += line;
        const std::size_t time = line.find(' ');
        const std::size_t stream = line.find(' ', time + 1);
        now_ = nanoseconds(line.substr(0, time));
        note_ends(line);
        while (pick(3) == 0) text += line.substr(0, stream + 1) + event() + "\n";
      }
      at = end;
    }
    return text;
  }

 private:
  static bool is_event(const std::string& line) { return line[0] >= '0' && line[0] <= '9'; }
  static std::int64_t nanoseconds(const std::string& time) {
    return std::stoll(time.substr(0, time.find('.'))) * 1'000'000'000 + std::stoll(time.substr(time.find('.') + 1));
  }
  static std::string seconds(std::int64_t ns) {
    return fmt::format("{}.{:09}", ns / 1'000'000'000, ns % 1'000'000'000);
  }
  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  std::int64_t earlier(std::int64_t than) { return than - static_cast<std::int64_t>(pick(400)) % (than + 1); }

  // What is about a thread that has ended is about a new one in a part that does not know of it.
  void note_ends(const std::string& line) {
    const std::size_t at = line.find("thread=");
    if (at == line.npos) return;
    const std::uint64_t number = std::stoull(line.substr(at + 7));
    const bool ends = line.find("thread.exit") != line.npos || line.find("reason=finished") != line.npos;
    ends ? static_cast<void>(ended_.insert(number)) : static_cast<void>(ended_.erase(number));
  }
  std::uint64_t a_thread() {
    std::uint64_t number = 1 + pick(8);
    while (ended_.contains(number)) number = 1 + pick(8);
    return number;
  }

  std::string event() {
    const std::string a_name(1, static_cast<char>('p' + pick(3)));
    const std::int64_t ended = pick(2) == 0 ? now_ : earlier(now_);
    const std::string duration = seconds(now_ - earlier(now_));
    switch (pick(25)) {
      case 0:
        return fmt::format("here thread={} cpu={}", 6 + pick(3), pick(4));
      case 1:
        return "leave";
      case 2:
        return fmt::format("switch prev={} next={} cpu={}", 6 + pick(3), 6 + pick(3), pick(4));
      case 3:
        return fmt::format("call.name thread={} name=\"{}\"", a_thread(), a_name);
      case 4:
        return fmt::format("move thread={} cpu={}", a_thread(), pick(4));
      case 5:
        return fmt::format("rouse thread={} waker={}", a_thread(), a_thread());
      case 6:
        return pick(4) == 0 ? "idle thread=9" : fmt::format("thread.run thread=9 cpu={}", pick(4));
      case 7:
        return fmt::format("open object={} resource=\"{}\" limit={}", 1 + pick(4), a_name, pick(2) * 1'000'000'000);
      case 8:
        return fmt::format("title object={} name=\"{}\"", 1 + pick(4), a_name);
      case 9:
        return fmt::format("close object={}", 1 + pick(4));
      case 10:
      case 11:
        return fmt::format("enter function=\"{}\" object={}", a_name, pick(5));
      case 12:
      case 13:
        return fmt::format("return amount={}", pick(100));
      case 14:
        return fmt::format("did function=\"{}\" object={} amount={} duration={}", a_name, pick(5), pick(100), duration);
      case 15:
        return fmt::format("inside name=\"{}\"", a_name);
      case 16:
        return "outside";
      case 17:
        return fmt::format("over name=\"{}\" from={} to={}", a_name, seconds(earlier(ended)), seconds(ended));
      case 18:
        return fmt::format("stopped from={} to={}", seconds(earlier(ended)), seconds(ended));
      case 19:
        return "sync";
      case 20:
        return fmt::format("collected generation={}", pick(3));
      case 21:
        return "work";
      case 22:
        works_ += pick(5);
        return fmt::format("works created={} converted={}", works_, works_ / 2);
      case 23: {
        static constexpr const char* kBeside[] = {"ask", "halt", "resume", "beside", "alone"};
        return kBeside[pick(std::size(kBeside))];
      }
      default:
        return fmt::format("wait reason=\"{}\" duration={}", a_name, duration);
    }
  }

  std::mt19937 random_;
  std::string more_types_ = std::string(kMoreTypes);
  std::int64_t now_ = 0;
  std::set<std::uint64_t> ended_;
  std::uint64_t works_ = 0;
};

}  // namespace evt::testing
