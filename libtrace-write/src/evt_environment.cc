// Part of <evt/evt.h>: sessions that the environment asks for, EVTRACE=path[,option...].
#include <evt/compact.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <string_view>

#include "default_writer.h"
#include "evt_writer.h"

// Defined only in a program that was linked with the other library.
#pragma weak evt_columns

namespace evt {
namespace {

constexpr std::size_t kLongest = 4096;

// `types=a.*:b.*`: only those; `types=+a.*,-b.*`: also the first, and not the second. Patterns are cut apart in place.
// Types may be declared until the session is closed; only then are unmatched patterns known.
void switch_types(evt_writer* writer, char* patterns) {
  if (*patterns != '+' && *patterns != '-') evt_switch_types(writer, "*", 0);
  char* rest = patterns;
  while (const char* glob = strsep(&rest, ":,")) {
    const bool is_off = *glob == '-';
    if (is_off || *glob == '+') ++glob;
    if (*glob != '\0') evt_switch_types(writer, glob, is_off ? 0 : 1);
  }
  const Lock lock(*writer);
  writer->expect_types();
}

// A word that usually switches a variable on or off. A user who sets this variable to such a word does not want a file
// of that name.
bool is_one_of(const char* word, const char* const* words) {
  for (; *words != nullptr; ++words) {
    if (strcasecmp(word, *words) == 0) return true;
  }
  return false;
}

constexpr const char* kOff[] = {"0", "off", "no", "false", "none", "disable", "disabled", nullptr};
constexpr const char* kOn[] = {"1", "on", "yes", "true", "all", "enable", "enabled", nullptr};

bool parse_count(const char* text, std::uint32_t* count) {
  char* end = nullptr;
  const unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value == 0 || value >= EVT_WAIT_FOR_EVER) return false;
  *count = static_cast<std::uint32_t>(value);
  return true;
}

bool parse_wait(const char* text, std::uint32_t* ms) {
  const bool is_forever = strcmp(text, "forever") == 0;
  if (is_forever) *ms = EVT_WAIT_FOR_EVER;
  return is_forever || parse_count(text, ms);
}

// `64M|1h`: bytes, nanoseconds, or both, each once; null: not these.
bool parse_limits(const char* text, std::uint64_t* bytes, std::uint64_t* ns) {
  static constexpr struct {
    char letter;
    bool is_size;
    std::uint64_t unit;
  } kUnits[] = {{'K', true, 1 << 10},
                {'M', true, 1 << 20},
                {'G', true, 1 << 30},
                {'s', false, 1'000'000'000},
                {'m', false, 60'000'000'000},
                {'h', false, 3'600'000'000'000},
                {'d', false, 86'400'000'000'000}};
  const std::uint64_t* first = nullptr;
  for (const char* at = text;;) {
    char* end = nullptr;
    const unsigned long long value = strtoull(at, &end, 10);
    std::uint64_t* limit = nullptr;
    std::uint64_t unit = 1;
    for (const auto& known : kUnits) {
      if (*end != known.letter) continue;
      limit = known.is_size ? bytes : ns;
      unit = known.unit;
    }
    if (*at < '0' || *at > '9' || value == 0 || limit == nullptr || value > UINT64_MAX / unit) return false;
    if (limit == first) return false;
    *limit = value * unit;
    if (end[1] == '\0') return true;
    if (end[1] != '|') return false;
    first = limit;
    at = end + 2;
  }
}

// Parses one word after the path; false if it is not valid.
bool take_word(char* word, evt_options* options, char** types, bool* cannot_compact) {
  if (strncmp(word, "types=", 6) == 0) {
    *types = word + 6;
    return true;
  }
  if (strncmp(word, "wait=", 5) == 0) return parse_wait(word + 5, &options->full_wait_ms);
  if (strncmp(word, "rotate=", 7) == 0) return parse_limits(word + 7, &options->rotate_bytes, &options->rotate_ns);
  if (strncmp(word, "keep=", 5) == 0) return parse_limits(word + 5, &options->keep_bytes, &options->keep_ns);
  if (strncmp(word, "flight=", 7) == 0) return parse_limits(word + 7, &options->flight_bytes, nullptr);
  if (strncmp(word, "age=", 4) == 0) return parse_limits(word + 4, nullptr, &options->flight_ns);
  if (strncmp(word, "after=", 6) == 0) return parse_limits(word + 6, nullptr, &options->snapshot_after_ns);
  if (strncmp(word, "rearm=", 6) == 0) return parse_limits(word + 6, nullptr, &options->snapshot_rearm_ns);
  if (strncmp(word, "most=", 5) == 0) return parse_count(word + 5, &options->snapshot_most);
  if (strncmp(word, "snapshot=", 9) == 0) {
    options->snapshot = word + 9;
    return true;
  }
  if (strncmp(word, "when=", 5) == 0) {
    options->snapshot_when = word + 5;
    return true;
  }
  if (strcmp(word, "policy=drop") == 0) {
    options->full = EVT_FULL_DROP;
  } else if (strcmp(word, "policy=wait") == 0) {
    options->full = EVT_FULL_WAIT;
  } else if (strcmp(word, "append") == 0) {
    options->append = 1;
  } else if (strcmp(word, "anonymous") == 0) {
    options->anonymous = 1;
  } else if (strcmp(word, "inline") == 0) {
    options->flush_inline = 1;
  } else if (strcmp(word, "rows") == 0) {
    options->compact = nullptr;
  } else if (strcmp(word, "compact") == 0) {
    if (options->compact == nullptr && evt_columns != nullptr) options->compact = evt_columns();
    *cannot_compact = options->compact == nullptr;
  } else {
    return false;
  }
  return true;
}

// `policy` of `policy=drop`; rows and compact are one option, though they have two names.
std::string_view name_of(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  return name == "rows" ? "compact" : name;
}

// An earlier word that sets the same option; null: there is none. Zero bytes end the words from `first` on.
const char* earlier_word(const char* first, const char* word) {
  for (; first < word; first += strlen(first) + 1) {
    if (name_of(first) == name_of(word)) return first;
  }
  return nullptr;
}

}  // namespace
}  // namespace evt

evt_writer* evt_open_from_env_1(const evt_options* given, const evt_sizes_* sizes, evt_error* error) {
  evt_error ignored;
  if (error == nullptr) error = &ignored;
  *error = {EVT_OK, ""};
  // A program with more rights than its user must not write where EVTRACE directs it.
  const char* const text = secure_getenv("EVTRACE");
  if (text == nullptr || *text == '\0') return nullptr;
  char words[evt::kLongest];
  const std::size_t length = strlen(text);
  if (length >= sizeof words) {
    evt::set_error(error, EVT_CODE_INVALID, "EVTRACE is longer than %zu bytes", sizeof words - 1);
    return nullptr;
  }
  memcpy(words, text, length + 1);
  evt::GivenStructs structs(*sizes);
  evt_options options = {};
  if (const evt_options* const known = structs.options(given)) options = *known;
  if (structs.lacks_memory()) {
    evt::set_error(error, EVT_CODE_MEMORY, "no memory for the options of a session");
    return nullptr;
  }
  char* types = nullptr;
  char* rest = words;
  const char* const path = strsep(&rest, ",");
  if (evt::is_one_of(path, evt::kOff)) return nullptr;
  bool cannot_compact = false;
  const char* end_of_types = nullptr;
  while (char* const word = strsep(&rest, ",")) {
    const bool goes_on = word == end_of_types && (*word == '+' || *word == '-');
    if (goes_on) word[-1] = ',';
    if (goes_on || strncmp(word, "types=", 6) == 0) end_of_types = rest;
    if (goes_on) continue;
    const char* const earlier = evt::earlier_word(path + strlen(path) + 1, word);
    if (earlier != nullptr) {
      evt::set_error(error, EVT_CODE_INVALID, "EVTRACE: expected each option once, found %.40s and %.40s", earlier,
                     word);
      return nullptr;
    }
    if (evt::take_word(word, &options, &types, &cannot_compact)) continue;
    evt::set_error(error, EVT_CODE_INVALID,
                   "EVTRACE: expected types=, policy=wait, policy=drop, wait=, append, inline, compact, rows, "
                   "anonymous, rotate=64M|1h, keep=1G|7d, flight=64M, age=5m, snapshot=PATH, when=TYPE, after=2s, "
                   "rearm=60s or most=10, found %.40s",
                   word);
    return nullptr;
  }
  if (cannot_compact) {
    evt::set_error(error, EVT_CODE_INVALID,
                   "EVTRACE: compact needs libevtrace-compact, which this program does not link");
    return nullptr;
  }
  if (*path == '\0' || evt::is_one_of(path, evt::kOn)) {
    evt::set_error(error, EVT_CODE_INVALID, "EVTRACE: expected a path first, such as app.%%p.evt, found %s",
                   *path == '\0' ? "none" : path);
    return nullptr;
  }
  evt_writer* const writer = evt::open_for_user(path, options, error);
  if (writer == nullptr) return nullptr;
  writer->report(structs);
  if (types != nullptr) evt::switch_types(writer, types);
  evt::become_default(writer);
  return writer;
}
