// The Common Trace Format, version 1.8: one file of packets for each stream, and one that describes them.
#include <deque>

#include "log_file.h"
#include "same_events.h"

namespace evt::bench {
namespace {

constexpr std::uint32_t kMagic = 0xC1FC1FC1;
constexpr std::size_t kPacket = 64 << 10;
enum : std::uint16_t { kStart = 0, kStop = 1 };

// Numbers are aligned to bytes: nothing is padded.
constexpr std::string_view kMetadata = R"(/* CTF 1.8 */
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
trace {
  major = 1;
  minor = 8;
  byte_order = le;
  packet.header := struct { uint32_t magic; uint32_t stream_id; };
};
clock { name = clock; freq = 1000000000; };
typealias integer { size = 64; align = 8; signed = false; map = clock.clock.value; } := time_t;
stream {
  id = 0;
  packet.context := struct { time_t timestamp_begin; time_t timestamp_end; uint64_t content_size; uint64_t packet_size; };
  event.header := struct { uint16_t id; time_t timestamp; };
};
event { name = "sched.start"; id = 0; stream_id = 0; fields := struct { uint32_t _thread; }; };
event { name = "sched.stop"; id = 1; stream_id = 0; fields := struct { uint32_t _thread; uint16_t _status; }; };
)";

class CtfStream {
 public:
  explicit CtfStream(const std::string& path) : file_(path) {}

  Packed& event(std::uint16_t id, std::uint64_t ns) {
    if (packet_.size() > kPacket - 64) flush();
    if (packet_.size() == 0) begin(ns);
    last_ = ns;
    packet_.number(id, 2);
    packet_.number(ns, 8);
    return packet_;
  }
  bool close() {
    flush();
    return file_.close();
  }

 private:
  void begin(std::uint64_t ns) {
    packet_.number(kMagic, 4);
    packet_.number(0, 4);
    packet_.number(ns, 8);
    for (int unknown_yet = 0; unknown_yet < 3; ++unknown_yet) packet_.number(0, 8);
  }
  void flush() {
    if (packet_.size() == 0) return;
    packet_.replace(16, last_, 8);
    packet_.replace(24, packet_.size() * 8, 8);
    packet_.replace(32, packet_.size() * 8, 8);
    file_.write(packet_.bytes());
    packet_.clear();
  }

  LogFile file_;
  Packed packet_{Order::kLittle};
  std::uint64_t last_ = 0;
};

class CtfLog : public Log {
 public:
  CtfLog(const std::string& path, std::size_t streams) : metadata_(path + "/metadata") {
    metadata_.write(kMetadata);
    for (std::size_t i = 0; i < streams; ++i) streams_.emplace_back(path + "/s" + std::to_string(i));
  }
  void start(std::size_t stream, std::uint64_t ns, std::uint32_t thread) override {
    streams_[stream].event(kStart, ns).number(thread, 4);
  }
  void stop(std::size_t stream, std::uint64_t ns, std::uint32_t thread, std::uint16_t status) override {
    Packed& out = streams_[stream].event(kStop, ns);
    out.number(thread, 4);
    out.number(status, 2);
  }
  bool close() override {
    bool good = metadata_.close();
    for (CtfStream& each : streams_) good = each.close() && good;
    return good;
  }

 private:
  LogFile metadata_;
  std::deque<CtfStream> streams_;
};

}  // namespace

std::unique_ptr<Log> ctf_log(const std::string& path, std::size_t streams) {
  return std::make_unique<CtfLog>(path, streams);
}

}  // namespace evt::bench
