#include "misfits.h"

#include <fmt/core.h>

namespace evt::tools {
namespace {

// Fields at the end may be missing, as of a program that was compiled before they were added; not a part of one. Nor is
// there anything behind the last field, unless the shape of a field is not known.
bool fits(const Event& event) {
  FieldWalker fields = event.values();
  while (fields.next()) {
  }
  const bool met_unknown_shape = fields.index() < event.type().fields().size();
  return met_unknown_shape || fields.rest().empty();
}

}  // namespace

void Misfits::add(const Event& event) {
  if (!event.type().declared() || fits(event)) return;
  Misfit& misfit = found_[event.type().number()];
  if (misfit.events++ > 0) return;
  misfit.type = event.type().name();
  misfit.first_size = event.payload().size();
}

std::vector<Misfit> Misfits::finish() {
  std::vector<Misfit> all;
  for (auto& [number, misfit] : found_) all.push_back(std::move(misfit));
  found_.clear();
  return all;
}

std::string sentence_of(const Misfit& misfit) {
  return fmt::format("{} event{} of type {} {} not hold the fields that were declared: {} {} byte{}", misfit.events,
                     misfit.events == 1 ? "" : "s", misfit.type, misfit.events == 1 ? "does" : "do",
                     misfit.events == 1 ? "it has" : "the first has", misfit.first_size,
                     misfit.first_size == 1 ? "" : "s");
}

}  // namespace evt::tools
