// What was kept of a session that was viewed: the session's last time, as text, a line break, and the bytes. They are
// refused, or are what would be written of what they mean; then each tile of each level is there, and nothing else.
#include <charconv>
#include <string>
#include <string_view>

#include "fuzz_target.h"
#include "libtrace-view/tiles/finished_tiles.h"
#include "libtrace-view/tiles/tile.h"
#include "libtrace-view/tiles/tile_check.h"

namespace {

using evt::view::FinishedTiles;
using evt::view::TilePlace;
using evt::view::TilesOfLevel;

constexpr std::size_t kStreams = 3;

void check_tiles(const FinishedTiles& finished) {
  const std::size_t names = finished.layout.names.all().size();
  for (const FinishedTiles::Level& level : finished.levels) {
    const TilesOfLevel all(finished.layout.range, level.level);
    FUZZ_CHECK(finished.tile({level.level, all.first - 1}) == nullptr);
    FUZZ_CHECK(finished.tile({level.level, all.last + 1}) == nullptr);
    for (std::int64_t index = all.first; index <= all.last; ++index) {
      const std::vector<std::string>* const tile = finished.tile({level.level, index});
      FUZZ_CHECK(tile != nullptr && tile->size() == finished.ids.size());
      for (std::size_t id = 0; id < tile->size(); ++id) {
        FUZZ_CHECK(evt::view::is_payload(finished.ids[id].kind, (*tile)[id], names));
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  std::int64_t last_ns = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), last_ns);
  const std::string_view rest = all.substr(static_cast<std::size_t>(end - all.data()));
  if (error != std::errc() || !rest.starts_with('\n')) return 0;
  const auto finished = FinishedTiles::from(rest.substr(1), last_ns, kStreams);
  if (!finished) return 0;
  FUZZ_CHECK(finished->bytes() == rest.substr(1));
  for (const auto& row : finished->layout.rows) {
    FUZZ_CHECK(finished->ids.at(row.id).key == row.key && finished->layout.row(row.id) != nullptr);
  }
  check_tiles(*finished);
  return 0;
}
