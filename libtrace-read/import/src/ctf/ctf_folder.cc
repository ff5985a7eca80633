#include "ctf_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace evt::ctf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxEntries = 100'000;
constexpr int kMaxDepth = 8;  // as deep as the archives of a session's rotations

bool has_metadata(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "metadata", error);
}

// Calls `take(folder)` for each that has metadata, until it returns false.
template <typename Take>
void each_trace(const std::string& folder, Take take) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return;
  if (has_metadata(folder) && !take(fs::path(folder))) return;
  const auto options = fs::directory_options::skip_permission_denied;
  std::size_t entries = 0;
  for (fs::recursive_directory_iterator at(folder, options, error), end; !error && at != end; at.increment(error)) {
    if (++entries > kMaxEntries) return;
    if (at.depth() >= kMaxDepth) at.disable_recursion_pending();
    std::error_code ignored;
    if (at->is_directory(ignored) && has_metadata(at->path()) && !take(at->path())) return;
  }
}

TraceFiles files_of(const fs::path& folder) {
  TraceFiles files;
  files.metadata = folder / "metadata";
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    std::error_code ignored;
    if (name == "metadata" || name.starts_with('.') || !at->is_regular_file(ignored)) continue;
    files.streams.push_back(at->path());
  }
  std::ranges::sort(files.streams);
  return files;
}

}  // namespace

std::vector<TraceFiles> traces_below(const std::string& folder) {
  std::vector<TraceFiles> traces;
  each_trace(folder, [&](const fs::path& trace) {
    traces.push_back(files_of(trace));
    return true;
  });
  std::ranges::sort(traces, {}, &TraceFiles::metadata);
  return traces;
}

TraceFiles trace_of_stream(const std::string& stream) {
  TraceFiles files;
  const fs::path folder = fs::path(stream).parent_path();
  std::error_code error;
  const bool is_file = fs::is_regular_file(stream, error);
  if (is_file && has_metadata(folder)) files.metadata = folder / "metadata";
  files.streams.push_back(stream);
  return files;
}

bool has_trace(const std::string& folder) {
  bool is_found = false;
  each_trace(folder, [&](const fs::path&) {
    is_found = true;
    return false;
  });
  return is_found;
}

}  // namespace evt::ctf
