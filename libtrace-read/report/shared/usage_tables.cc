#include "usage_tables.h"

#include <algorithm>
#include <set>

namespace evt::report {
namespace {

constexpr const char* kNoResource = "(no resource)";
constexpr std::size_t kMaxColumns = 32;  // columns for resources, in the table of threads
constexpr const char* kUses[] = {"cpu", "runnable", "outside", "sleeping", "not known"};

void add_sum(Table::Row* cells, const CallSum& sum) {
  cells->insert(cells->end(), {sum.calls, sum.amount, sum.ns, sum.amount > 0 ? rate_of(sum.amount, sum.ns) : Cell(),
                               sum.stopped_ns, sum.assumed_ns, sum.subtracted_ns});
}

Table finished(Table table) {
  table.sort_by_keys();
  table.sort(*table.column("time"), false);
  return table;
}

}  // namespace

Cell object_cell(const Session& session, const EventNames& names, const Usage::Target& target) {
  if (target.name != Usage::kNone) return names.text(target.name);
  if (target.number == 0) return {};
  const std::string part = target.part != Actor::kNone ? session.part_name(target.part) + ":" : "";
  return part + object_number(target.number);
}

bool is_lock(std::string_view resource) {
  return resource == "lock" || resource == "semaphore" || resource == "condition" || resource == "barrier";
}

UsageTables::UsageTables(Timeline& timeline, const Usage& usage, const Collections& collections, std::int64_t ns)
    : actors_(timeline.actors()), names_(timeline.names()), usage_(usage), rows_(usage.rows()) {
  // The time of calls that name nothing counts as their threads' own use.
  for (Usage::Row row : rows_) {
    const CallSum::Unnamed& unnamed = row.sum.unnamed;
    if (unnamed.calls == row.sum.calls) continue;
    row.sum.ns -= unnamed.ns;
    row.sum.stopped_ns -= unnamed.stopped_ns;
    row.sum.assumed_ns -= unnamed.stopped_ns;
    row.sum.subtracted_ns -= unnamed.subtracted_ns;
    uses_.push_back(row);
  }
  std::vector<bool> calls(actors_.threads().size());
  for (const Usage::Row& row : rows_) calls[row.thread] = true;
  for (const Collections::Capability& row : collections.capabilities(ns)) {
    collectors_.work_ns += row.work_ns;
    collectors_.idle_ns += row.idle_ns;
    collectors_.sync_ns += row.sync_ns;
  }
  for (const Usage::ThreadRow& thread : usage.threads(ns)) {
    std::uint64_t all = 0;
    for (std::size_t use = 0; use < std::size(kUses); ++use) all += thread.times.ns[use] + thread.times.moved[use];
    if (all > 0 || calls[thread.thread]) threads_.push_back(thread);
  }
  std::ranges::sort(threads_, [&](const Usage::ThreadRow& a, const Usage::ThreadRow& b) {
    return comes_before(actors_.threads(), a.thread, b.thread);
  });
}

std::uint32_t UsageTables::resource_of(const Usage::Row& row) const { return usage_.targets()[row.target].resource; }

Cell UsageTables::resource_cell(std::uint32_t resource) const {
  return resource != Usage::kNone ? Cell(names_.text(resource)) : Cell();
}

std::vector<std::string> UsageTables::resource_names() const {
  std::set<std::uint32_t> resources;
  for (const Usage::Row& row : rows_) resources.insert(resource_of(row));
  for (const Usage::Opened& count : usage_.opened()) resources.insert(count.resource);
  std::vector<std::string> names;
  for (const std::uint32_t resource : resources) {
    if (resource != Usage::kNone) names.push_back(names_.text(resource));
  }
  return names;
}

template <typename KeyOf>
std::map<UsageTables::Key, CallSum> UsageTables::sums_by(const std::vector<Usage::Row>& rows, KeyOf key_of) {
  std::map<Key, CallSum> sums;
  for (const Usage::Row& row : rows) sums[key_of(row)].add(row.sum);
  return sums;
}

std::uint64_t UsageTables::moved_ns() const {
  std::uint64_t ns = 0;
  for (const Usage::ThreadRow& thread : threads_) {
    for (const std::uint64_t moved : thread.times.moved) ns += moved;
  }
  for (const Usage::Row& row : uses_) ns += row.sum.stopped_ns;
  return ns;
}

Table UsageTables::time() const {
  Table table = new_table("usage", "time");
  Usage::Times all;
  std::uint64_t whole = moved_ns() + collectors_.work_ns + collectors_.idle_ns + collectors_.sync_ns;
  for (const Usage::ThreadRow& thread : threads_) {
    for (std::size_t use = 0; use < std::size(kUses); ++use) {
      all.ns[use] += thread.times.ns[use];
      all.moved[use] += thread.times.moved[use];
      whole += thread.times.ns[use];
    }
  }
  std::uint64_t tracing = 0;
  for (const Usage::Row& row : uses_) {
    whole += row.sum.ns + row.sum.subtracted_ns;
    tracing += row.sum.subtracted_ns;
  }
  for (std::size_t use = 0; use < std::size(kUses); ++use) {
    if (use > 0 && all.ns[use] + all.moved[use] == 0) continue;
    table.add({kUses[use], all.ns[use], percent_of(all.ns[use], whole), all.moved[use], std::uint64_t{0}});
  }
  const std::pair<const char*, std::uint64_t> phases[] = {
      {"gc work", collectors_.work_ns}, {"gc idle", collectors_.idle_ns}, {"gc sync", collectors_.sync_ns}};
  for (const auto& [phase, ns] : phases) {
    if (ns > 0) table.add({phase, ns, percent_of(ns, whole), std::uint64_t{0}, std::uint64_t{0}});
  }
  std::uint64_t assumed = 0;
  std::map<std::pair<bool, std::string>, CallSum> by_name;
  for (const auto& [key, sum] : sums_by(uses_, [&](const Usage::Row& row) { return Key{resource_of(row), 0}; })) {
    const bool has_name = key[0] != Usage::kNone;
    by_name[{!has_name, has_name ? names_.text(key[0]) : kNoResource}].add(sum);
  }
  for (const auto& [key, sum] : by_name) {
    table.add({key.second, sum.ns, percent_of(sum.ns, whole), sum.stopped_ns, sum.assumed_ns});
    assumed += sum.assumed_ns;
  }
  if (tracing > 0) table.add({"tracing", tracing, percent_of(tracing, whole), std::uint64_t{0}, std::uint64_t{0}});
  table.add({"stopped", moved_ns(), percent_of(moved_ns(), whole), Cell(), assumed});
  return table;
}

// Each stop, and their total: overlapping stops of two merged processes count once in it.
Table UsageTables::stops() const {
  Table table = new_table("usage", "stops");
  std::size_t number = 0;
  for (const Usage::Stop& stop : usage_.stops().all) {
    const bool has_part = stop.part != Usage::kNone;
    table.add({std::to_string(++number), has_part ? Cell(actors_.session().part_name(stop.part)) : Cell(),
               stop.began_ns, stop.ended_ns, length_of({stop.began_ns, stop.ended_ns})});
  }
  table.add({"all", Cell(), Cell(), Cell(), usage_.stops().ns});
  return table;
}

// The largest by time, with their names for people; in the order of their names.
std::vector<std::pair<std::string, std::uint32_t>> UsageTables::largest_resources() const {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> all;
  for (const auto& [key, sum] : sums_by(uses_, [&](const Usage::Row& row) { return Key{resource_of(row), 0}; })) {
    all.emplace_back(sum.ns, key[0]);
  }
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (all.size() > kMaxColumns) all.resize(kMaxColumns);
  std::vector<std::pair<std::string, std::uint32_t>> names;
  for (const auto& [ns, resource] : all) {
    names.emplace_back(resource != Usage::kNone ? names_.text(resource) : kNoResource, resource);
  }
  std::ranges::sort(names, [](const auto& a, const auto& b) {
    return std::pair(a.second == Usage::kNone, a.first) < std::pair(b.second == Usage::kNone, b.first);
  });
  return names;
}

Table UsageTables::threads() const {
  const auto by_thread = sums_by(uses_, [&](const Usage::Row& row) { return Key{row.thread, resource_of(row)}; });
  const std::vector<std::pair<std::string, std::uint32_t>> resources = largest_resources();
  std::set<std::uint32_t> shown;
  for (const auto& [name, resource] : resources) shown.insert(resource);
  Table table = new_table("usage", "threads");
  std::size_t place = *table.column("in others");
  for (const auto& [name, resource] : resources) {
    table.insert_column({"in " + name, CellKind::kDuration, true}, place++);
  }
  for (const Usage::ThreadRow& thread : threads_) {
    Table::Row cells = {actor_cell(actors_, actors_.threads(), thread.thread),
                        actor_name(actors_.threads(), thread.thread)};
    CallSum all;
    for (std::size_t use = 0; use < std::size(kUses); ++use) {
      cells.push_back(thread.times.ns[use]);
      all.stopped_ns += thread.times.moved[use];
    }
    std::uint64_t others = 0;
    for (auto sum = by_thread.lower_bound({thread.thread, 0}); sum != by_thread.end(); ++sum) {
      if (sum->first[0] != thread.thread) break;
      all.add(sum->second);
      if (!shown.contains(sum->first[1])) others += sum->second.ns;
    }
    for (const auto& [name, resource] : resources) {
      const auto sum = by_thread.find({thread.thread, resource});
      cells.push_back(sum != by_thread.end() ? sum->second.ns : 0);
    }
    cells.push_back(others);
    cells.push_back(all.stopped_ns);
    cells.push_back(all.assumed_ns);
    table.add(std::move(cells));
  }
  return table;
}

Table UsageTables::functions() const {
  Table table = new_table("usage", "functions");
  for (const auto& [key, sum] : sums_by(rows_, [&](const Usage::Row& row) {
         return Key{row.function, resource_of(row)};
       })) {
    Table::Row cells = {names_.text(key[0]), resource_cell(key[1])};
    add_sum(&cells, sum);
    table.add(std::move(cells));
  }
  return finished(std::move(table));
}

Table UsageTables::objects() const {
  Table table = new_table("usage", "objects");
  for (const auto& [key, sum] : sums_by(rows_, [](const Usage::Row& row) { return Key{row.target, 0}; })) {
    const Usage::Target& target = usage_.targets()[key[0]];
    Table::Row cells = {object_cell(actors_.session(), names_, target), resource_cell(target.resource)};
    add_sum(&cells, sum);
    table.add(std::move(cells));
  }
  return finished(std::move(table));
}

Table UsageTables::uses() const {
  Table table = new_table("usage", "uses");
  for (const auto& [key, sum] : sums_by(rows_, [](const Usage::Row& row) { return Key{row.function, row.target}; })) {
    const Usage::Target& target = usage_.targets()[key[1]];
    Table::Row cells = {names_.text(key[0]), object_cell(actors_.session(), names_, target),
                        resource_cell(target.resource)};
    add_sum(&cells, sum);
    table.add(std::move(cells));
  }
  return finished(std::move(table));
}

Table UsageTables::calls_of_threads() const {
  Table table = new_table("usage", "calls");
  for (const auto& [key, sum] : sums_by(rows_, [&](const Usage::Row& row) {
         return Key{row.thread, resource_of(row)};
       })) {
    Table::Row cells = {actor_cell(actors_, actors_.threads(), key[0]), actor_name(actors_.threads(), key[0]),
                        resource_cell(key[1])};
    add_sum(&cells, sum);
    table.add(std::move(cells));
  }
  return finished(std::move(table));
}

Table UsageTables::resources() const {
  auto sums = sums_by(rows_, [&](const Usage::Row& row) { return Key{resource_of(row), 0}; });
  std::map<std::uint32_t, Usage::Opened> opened;
  for (const Usage::Opened& count : usage_.opened()) {
    if (count.opened + count.closed + count.most == 0) continue;  // it was before
    opened[count.resource] = count;
    sums[{count.resource, 0}];
  }
  Table table = new_table("usage", "resources");
  for (const auto& [key, sum] : sums) {
    const Usage::Opened& count = opened[key[0]];
    Table::Row cells = {key[0] != Usage::kNone ? names_.text(key[0]) : kNoResource, count.opened, count.closed,
                        count.most};
    add_sum(&cells, sum);
    table.add(std::move(cells));
  }
  return finished(std::move(table));
}

Table UsageTables::limits(std::uint64_t range_ns) const {
  Table table = new_table("usage", "limits");
  for (const Usage::Limited& row : usage_.limited()) {
    const bool is_object = row.target != Usage::kNone;
    table.add({row.resource != Usage::kNone ? names_.text(row.resource) : kNoResource,
               is_object ? object_cell(actors_.session(), names_, usage_.targets()[row.target]) : Cell(),
               static_cast<double>(row.limit), row.calls, row.amount, row.busy_ns, percent_of(row.busy_ns, range_ns),
               row.longest_ns});
  }
  table.sort_by_keys();
  table.sort(*table.column("busy"), false);
  return table;
}

}  // namespace evt::report
