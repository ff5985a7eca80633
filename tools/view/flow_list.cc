#include "flow_list.h"

#include <algorithm>
#include <vector>

#include "base/json_object.h"
#include "libtrace-view/flows/flows.h"

namespace evt::tools {
namespace {

using view::Flow;

// By FlowKind.
constexpr const char* kFlowWords[] = {"wake", "steal", "message", "arrow"};

}  // namespace

FlowList::FlowList(view::SessionTiles& tiles, Patience patience) : tiles_(&tiles), patience_(std::move(patience)) {
  for (const view::SessionTiles::Row& row : tiles.layout().rows) rows_.emplace(row.key, row.id);
}

std::optional<std::uint32_t> FlowList::row_with(const std::string& key) const {
  const auto row = rows_.find(key);
  return row != rows_.end() ? std::optional(row->second) : std::nullopt;
}

std::optional<std::uint32_t> FlowList::row_of(const view::FlowEnd& end) const {
  const view::LanePlan& lanes = tiles_->layout().lanes;
  std::optional<std::uint32_t> row;
  if (end.cpu != Actor::kNone) row = row_with("cpu/" + std::to_string(end.cpu));
  if (!row && end.life < lanes.size()) {
    const std::string lane = std::to_string(lanes[end.life]);
    row = row_with("thread/" + lane);
    if (!row) row = row_with("span/" + lane + "/0");
  }
  return row ? row : row_with("events/" + std::to_string(end.stream));
}

std::string FlowList::touching(TimeRange range, std::optional<std::uint32_t> row, std::size_t most) {
  const auto is_wanted = [&](const Flow& flow) {
    const auto from = row_of(flow.from);
    const auto to = row_of(flow.to);
    return from && to && (!row || from == row || to == row);
  };
  std::optional<view::Flows> found;
  const view::RowMarks::Mark* const from = tiles_->mark_before(range.from_ns);
  const auto take = [&](Timeline& timeline, const TimelineItem& item) {
    const view::Flows::Options options{range, most, is_wanted};
    if (!found && from != nullptr) {
      found.emplace(timeline.actors(), view::Flows::Moment{from->rows->lives(), *from->flows}, options);
    } else if (!found) {
      found.emplace(timeline.actors(), options);
    }
    found->take(item);
    return !found->is_done() && patience_.lasts();
  };
  tiles_->each_item(INT64_MAX, take, from);
  if (found) found->finish();
  std::vector<Flow> flows = found ? found->all() : std::vector<Flow>();
  std::stable_sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) { return a.from.ns < b.from.ns; });
  return json_text([&](JsonObject& json) {
    json.objects("flows", flows, [&](JsonObject& each, const Flow& flow) {
      each.name_text("kind", kFlowWords[static_cast<std::size_t>(flow.kind)]);
      each.number("from_row", *row_of(flow.from));
      each.digits("from", flow.from.ns);
      each.number("to_row", *row_of(flow.to));
      each.digits("to", flow.to.ns);
    });
    json.number("more", found ? found->more() : 0);
  });
}

}  // namespace evt::tools
