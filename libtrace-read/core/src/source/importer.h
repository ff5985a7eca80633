// Files and folders of other formats, which open like traces.
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
  // True if a file has the format, by its first bytes: kBytes of them, or all of a shorter file.
  static constexpr std::size_t kBytes = 320 << 10;  // more than a line of samples may have
  bool (*recognizes)(Bytes front);
  // The file as the bytes of a trace. Errors: kNotATrace, if it has only the beginning of the format.
  Result<std::unique_ptr<ByteSource>> (*open)(std::unique_ptr<ByteSource> file);
};

// All formats. Defined in the imports.
std::span<const Importer> importers();

// A folder that is a trace of another format; defined in the imports, too.
bool is_imported_folder(const std::string& path);
Result<std::unique_ptr<ByteSource>> open_imported_folder(const std::string& path);

// The importer of the file's format; null if there is none.
inline const Importer* importer_for(Bytes front) {
  for (const Importer& importer : importers()) {
    if (importer.recognizes(front)) return &importer;
  }
  return nullptr;
}

}  // namespace evt
