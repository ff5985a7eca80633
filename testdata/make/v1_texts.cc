// Traces of which the text form says all: NAME.txt is the source of NAME.evt.
#include "archive.h"
#include "support/folder.h"

namespace evt::testing {

void make_v1_from_texts(const Archive& archive) {
  for (const auto& entry : std::filesystem::directory_iterator(archive.path_of("v1"))) {
    if (entry.path().extension() != ".txt") continue;
    const std::string name = "v1/" + entry.path().stem().string() + ".evt";
    if (archive.lacks(name)) archive.add(name, trace_from_text(read_file(entry.path().string())));
  }
}

}  // namespace evt::testing
