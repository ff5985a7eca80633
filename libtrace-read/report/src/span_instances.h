// Tables of single spans and calls.
#pragma once

#include <evt/analysis/spans.h>
#include <evt/report_table.h>

namespace evt::report {

// When and where the longest of each row was, and those on both sides of the 99th percentile.
Table extremes_table(Timeline& timeline, const Spans& spans, std::int64_t from_ns);
Table longest_table(Timeline& timeline, const Spans& spans, std::int64_t from_ns);

const char* word_of(SpanKind kind);

}  // namespace evt::report
