// A folder of a target's own for the time it runs: in a folder that others share no side file is made.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "fuzz_target.h"

namespace fuzz {

class OwnFolder {
 public:
  OwnFolder() : path_((std::filesystem::temp_directory_path() / "evt_fuzz.XXXXXX").string()) {
    FUZZ_CHECK(mkdtemp(path_.data()) != nullptr);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() {
    std::error_code failed;
    std::filesystem::remove_all(path_, failed);
  }

  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

}  // namespace fuzz
