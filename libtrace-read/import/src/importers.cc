#include "importers.h"

#include <errno.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include "libtrace-read/core/src/base/temporary_file.h"
#include "libtrace-read/core/src/source/importer.h"

namespace evt {

std::span<const Importer> importers() {
  static constexpr Importer kAll[] = {{&is_eventlog, &open_eventlog},     {&is_chrome_json, &open_chrome_json},
                                      {&is_ctf_stream, &open_ctf_stream}, {&is_pprof, &open_pprof},
                                      {&is_folded, &open_folded},         {&is_perf_script, &open_perf_script}};
  return kAll;
}

Result<std::unique_ptr<ByteSource>> imported_source(const std::string& name, MadeFrom from,
                                                    const std::function<Status(const TakeBytes&)>& write) {
  const int fd = temporary_file();
  if (fd < 0) return Status(Code::kIo, fmt::format("cannot make a temporary file for {}: {}", name, strerror(errno)));
  std::uint64_t size = 0;
  const Status written = write([&](Bytes bytes) {
    size += bytes.size();
    return write_fully(fd, bytes.data(), bytes.size()) ? 0 : errno;
  });
  if (!written.ok()) {
    ::close(fd);
    return written;
  }
  auto source = temporary_source(fd, name, size);
  source->set_made_from(std::move(from));
  return source;
}

}  // namespace evt
