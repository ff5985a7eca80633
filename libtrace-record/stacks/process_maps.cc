#include "process_maps.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace evt::record {
namespace {

constexpr int kMaxParents = 64;

}  // namespace

ProcessMaps::Image& ProcessMaps::image_at(std::uint32_t process, std::uint64_t ns) {
  std::vector<Image>& images = images_[process];
  const auto next = std::ranges::upper_bound(images, ns, {}, &Image::ns);
  if (next != images.begin()) return *std::prev(next);
  return *images.insert(images.begin(), Image{});
}

void ProcessMaps::add(std::uint32_t process, std::uint64_t ns, CodeMapping mapping) {
  image_at(process, ns).mapped.push_back({ns, std::move(mapping)});
}

// What was mapped since, and came earlier, belongs to the new program.
void ProcessMaps::become(std::uint32_t process, std::uint64_t ns) {
  Image& before = image_at(process, ns);
  const auto later = std::stable_partition(before.mapped.begin(), before.mapped.end(),
                                           [ns](const Mapped& each) { return each.ns < ns; });
  Image image{ns, {std::make_move_iterator(later), std::make_move_iterator(before.mapped.end())}, 0};
  before.mapped.erase(later, before.mapped.end());
  std::vector<Image>& images = images_[process];
  images.insert(std::ranges::upper_bound(images, ns, {}, &Image::ns), std::move(image));
}

void ProcessMaps::fork(std::uint32_t process, std::uint32_t parent, std::uint64_t ns) {
  if (process == parent) return;
  become(process, ns);
  image_at(process, ns).parent = parent;
}

// Newer mappings lie over older ones.
const CodeMapping* ProcessMaps::find(std::uint32_t process, std::uint64_t ns, std::uint64_t address) const {
  for (int i = 0; i < kMaxParents; ++i) {
    const auto found = images_.find(process);
    if (found == images_.end()) return nullptr;
    const std::vector<Image>& images = found->second;
    auto image = std::ranges::upper_bound(images, ns, {}, &Image::ns);
    if (image == images.begin()) return nullptr;
    --image;
    const Mapped* best = nullptr;
    for (const Mapped& each : image->mapped) {
      const bool has_it = each.ns <= ns && address >= each.mapping.begin && address < each.mapping.end;
      if (has_it && (best == nullptr || each.ns >= best->ns)) best = &each;
    }
    if (best != nullptr) return &best->mapping;
    if (image->parent == 0) return nullptr;
    process = image->parent;
    ns = image->ns;
  }
  return nullptr;
}

}  // namespace evt::record
