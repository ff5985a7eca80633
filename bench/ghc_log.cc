// The event log of GHC's runtime: a table of event types, then blocks, each of one capability, in the order in which
// their buffers became full.
#include "log_file.h"
#include "same_events.h"

namespace evt::bench {
namespace {

constexpr std::size_t kBlock = 2 << 20;  // the size of the runtime's buffers
enum : std::uint16_t { kRunThread = 1, kStopThread = 2, kBlockMarker = 18, kEnd = 0xFFFF };

struct Type {
  std::uint16_t number;
  std::uint16_t size;
  std::string_view name;
};
constexpr Type kTypes[] = {
    {kRunThread, 4, "Run thread"}, {kStopThread, 10, "Stop thread"}, {kBlockMarker, 14, "Block marker"}};

struct Capability {
  Packed block{Order::kBig};
  std::uint64_t last = 0;
};

class GhcLog : public Log {
 public:
  GhcLog(const std::string& path, std::size_t streams) : file_(path), capabilities_(streams) {
    Packed header(Order::kBig);
    header.text("hdrbhetb");
    for (const Type& type : kTypes) {
      header.text({"etb\0", 4});
      header.number(type.number, 2);
      header.number(type.size, 2);
      header.number(type.name.size(), 4);
      header.text(type.name);
      header.number(0, 4);  // nothing more of it
      header.text({"ete\0", 4});
    }
    header.text("hetehdredatb");
    file_.write(header.bytes());
  }
  void start(std::size_t stream, std::uint64_t ns, std::uint32_t thread) override {
    event(stream, kRunThread, ns).number(thread, 4);
  }
  void stop(std::size_t stream, std::uint64_t ns, std::uint32_t thread, std::uint16_t status) override {
    Packed& out = event(stream, kStopThread, ns);
    out.number(thread, 4);
    out.number(status, 2);
    out.number(0, 4);  // what it waits for
  }
  bool close() override {
    for (std::size_t i = 0; i < capabilities_.size(); ++i) flush(i);
    Packed end(Order::kBig);
    end.number(kEnd, 2);
    file_.write(end.bytes());
    return file_.close();
  }

 private:
  Packed& event(std::size_t number, std::uint16_t type, std::uint64_t ns) {
    Capability& capability = capabilities_[number];
    if (capability.block.size() > kBlock - 64) flush(number);
    if (capability.block.size() == 0) {
      head(capability.block, kBlockMarker, ns);
      capability.block.number(0, 4);  // size and time of its end, which are not known yet
      capability.block.number(0, 8);
      capability.block.number(number, 2);
    }
    capability.last = ns;
    head(capability.block, type, ns);
    return capability.block;
  }
  static void head(Packed& out, std::uint16_t type, std::uint64_t ns) {
    out.number(type, 2);
    out.number(ns, 8);
  }
  void flush(std::size_t number) {
    Capability& capability = capabilities_[number];
    if (capability.block.size() == 0) return;
    capability.block.replace(10, capability.block.size(), 4);
    capability.block.replace(14, capability.last, 8);
    file_.write(capability.block.bytes());
    capability.block.clear();
  }

  LogFile file_;
  std::vector<Capability> capabilities_;
};

}  // namespace

std::unique_ptr<Log> ghc_log(const std::string& path, std::size_t streams) {
  return std::make_unique<GhcLog>(path, streams);
}

}  // namespace evt::bench
