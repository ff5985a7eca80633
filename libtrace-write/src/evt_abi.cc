// Layouts that are compiled into users' programs, and so must not change: docs/ABI.md, as numbers.
#include <evt/emit.h>
#include <evt/evt_copy.h>
#include <evt/trace_site.h>

#include <cstddef>

#include "stream_state.h"

namespace {

// Machines on which 64-bit numbers are aligned to 8 if pointers have 64 bits, or to 4 if they have 32.
struct Number64 {
  std::uint64_t value;
};
constexpr std::size_t kPointer = sizeof(void*);
constexpr bool kIsListed = kPointer == 8 || alignof(Number64) == 4;

static_assert(offsetof(evt_stream, cursor) == 0 && offsetof(evt_stream, limit) == kPointer);
static_assert(!kIsListed ||
              (offsetof(evt_stream, base) == 2 * kPointer && offsetof(evt_stream, commit) == 2 * kPointer + 8 &&
               offsetof(evt_stream, clock) == 3 * kPointer + 8 && offsetof(evt_stream, busy) == 3 * kPointer + 9));
static_assert(offsetof(evt::StreamState, hot) == 0, "the library's part is behind the program's");

static_assert(offsetof(evt_row, p) == 0 && offsetof(evt_row, end) == kPointer &&
              offsetof(evt_row, start) == 2 * kPointer && offsetof(evt_row, stream) == 3 * kPointer);
static_assert(!kIsListed || (offsetof(evt_row, head) == 4 * kPointer && sizeof(evt_row) == 4 * kPointer + 8));
static_assert(!kIsListed || (offsetof(evt_begun_, start) == 0 && offsetof(evt_begun_, head) == kPointer));
static_assert(EVT_ROW_ROOM_ == 64 && EVT_ROW_FRONT_ == 8 && EVT_ROW_MAX_SMALL_ == 0xFFFF);
static_assert(EVT_STAMP_NOW_ == 0 && EVT_STAMP_ORDERED_ == 1 && EVT_STAMP_GIVEN_ == 2 && EVT_STAMP_READ_ == 3);
static_assert(EVT_TYPE_FIRST_RESERVED == 0xFF00 && EVT_CLOCK_X86_TSC == 2 && EVT_CLOCK_ARM_COUNTER == 3);

static_assert(offsetof(evt_type, number) == 0 && offsetof(evt_type, layout) == kPointer);
static_assert(offsetof(evt_row_layout, field_count) == 0 && offsetof(evt_row_layout, fields) == kPointer);
static_assert(offsetof(evt_field_layout, kind) == 0 && offsetof(evt_field_layout, shape) == 2 &&
              offsetof(evt_field_layout, width) == 4 && sizeof(evt_field_layout) == 8);
static_assert(offsetof(evt_error, code) == 0 && offsetof(evt_error, message) == 4 && sizeof(evt_error) == 260);

static_assert(offsetof(evt_site_, handle) == 0 && sizeof(evt_site_) == kPointer);
static_assert(offsetof(evt_site_handle_, writer) == 0 && offsetof(evt_site_handle_, type) == kPointer &&
              offsetof(evt_site_handle_, span_end) == 2 * kPointer &&
              offsetof(evt_site_handle_, span_name) == 3 * kPointer);
static_assert(offsetof(evt_thread_cache_, stream) == 0 && offsetof(evt_thread_cache_, writer) == kPointer &&
              offsetof(evt_thread_cache_, thread) == 2 * kPointer && sizeof(evt_thread_cache_) == 3 * kPointer);
static_assert(offsetof(evt_at_site_, stream) == 0 && offsetof(evt_at_site_, handle) == kPointer);

// A hole would be meaningless bytes that programs leave uninitialised, so no later member could use them.
template <typename S, typename... M>
constexpr bool has_no_holes(M S::*...) {
  return !kIsListed || (sizeof(M) + ...) == sizeof(S);
}

using Options = evt_options;
static_assert(has_no_holes(
    &Options::session, &Options::clock, &Options::ring_size, &Options::full, &Options::flush_inline, &Options::append,
    &Options::anonymous, &Options::full_wait_ms, &Options::buffer_size, &Options::close_wait_ms, &Options::on_error,
    &Options::on_error_context, &Options::compact, &Options::on_notice, &Options::on_notice_context,
    &Options::short_lived, &Options::reserved, &Options::rotate_bytes, &Options::rotate_ns, &Options::keep_bytes,
    &Options::keep_ns, &Options::flight_bytes, &Options::flight_ns, &Options::on_segment, &Options::on_segment_context,
    &Options::snapshot, &Options::snapshot_when, &Options::snapshot_after_ns, &Options::snapshot_rearm_ns,
    &Options::snapshot_most, &Options::reserved_too));
using Clock = evt_clock;
static_assert(has_no_holes(&Clock::now, &Clock::context, &Clock::hz, &Clock::start_ticks, &Clock::hz_denominator,
                           &Clock::reserved, &Clock::now_ns));
using Info = evt_session_info;
static_assert(has_no_holes(&Info::program, &Info::host, &Info::boot_id, &Info::writer, &Info::pid, &Info::command_line,
                           &Info::command_line_count, &Info::origin_count, &Info::uuid, &Info::start_utc_ns,
                           &Info::time_scale, &Info::exact, &Info::anonymous, &Info::ring_kind, &Info::reserved,
                           &Info::ring_name, &Info::origins, &Info::parts, &Info::part_count, &Info::reserved_too,
                           &Info::cut, &Info::left_out));
using Part = evt_merged_part;
static_assert(has_no_holes(&Part::origin, &Part::name, &Part::first_stream, &Part::stream_count, &Part::alignment,
                           &Part::ended, &Part::reserved, &Part::offset_ns, &Part::drift_ps, &Part::pivot_ns,
                           &Part::bound_ns));
using LeftOut = evt_left_out;
static_assert(has_no_holes(&LeftOut::from_ns, &LeftOut::to_ns, &LeftOut::streams, &LeftOut::types, &LeftOut::one_in,
                           &LeftOut::stream_count, &LeftOut::type_count, &LeftOut::sampled_by, &LeftOut::has_range,
                           &LeftOut::others, &LeftOut::reserved));
using Type = evt_event_type;
static_assert(has_no_holes(&Type::name, &Type::description, &Type::number, &Type::role, &Type::tag_count,
                           &Type::field_count, &Type::facet_count, &Type::fields, &Type::facets, &Type::twin_of,
                           &Type::source_file, &Type::source_function, &Type::tags, &Type::source_line,
                           &Type::off_by_default));
using GivenField = evt_field;
static_assert(has_no_holes(&GivenField::name, &GivenField::description, &GivenField::kind, &GivenField::shape,
                           &GivenField::width, &GivenField::role, &GivenField::unit, &GivenField::label_count,
                           &GivenField::labels, &GivenField::absent, &GivenField::unit_text, &GivenField::tags,
                           &GivenField::tag_count, &GivenField::scope, &GivenField::is_flags, &GivenField::has_absent,
                           &GivenField::scale, &GivenField::reserved));
static_assert(has_no_holes(&evt_label::value, &evt_label::text));
static_assert(has_no_holes(&evt_facet::fields, &evt_facet::field_count, &evt_facet::role, &evt_facet::reserved));
static_assert(has_no_holes(&evt_facet_field::field, &evt_facet_field::role));
static_assert(has_no_holes(&evt_stream_info::name, &evt_stream_info::id, &evt_stream_info::reserved,
                           &evt_stream_info::thread, &evt_stream_info::process));
using Fact = evt_fact_info;
static_assert(has_no_holes(&Fact::id, &Fact::ns, &Fact::key, &Fact::key_size, &Fact::value, &Fact::value_size,
                           &Fact::scope, &Fact::reserved));
using Snapshot = evt_snapshot_options;
static_assert(has_no_holes(&Snapshot::size, &Snapshot::path, &Snapshot::path_size, &Snapshot::before_ns,
                           &Snapshot::after_ns));
static_assert(has_no_holes(&evt_counts::events_written, &evt_counts::bytes_written, &evt_counts::texts_cut,
                           &evt_counts::lost));
static_assert(has_no_holes(&evt_notice::kind, &evt_notice::reserved, &evt_notice::message));

// Members do not move: these are the last ones of this version.
static_assert(kPointer != 8 || (offsetof(evt_options, reserved) == 84 && offsetof(evt_clock, now_ns) == 40));
static_assert(kPointer != 8 || (offsetof(evt_session_info, left_out) == 128 &&
                                offsetof(evt_merged_part, bound_ns) == 64 && offsetof(evt_left_out, reserved) == 52));
static_assert(kPointer != 8 || (offsetof(evt_event_type, off_by_default) == 84 && offsetof(evt_field, reserved) == 71 &&
                                offsetof(evt_facet, reserved) == 14));
static_assert(kPointer != 8 || (offsetof(evt_stream_info, process) == 24 && offsetof(evt_fact_info, reserved) == 50));
static_assert(sizeof(evt_counts::lost) / sizeof(std::uint64_t) >= EVT_LOST_CAUSES);

}  // namespace
