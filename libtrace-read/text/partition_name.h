// Folders by which files of tables are divided.
#pragma once

#include <string>
#include <string_view>

namespace evt {

// `key=value` as Hive names the folder of a value: all but letters, digits, `-`, `_` and `.` is `%XX`. Of a name that
// no file system takes, beyond 255 bytes, the front, `~` and a hash of all.
std::string partition_name(std::string_view key, std::string_view value);

}  // namespace evt
