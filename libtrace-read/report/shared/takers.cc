#include "takers.h"

namespace evt::report {

void Takers::add(Analysis* analysis) {
  for (std::size_t i = 0; i < by_kind_.size(); ++i) {
    const auto kind = static_cast<ItemKind>(i);
    const bool wants = kind == ItemKind::kRow ? !analysis->rows().empty() : analysis->items().has(kind);
    if (wants) by_kind_[i].push_back(analysis);
  }
}

}  // namespace evt::report
