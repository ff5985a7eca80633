#include "stream_folder.h"

#include <stdlib.h>

#include <filesystem>
#include <system_error>

namespace evt::ctf {

namespace fs = std::filesystem;

StreamFolder::StreamFolder(const std::string& stream) {
  std::error_code error;
  const fs::path file = fs::absolute(stream, error);
  const fs::path temporary = fs::temp_directory_path(error) / "evt-ctf-XXXXXX";
  temporary_ = temporary.string();
  if (mkdtemp(temporary_.data()) == nullptr) {
    error_ = "cannot make the temporary folder " + temporary.string();
    temporary_.clear();
    return;
  }
  const fs::path folder = fs::path(temporary_) / file.parent_path().filename();
  fs::create_directories(folder, error);
  for (const fs::path& name : {file.filename(), fs::path("metadata")}) {
    if (!error) fs::create_symlink(file.parent_path() / name, folder / name, error);
  }
  if (error) {
    error_ = "cannot make a temporary folder: " + error.message();
  } else {
    path_ = folder;
  }
}

StreamFolder::~StreamFolder() {
  std::error_code error;
  if (!temporary_.empty()) fs::remove_all(temporary_, error);
}

}  // namespace evt::ctf
