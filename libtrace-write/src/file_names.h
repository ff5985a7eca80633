// Renames files so that no other file loses its name: other processes may do the same in the same folder at the same
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace evt {

// Formats seconds since 1970 as a UTC word for a file name: 20261122T030405. libc's strftime would bring time zones and
// locales, 60 KB, into a static program. After Howard Hinnant's civil_from_days: years that begin in March, in eras of
// 400 years.
inline void format_utc(std::int64_t seconds, char* out, std::size_t size) {
  constexpr std::int64_t kDay = 86'400;
  const std::int64_t days = (seconds >= 0 ? seconds : seconds - kDay + 1) / kDay;
  const auto of_day = static_cast<int>(seconds - days * kDay);
  const std::int64_t from_march = days + 719'468;  // since the first of March of the year 0
  const std::int64_t era = (from_march >= 0 ? from_march : from_march - 146'096) / 146'097;
  const std::int64_t day_of_era = from_march - era * 146'097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;  // 0 is March
  const auto day = static_cast<int>(day_of_year - (153 * month + 2) / 5 + 1);
  const auto year = static_cast<int>(year_of_era + era * 400 + (month >= 10 ? 1 : 0));
  std::snprintf(out, size, "%04d%02d%02dT%02d%02d%02d", year, static_cast<int>(month < 10 ? month + 3 : month - 9), day,
                of_day / 3600, of_day / 60 % 60, of_day % 60);
}

// Replaces %p in `pattern` by this process's id, %t by the time, %% by a per cent sign; false if it does not fit.
bool expand_path(const char* pattern, char* path, std::size_t size);

// app.evt -> app.WORD.evt; false if it does not fit.
bool insert_word(const char* path, const char* word, char* out, std::size_t size);

// Never replaces another file: returns false, with EEXIST, if there is one.
bool rename_to_free(const char* from, const char* to);

}  // namespace evt
