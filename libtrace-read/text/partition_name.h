// Folders that partition files of tables.
#pragma once

#include <string>
#include <string_view>

namespace evt {

// `key=value`, Hive's name for the folder of a value: all but letters, digits, `-`, `_` and `.` becomes `%XX`. A name
// beyond 255 bytes, which no file system accepts, is replaced by its beginning, `~` and a hash of all.
std::string partition_name(std::string_view key, std::string_view value);

}  // namespace evt
