// Tables of single spans and calls.
#pragma once

#include <evt/analysis/spans.h>

#include "table.h"

namespace evt::tools {

// Of the rows of a table of lengths, the order in which it has them.
std::vector<std::size_t> by_self_time(const std::vector<Spans::Row>& rows);
// When and where the longest of each row was, and those on both sides of the 99th percentile.
Table extremes_table(Timeline& timeline, const Spans& spans);
Table longest_table(Timeline& timeline, const Spans& spans);

const char* word_of(SpanKind kind);

}  // namespace evt::tools
