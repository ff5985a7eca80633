// What a file is that is no trace, by its first bytes, and the command that helps.
#pragma once

#include <evt/schema.h>
#include <evt/status.h>

#include <span>
#include <string>
#include <string_view>

namespace evt {

// One format. Where its first bytes are from is in foreign_files.cc.
struct ForeignFile {
  // One of these, at that place, or what the function recognizes.
  std::string_view magics[4]{};
  std::size_t offset = 0;
  bool (*recognizes)(std::string_view front) = nullptr;

  const char* what = "";  // "it begins as a zip archive does"
  const char* help = "";
};

std::span<const ForeignFile> foreign_files();
// The first of them that the file is, by 1 MiB of it or all of a file that is shorter; null if it is none of them.
const ForeignFile* foreign_file_of(Bytes front);

// The same as a sentence, for a message that it is no trace. Of a file that is none of them, what else there is to say.
std::string describe_foreign(Bytes front);

// Why no trace begins with these bytes, the first of `name`, of which none is a block header that can be believed.
Status not_a_trace(const std::string& name, Bytes front);

}  // namespace evt
