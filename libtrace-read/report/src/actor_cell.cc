#include "actor_cell.h"

#include <fmt/core.h>

#include <tuple>

namespace evt::report {

Cell actor_cell(const Actors& actors, const ActorList& table, std::uint32_t index) {
  if (index == Actor::kOthers) return std::string("(others)");
  const Actor& actor = table[index];
  const auto number = [&] { return actor.is_stream ? fmt::format("#{}", actor.number) : std::to_string(actor.number); };
  if (actor.part != Actor::kNone) return fmt::format("{}:{}", actors.session().parts[actor.part].name, number());
  return actor.is_stream ? Cell(number()) : Cell(actor.number);
}

bool comes_before(const ActorList& table, std::uint32_t a, std::uint32_t b) {
  const auto place = [&](std::uint32_t index) {
    if (index >= table.size()) return std::tuple(UINT32_MAX, true, std::uint64_t{0}, index);
    const Actor& actor = table[index];
    return std::tuple(actor.part + 1, actor.is_stream, actor.number, index);
  };
  return place(a) < place(b);
}

Cell actor_name(const ActorList& table, std::uint32_t index) { return table[index].name; }

}  // namespace evt::report
