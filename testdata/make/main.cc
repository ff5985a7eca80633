// Makes the traces of the archive that are not there yet; never changes one (README.md, beside the folder of this
// file).
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>

#include "archive.h"

namespace evt::testing {

void Archive::add(const std::string& name, const std::string& bytes) const {
  if (!lacks(name)) return;
  std::ofstream(path_of(name), std::ios::binary) << bytes;
  std::cout << name << ": " << bytes.size() << " bytes\n";
}

}  // namespace evt::testing

int main(int argc, char** argv) {
  using namespace evt::testing;
  if (argc != 2) {
    std::cerr << "usage: make_archive FOLDER\n";
    return 2;
  }
  try {
    const Archive archive(argv[1]);
    for (const auto make :
         {make_v1_from_texts, make_v1, make_v1_killed, make_killed_with_ring, make_v1_blocks, make_future_blocks,
          make_future_records, make_future_meanings, make_future_index, make_future_roles, make_future_readings,
          make_damaged_blocks, make_damaged_order, make_damaged_claims, make_damaged_index, make_damaged_readings}) {
      make(archive);
    }
  } catch (const std::exception& e) {
    std::cerr << "make_archive: " << e.what() << "\n";
    return 1;
  }
  return 0;
}
