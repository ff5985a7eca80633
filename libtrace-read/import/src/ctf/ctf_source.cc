#include "ctf_source.h"

#include <fmt/core.h>

#include <cstring>

#include "ctf_session.h"
#include "libtrace-read/import/src/imported_source.h"

namespace evt {
namespace {

Result<std::unique_ptr<ByteSource>> open_traces(const std::vector<ctf::TraceFiles>& traces, const std::string& called) {
  auto events = ctf::CtfEvents::read(traces, called);
  if (!events) return events.status();
  MadeFrom from;
  from.size = (*events)->size();
  from.damage = (*events)->damage();
  from.notes = (*events)->notes();
  return imported_source(called, std::move(from),
                         [&](const TakeBytes& take) { return ctf::CtfSession(called, **events).write(take); });
}

}  // namespace

bool is_ctf_stream(Bytes front) {
  return front.size() >= 4 && (std::memcmp(front.data(), "\xC1\x1F\xFC\xC1", 4) == 0 ||
                               std::memcmp(front.data(), "\xC1\xFC\x1F\xC1", 4) == 0);
}

Result<std::unique_ptr<ByteSource>> open_ctf_stream(std::unique_ptr<ByteSource> file) {
  const ctf::TraceFiles files = ctf::trace_of_stream(file->name());
  if (files.metadata.empty()) {
    return Status(
        Code::kNotATrace,
        fmt::format("{}: it is a stream of a CTF trace, and the file metadata is not beside it", file->name()));
  }
  return open_traces({files}, file->name());
}

bool is_ctf_folder(const std::string& folder) { return ctf::has_trace(folder); }

Result<std::unique_ptr<ByteSource>> open_ctf_folder(const std::string& folder) {
  return open_traces(ctf::traces_below(folder), folder);
}

}  // namespace evt
