#include "chrome_source.h"

#include <algorithm>

#include "chrome_events.h"
#include "chrome_session.h"
#include "libtrace-read/import/src/imported_source.h"

namespace evt {
namespace {

std::string_view without_space(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

}  // namespace

bool is_chrome_json(Bytes front) {
  std::string_view text(reinterpret_cast<const char*>(front.data()), std::min(front.size(), std::size_t{64}));
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = without_space(text);
  const bool is_object = text.starts_with('{');
  if (!is_object && !text.starts_with('[')) return false;
  text = without_space(text.substr(1));
  return text.empty() || (is_object ? text[0] == '"' || text[0] == '}' : text[0] == '{' || text[0] == ']');
}

Result<std::unique_ptr<ByteSource>> open_chrome_json(std::unique_ptr<ByteSource> file) {
  chrome::ChromeEvents events(*file);
  if (const Status read = events.run(); !read.ok()) return read;
  MadeFrom from;
  from.size = file->file_size();
  from.spooled = file->spooled_bytes();
  from.damage = events.damage();
  from.damage.insert(from.damage.end(), file->damage().begin(), file->damage().end());
  from.notes = events.notes();
  return imported_source(file->name(), std::move(from),
                         [&](const TakeBytes& take) { return chrome::ChromeSession(*file, events).write(take); });
}

}  // namespace evt
