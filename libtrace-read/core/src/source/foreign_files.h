// Recognises a file that is not a trace, by its first bytes, and names the command that helps.
#pragma once

#include <evt/schema.h>
#include <evt/status.h>

#include <span>
#include <string>
#include <string_view>

namespace evt {

// One format. foreign_files.cc states the source of its first bytes.
struct ForeignFile {
  // One of these, at that offset, or what the function recognises.
  std::string_view magics[4]{};
  std::size_t offset = 0;
  bool (*recognizes)(std::string_view front) = nullptr;

  const char* what = "";  // "it looks like a zip archive"
  const char* help = "";
};

std::span<const ForeignFile> foreign_files();
// The first of them that matches the file's first MiB (or all of a shorter file); null if none does.
const ForeignFile* foreign_file_of(Bytes front);

// As a sentence, for a message that the file is not a trace. If none matches, it says what else is known.
std::string describe_foreign(Bytes front);

// Why no trace begins with these bytes, the first of `name`, which contain no valid block header.
Status not_a_trace(const std::string& name, Bytes front);

}  // namespace evt
