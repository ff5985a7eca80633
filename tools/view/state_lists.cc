#include "state_lists.h"

namespace evt::tools {

// A difference of times fits the numbers of JSON; the first may not.
void StateLists::add(const StateStretch& stretch) {
  const auto [place, is_first] = lists_.try_emplace(stretch.group);
  List& list = place->second;
  list.json +=
      is_first ? fmt::format(",\"{}\"", stretch.from_ns) : fmt::format(",{}", stretch.from_ns - list.before_ns);
  list.before_ns = stretch.from_ns;
  list.json += fmt::format(",{},{},{}", stretch.to_ns - stretch.from_ns, int{stretch.is_open},
                           stretch.state ? fmt::format("{}", view::key_of(*stretch.state)) : "null");
  for (const std::string* const text : {&stretch.reason, &stretch.thread, &stretch.cpu, &stretch.woken_by}) {
    list.json += fmt::format(",{}", texts_.place(*text));
  }
}

void StateLists::add_members(JsonObject& json) const {
  json.all_texts("words", texts_.all());
  json.list("states", lists_, [&](TextBuffer& out, const auto& list) {
    out += fmt::format("[{}{}]", rows_->row_of(list.first), list.second.json);
  });
}

}  // namespace evt::tools
