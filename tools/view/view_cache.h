// The finished timelines of large traces, in the user's cache folder: the second time such a trace is opened it is seen
// at once.
#pragma once

#include <evt/cache_folder.h>
#include <evt/trace.h>

#include <optional>
#include <string>
#include <utility>

#include "libtrace-view/tiles/finished_tiles.h"

namespace evt::tools {

// A file for each session, NAME.view, that takes its place when complete: the session's identity, a checksum, and what
// FinishedTiles has. Nothing of it is trusted: what does not fit is ignored, and made again. The folder must be the
// effective user's alone; the files take 256 MiB at most, those that were used longest ago go first. Any thread.
class ViewCache {
 public:
  // An empty folder: nothing is kept.
  explicit ViewCache(std::string folder) : folder_(std::move(folder), "timelines", kSuffix) {}

  const std::string& folder() const { return folder_.path(); }
  // `file` is the path of the trace, which may have changed since it was opened. Nothing if there is none that fits.
  std::optional<view::FinishedTiles> load(const std::string& file, const Trace& trace, std::size_t session) const;
  // Silent where it cannot be kept: it is as good without.
  void keep(const std::string& file, const Trace& trace, std::size_t session,
            const view::FinishedTiles& finished) const;

 private:
  static constexpr const char* kSuffix = ".view";

  struct Key;

  std::optional<Key> key_of(const std::string& file, const Trace& trace, std::size_t session) const;

  CacheFolder folder_;
};

}  // namespace evt::tools
