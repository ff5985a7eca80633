#include "why/why_table.h"

#include <fmt/format.h>

#include "libtrace-read/report/shared/thread_groups.h"

namespace evt::tools {
namespace {

constexpr std::string_view kLock = "lock";

struct Word {
  WhyKind kind;
  const char* key;   // for programs
  const char* text;  // for people; of several it is only the beginning
};
constexpr Word kWords[] = {
    {WhyKind::kRan, "running", "running"},
    {WhyKind::kOutside, "outside", "running outside the program"},
    {WhyKind::kWaited, "waiting", "waiting"},
    {WhyKind::kCaused, "cause", ""},
    {WhyKind::kOver, "waking", "what it waited for was over; not awake yet"},
    {WhyKind::kRunnable, "runnable", "runnable"},
    {WhyKind::kCollected, "collecting", "garbage collection"},
    {WhyKind::kStopped, "stopped", "the process was stopped"},
    {WhyKind::kUncertain, "uncertain", "uncertain: events were lost"},
    {WhyKind::kUnknown, "unknown", "running or waiting"},
    {WhyKind::kAbsent, "absent", "did not exist"},
    {WhyKind::kAndSoOn, "and so on", "and so on"},
};
const Word& word_of(WhyKind kind) { return kWords[static_cast<std::size_t>(kind)]; }

constexpr const char* kCauses[] = {"woke", "held", "sent", "ended", "created"};

}  // namespace

WhyTable::WhyTable(Timeline& timeline, const Why& why, const WhyTree& tree, std::size_t depth, bool is_indented)
    : timeline_(&timeline), why_(&why), tree_(&tree), depth_(depth), is_indented_(is_indented) {}

Table WhyTable::table() {
  Table table("causes", 0,
              {{.name = "time", .kind = CellKind::kDuration},
               {.name = "share", .kind = CellKind::kPercent},
               {.name = "what"},
               {.name = "level", .kind = CellKind::kCount, .is_hidden = true},
               {.name = "kind", .is_hidden = true},
               {.name = "thread", .is_hidden = true},
               {.name = "name", .is_hidden = true},
               {.name = "object", .is_hidden = true},
               {.name = "resource", .is_hidden = true},
               {.name = "cpu", .kind = CellKind::kCount, .is_hidden = true},
               {.name = "other thread", .is_hidden = true}});
  add_below(0, 0, &table);
  return table;
}

void WhyTable::add_below(std::uint32_t node, std::size_t level, Table* table) {
  if (level >= depth_) return;
  const WhyTree::Node& above = tree_->nodes()[node];
  for (const std::uint32_t below : tree_->below(node)) {
    const WhyTree::Node& each = tree_->nodes()[below];
    const char* const kind = each.step.kind == WhyKind::kCaused ? kCauses[static_cast<std::size_t>(each.step.cause)]
                                                                : word_of(each.step.kind).key;
    add_row(below, each.ns, sentence(each.step, above.step), kind, level, table);
    add_below(below, level + 1, table);
  }
  const bool is_mixed = node != 0 && above.own_ns > 0 && !above.below.empty();
  const bool is_wait = above.step.kind == WhyKind::kWaited;
  if (is_mixed)
    add_row(node, above.own_ns, is_wait ? unknown_cause(above.step) : "it had ended", "unknown", level, table);
}

void WhyTable::add_row(std::uint32_t node, std::uint64_t ns, const std::string& what, const char* kind,
                       std::size_t level, Table* table) {
  const WhyStep& step = tree_->nodes()[node].step;
  const WhyPlace* const place = place_of(step);
  const auto text = [](std::string words) { return words.empty() ? Cell() : Cell(std::move(words)); };
  Table::Row row = {Cell(ns), report::percent_of(ns, tree_->nodes()[0].ns),
                    std::string(is_indented_ ? 2 * level : 0, ' ') + what, Cell(std::uint64_t{level}), kind};
  row.push_back(step.thread == Actor::kNone ? Cell() : Cell(thread(step.thread)));
  row.push_back(place == nullptr || place->name == WhyPlace::kNone ? Cell()
                                                                   : Cell(timeline_->names().text(place->name)));
  row.push_back(text(object_of(place)));
  row.push_back(text(resource_of(place)));
  row.push_back(step.cpu == Actor::kNone ? Cell() : Cell(timeline_->actors().cpus()[step.cpu].number));
  row.push_back(step.other == Actor::kNone ? Cell() : Cell(thread(step.other)));
  table->add(std::move(row));
}

std::string WhyTable::thread(std::uint32_t index) const {
  return index >= Actor::kOthers ? "(others)" : report::thread_text(timeline_->actors(), index);
}

const WhyPlace* WhyTable::place_of(const WhyStep& step) const {
  return step.place == WhyStep::kNone ? nullptr : &why_->places()[step.place];
}

std::string WhyTable::resource_of(const WhyPlace* place) const {
  if (place == nullptr || place->target == WhyPlace::kNone) return "";
  const std::uint32_t resource = why_->targets()[place->target].resource;
  return resource == Usage::kNone ? "" : timeline_->names().text(resource);
}

std::string WhyTable::object_of(const WhyPlace* place) const {
  if (place == nullptr || place->target == WhyPlace::kNone) return "";
  const Usage::Target& target = why_->targets()[place->target];
  if (target.name != Usage::kNone) return timeline_->names().text(target.name);
  return target.number == 0 ? "" : object_number(target.number);
}

// write(orders.log), place order
std::string WhyTable::name_of(const WhyPlace* place) const {
  if (place == nullptr || place->name == WhyPlace::kNone) return "";
  const std::string& name = timeline_->names().text(place->name);
  if (!place->is_call) return name;
  const std::string object = object_of(place);
  return object.empty() ? name : fmt::format("{}({})", name, object);
}

std::string WhyTable::in(const char* what, const WhyStep& step) const {
  const std::string name = name_of(place_of(step));
  return name.empty() ? what : fmt::format("{}: {}", what, name);
}

std::string WhyTable::wait_of(const WhyStep& step) const {
  const WhyPlace* const place = place_of(step);
  const std::string resource = resource_of(place);
  const std::string object = object_of(place);
  if (resource == kLock && !object.empty()) return fmt::format("waiting for the lock {}", object);
  const bool has_reason = place->reason < timeline_->reasons().size();
  const std::string reason = has_reason ? timeline_->reasons()[place->reason].text : "";
  const std::string name = name_of(place);
  if (place->is_call) return "waiting in " + name;
  std::string words = "waiting";
  if (reason == "sleeping") words = reason;
  if (!reason.empty() && reason != "sleeping" && reason != "blocked") words += ": " + reason;
  if (!object.empty()) words += " for " + object;
  return name.empty() ? words : fmt::format("{} in {}", words, name);
}

std::string WhyTable::cause_of(const WhyStep& step, const WhyStep& above) const {
  const std::string who = thread(step.thread);
  const bool is_lock = above.kind == WhyKind::kWaited && resource_of(place_of(above)) == kLock;
  switch (step.cause) {
    case WhyCause::kWoke:
      return who + (is_lock ? " held it" : " woke it");
    case WhyCause::kHeld:
      return who + (is_lock || resource_of(place_of(above)).empty() ? " held it" : " had not ended");
    case WhyCause::kSent:
      return who + " had not sent yet";
    case WhyCause::kEnded:
      return who + " had not ended";
    case WhyCause::kCreated:
      return who + " had not created it";
  }
  return who;
}

const char* WhyTable::unknown_cause(const WhyStep& wait) const {
  return resource_of(place_of(wait)) == kLock ? "holder not known" : "cause not known";
}

std::string WhyTable::runnable_of(const WhyStep& step) const {
  if (step.cpu == WhyStep::kNone) return "runnable: it is not known where it ran next";
  const std::string cpu = timeline_->actors().cpus()[step.cpu].name_or_number("cpu");
  const bool is_recorded = step.other != WhyStep::kNone &&
                           (step.other >= Actor::kOthers || !timeline_->actors().threads()[step.other].is_idle);
  if (!is_recorded) return fmt::format("runnable: {} ran another program, or nothing", cpu);
  return fmt::format("runnable: {} ran {}", cpu, thread(step.other));
}

std::string WhyTable::sentence(const WhyStep& step, const WhyStep& above) const {
  switch (step.kind) {
    case WhyKind::kWaited:
      return wait_of(step);
    case WhyKind::kCaused:
      return cause_of(step, above);
    case WhyKind::kRunnable:
      return runnable_of(step);
    default:
      return in(word_of(step.kind).text, step);
  }
}

}  // namespace evt::tools
