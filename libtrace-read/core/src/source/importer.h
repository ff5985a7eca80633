// Files and folders of other formats, which open as traces do.
#pragma once

#include <evt/schema.h>
#include <evt/status.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace evt {

class ByteSource;

// One format.
struct Importer {
  // Whether a file is of the format, by its first bytes: kBytes of them, or all of a file that is shorter.
  static constexpr std::size_t kBytes = 64;
  bool (*recognizes)(Bytes front);
  // The file as the bytes of a trace. Errors: kNotATrace, if it has the front of the format and no more.
  Result<std::unique_ptr<ByteSource>> (*open)(std::unique_ptr<ByteSource> file);
};

// Of all formats. The room that imports defines it.
std::span<const Importer> importers();

// A folder that is a trace of another format; the same room defines them.
bool is_imported_folder(const std::string& path);
Result<std::unique_ptr<ByteSource>> open_imported_folder(const std::string& path);

// Of the format that the file has; null if it is none of them.
inline const Importer* importer_for(Bytes front) {
  for (const Importer& importer : importers()) {
    if (importer.recognizes(front)) return &importer;
  }
  return nullptr;
}

}  // namespace evt
