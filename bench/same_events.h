// The same events, written for several readers: a thread starts, a thread stops, in turn over some streams.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace evt::bench {

// One log of one format. `ns` never steps back.
class Log {
 public:
  virtual ~Log() = default;
  virtual void start(std::size_t stream, std::uint64_t ns, std::uint32_t thread) = 0;
  virtual void stop(std::size_t stream, std::uint64_t ns, std::uint32_t thread, std::uint16_t status) = 0;
  // False when something could not be written.
  virtual bool close() = 0;
};

// Into `path`, a file.
std::unique_ptr<Log> evt_log(const std::string& path, std::size_t streams, bool compact);
// A folder with a file for each stream: CTF 1.8, in packets of 64 KiB.
std::unique_ptr<Log> ctf_log(const std::string& path, std::size_t streams);
// A file as GHC's runtime writes it, a capability for each stream.
std::unique_ptr<Log> ghc_log(const std::string& path, std::size_t streams);

}  // namespace evt::bench
