#include "installed_file.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace evt::record {

std::string installed_file(const std::string& folder, const std::string& name, int access_mode) {
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path& path : {own / name, own / folder / name}) {
    if (error || access(path.c_str(), access_mode) != 0) continue;
    return std::filesystem::weakly_canonical(path, error).string();
  }
  return "";
}

}  // namespace evt::record
