#include "ghc_event_table.h"

#include <algorithm>

namespace evt::eventlog {
namespace {

using enum FieldForm;

constexpr KnownField kThreadField{"thread", FieldForm::kThread, Role::kThread};
constexpr KnownField kCapset{"capset", kU32};
constexpr KnownField kTask{"task", kU64};
constexpr KnownField kDepth{"stack", kStack};

constexpr KnownField bytes_of(const char* name) { return {name, kU64, Role::kValue, Unit::kBytes}; }
constexpr KnownField count_of(const char* name) { return {name, kU64, Role::kValue, Unit::kCountOfThings}; }

// Descriptions distinguish the types of GHC from those of other producers with the same numbers.
constexpr KnownType kKnown[] = {
    {0, "ghc.create_thread", "Create thread", Role::kThreadCreate, {kThreadField}},
    {1, "ghc.run_thread", "Run thread", Role::kThreadRun, {kThreadField}},
    {2,
     "ghc.stop_thread",
     "Stop thread",
     Role::kThreadStop,
     {kThreadField, {"status", kU16, Role::kReason}, {"info", kU32}}},
    {3, "ghc.thread_runnable", "Thread runnable", Role::kThreadRunnable, {kThreadField}},
    {4, "ghc.migrate_thread", "Migrate thread", Role::kThreadMigrate, {kThreadField, {"new_cap", kU16, Role::kToCpu}}},
    {5, "ghc.run_spark_thread", "Run spark", Role::kNone, {kThreadField}},
    {6, "ghc.steal_spark_thread", "Steal spark", Role::kNone, {kThreadField, {"victim_cap", kU16}}},
    {7, "ghc.shutdown", "Shutdown", Role::kNone, {}},
    {8, "ghc.thread_wakeup", "Wakeup thread", Role::kThreadWake, {kThreadField, {"other_cap", kU16}}},
    {9, "ghc.gc_start", "Starting GC", Role::kGcStart, {}},
    {10, "ghc.gc_end", "Finished GC", Role::kGcEnd, {}},
    {11, "ghc.request_seq_gc", "Request sequential GC", Role::kGcRequest, {}},
    {12, "ghc.request_par_gc", "Request parallel GC", Role::kGcRequest, {}},
    {13, "ghc.create_spark", "Create spark", Role::kSparkCreate, {kThreadField}},
    {14, "ghc.spark_to_thread", "Spark to thread", Role::kNone, {kThreadField}},
    {15, "ghc.create_spark_thread", "Create spark thread", Role::kNone, {kThreadField}},
    {16, "ghc.log_msg", "Log message", Role::kMark, {{"message", kText, Role::kMessage}}},
    {17, "ghc.startup", "Create capabilities", Role::kNone, {{"caps", kU16}}},
    {18, "ghc.block_marker", "Block marker", Role::kNone, {{"size", kU32}, {"end", kTime}, {"cap", kU16}}},
    {19, "ghc.user_msg", "User message", Role::kMark, {{"message", kText, Role::kMessage}}},
    {20, "ghc.gc_idle", "GC idle", Role::kGcIdle, {}},
    {21, "ghc.gc_work", "GC working", Role::kGcWork, {}},
    {22, "ghc.gc_done", "GC done", Role::kGcDone, {}},
    {23, "ghc.version", "Version", Role::kNone, {{"version", kText}}},
    {24, "ghc.program_invocation", "Program invocation", Role::kProgram, {{"command", kText, Role::kName}}},
    {25, "ghc.capset_create", "Create capability set", Role::kNone, {kCapset, {"type", kU16}}},
    {26, "ghc.capset_delete", "Delete capability set", Role::kNone, {kCapset}},
    {27, "ghc.capset_assign_cap", "Add capability to capability set", Role::kNone, {kCapset, {"cap", kU16}}},
    {28, "ghc.capset_remove_cap", "Remove capability from capability set", Role::kNone, {kCapset, {"cap", kU16}}},
    {29, "ghc.rts_identifier", "RTS name and version", Role::kNone, {kCapset, {"name", kText, Role::kName}}},
    {30, "ghc.program_args", "Program arguments", Role::kArguments, {kCapset, {"arguments", kTextsZ, Role::kValue}}},
    {31, "ghc.program_env", "Program environment variables", Role::kNone, {kCapset, {"environment", kTextsZ}}},
    {32, "ghc.osprocess_pid", "Process ID", Role::kProcessStart, {kCapset, {"pid", kU32, Role::kProcess}}},
    {33, "ghc.osprocess_ppid", "Parent process ID", Role::kNone, {kCapset, {"ppid", kU32, Role::kParent}}},
    {34,
     "ghc.spark_counters",
     "Spark counters",
     Role::kSparkCounters,
     {count_of("created"), count_of("dud"), count_of("overflowed"), count_of("converted"), count_of("collected"),
      count_of("fizzled"), count_of("remaining")}},
    {35, "ghc.spark_create", "Spark create", Role::kSparkCreate, {}},
    {36, "ghc.spark_dud", "Spark dud", Role::kSparkDud, {}},
    {37, "ghc.spark_overflow", "Spark overflow", Role::kSparkOverflow, {}},
    {38, "ghc.spark_run", "Spark run", Role::kSparkRun, {}},
    {39, "ghc.spark_steal", "Spark steal", Role::kSparkSteal, {{"victim_cap", kU16}}},
    {40, "ghc.spark_fizzle", "Spark fizzle", Role::kSparkFizzle, {}},
    {41, "ghc.spark_gc", "Spark GC", Role::kSparkCollect, {}},
    {42, "ghc.intern_string", "Intern string", Role::kNone, {{"text", kTextBut4}, {"id", kU32}}},
    {43,
     "ghc.wall_clock_time",
     "Wall clock time",
     Role::kWallClock,
     {kCapset,
      {"seconds", kU64, Role::kValue, Unit::kSeconds},
      {"nanoseconds", kU32, Role::kNone, Unit::kNanoseconds}}},
    {44, "ghc.thread_label", "Thread label", Role::kThreadName, {kThreadField, {"label", kText, Role::kName}}},
    {45, "ghc.cap_create", "Create capability", Role::kNone, {{"cap", kU16, Role::kCpu}}},
    {46, "ghc.cap_delete", "Delete capability", Role::kNone, {{"cap", kU16, Role::kCpu}}},
    {47, "ghc.cap_disable", "Disable capability", Role::kNone, {{"cap", kU16, Role::kCpu}}},
    {48, "ghc.cap_enable", "Enable capability", Role::kNone, {{"cap", kU16, Role::kCpu}}},
    {49, "ghc.heap_allocated", "Total heap mem ever allocated", Role::kCounter, {kCapset, bytes_of("bytes")}},
    {50, "ghc.heap_size", "Current heap size", Role::kCounter, {kCapset, bytes_of("bytes")}},
    {51, "ghc.heap_live", "Current heap live data", Role::kCounter, {kCapset, bytes_of("bytes")}},
    {52,
     "ghc.heap_info",
     "Heap static parameters",
     Role::kNone,
     {kCapset,
      {"generations", kU16},
      bytes_of("max_heap"),
      bytes_of("alloc_area"),
      bytes_of("mblock"),
      bytes_of("block")}},
    {53,
     "ghc.gc_stats",
     "GC statistics",
     Role::kGcStatistics,
     {kCapset,
      {"generation", kU16, Role::kGeneration},
      bytes_of("copied"),
      bytes_of("slop"),
      bytes_of("fragmentation"),
      {"threads", kU32},
      bytes_of("max_copied"),
      bytes_of("total_copied"),
      bytes_of("balanced_copied")}},
    {54, "ghc.gc_global_sync", "Synchronise stop-the-world GC", Role::kGcSync, {}},
    {55, "ghc.task_create", "Task create", Role::kNone, {kTask, {"cap", kU16, Role::kCpu}, {"kernel_thread", kU64}}},
    {56,
     "ghc.task_migrate",
     "Task migrate",
     Role::kNone,
     {kTask, {"cap", kU16, Role::kCpu}, {"new_cap", kU16, Role::kToCpu}}},
    {57, "ghc.task_delete", "Task delete", Role::kNone, {kTask}},
    {58, "ghc.user_marker", "User marker", Role::kMark, {{"name", kText, Role::kMessage}}},
    {59, "ghc.empty", "Empty event for bug #9003", Role::kNone, {}},
    {60, "eden.start_receive", "Starting message receival", Role::kNone, {}},
    {61, "eden.end_receive", "Finished message receival", Role::kNone, {}},
    {62, "eden.create_process", "Creating Process", Role::kNone, {{"process", kU32}}},
    {63, "eden.kill_process", "Killing Process", Role::kNone, {{"process", kU32}}},
    {64, "eden.assign_thread", "Assigning thread to process", Role::kNone, {kThreadField, {"process", kU32}}},
    {65, "eden.create_machine", "Creating machine", Role::kNone, {{"machine", kU16}, {"start", kU64}}},
    {66, "eden.kill_machine", "Killing machine", Role::kNone, {{"machine", kU16}}},
    {67,
     "eden.send_message",
     "Sending message",
     Role::kNone,
     {{"tag", kU8}, {"sender", kU32}, kThreadField, {"receiver_machine", kU16}, {"receiver", kU32}, {"inport", kU32}}},
    {68,
     "eden.receive_message",
     "Receiving message",
     Role::kNone,
     {{"tag", kU8},
      {"receiver", kU32},
      {"inport", kU32},
      {"sender_machine", kU16},
      {"sender", kU32},
      {"outport", kU32},
      {"size", kU32, Role::kAmount, Unit::kBytes}}},
    {69,
     "eden.local_message",
     "Sending/Receiving local message",
     Role::kNone,
     {{"tag", kU8}, {"sender", kU32}, kThreadField, {"receiver", kU32}, {"inport", kU32}}},
    {90,
     "ghc.mem_return",
     "Memory return statistics",
     Role::kNone,
     {kCapset, {"current", kU32}, {"needed", kU32}, {"returned", kU32}}},
    {91,
     "ghc.blocks_size",
     "Current heap size (size of allocated blocks)",
     Role::kCounter,
     {kCapset, bytes_of("bytes")}},
    {140, "perf.name", "Perf event name", Role::kNone, {{"perf", kU32}, {"name", kText, Role::kName}}},
    {141,
     "perf.counter",
     "Perf event counter",
     Role::kNone,
     {{"perf", kU32}, {"kernel_thread", kU64}, {"period", kU64}}},
    {142, "perf.tracepoint", "Perf event tracepoint", Role::kNone, {{"perf", kU32}, {"kernel_thread", kU64}}},
    {160,
     "ghc.heap_prof_begin",
     "Start of heap profile",
     Role::kNone,
     {{"profile", kU8},
      {"period", kU64, Role::kNone, Unit::kNanoseconds},
      {"breakdown", kU32},
      {"module_filter", kTextZ},
      {"closure_filter", kTextZ},
      {"type_filter", kTextZ},
      {"cost_centre_filter", kTextZ},
      {"stack_filter", kTextZ},
      {"retainer_filter", kTextZ},
      {"biography_filter", kTextZ}}},
    {161,
     "ghc.heap_prof_cost_centre",
     "Cost-centre definition",
     Role::kNone,
     {{"cost_centre", kU32}, {"label", kTextZ, Role::kName}, {"module", kTextZ}, {"source", kTextZ}, {"flags", kU8}}},
    {162, "ghc.heap_prof_sample_begin", "Start of heap profile sample", Role::kNone, {{"era", kU64}}},
    {163,
     "ghc.heap_prof_sample_cost_centre",
     "Heap profile cost-centre sample",
     Role::kNone,
     {{"profile", kU8}, bytes_of("residency"), kDepth}},
    {164,
     "ghc.heap_prof_sample_string",
     "Heap profile string sample",
     Role::kNone,
     {{"profile", kU8}, bytes_of("residency"), {"label", kTextZ, Role::kName}}},
    {165, "ghc.heap_prof_sample_end", "End of heap profile sample", Role::kNone, {{"era", kU64}}},
    {166,
     "ghc.heap_bio_prof_sample_begin",
     "Start of heap profile (biographical) sample",
     Role::kNone,
     {{"era", kU64}, {"time", kTime}}},
    {167,
     "ghc.prof_sample_cost_centre",
     "Time profile cost-centre stack",
     Role::kNone,
     {{"cap", kU32, Role::kCpu}, {"tick", kU64}, kDepth}},
    {168,
     "ghc.prof_begin",
     "Start of a time profile",
     Role::kNone,
     {{"interval", kU64, Role::kNone, Unit::kNanoseconds}}},
    {169,
     "ghc.ipe",
     "Info Table Source Position",
     Role::kNone,
     {{"info", kU64},
      {"table", kTextZ},
      {"closure", kTextZ},
      {"type", kTextZ},
      {"label", kTextZ},
      {"module", kTextZ},
      {"source", kTextZ}}},
    {181, "ghc.user_binary_msg", "User binary message", Role::kMark, {{"message", kBytes, Role::kMessage}}},
    {200, "ghc.conc_mark_begin", "Begin concurrent mark phase", Role::kGcConcurrentBegin, {}},
    {201, "ghc.conc_mark_end", "End concurrent mark phase", Role::kGcConcurrentEnd, {{"marked", kU32}}},
    {202, "ghc.conc_sync_begin", "Begin concurrent GC synchronisation", Role::kGcPauseBegin, {}},
    {203, "ghc.conc_sync_end", "End concurrent GC synchronisation", Role::kGcPauseEnd, {}},
    {204, "ghc.conc_sweep_begin", "Begin concurrent sweep", Role::kGcConcurrentBegin, {}},
    {205, "ghc.conc_sweep_end", "End concurrent sweep", Role::kGcConcurrentEnd, {}},
    {206, "ghc.conc_upd_rem_set_flush", "Update remembered set flushed", Role::kNone, {{"cap", kU16, Role::kCpu}}},
    {207,
     "ghc.nonmoving_heap_census",
     "Nonmoving heap census",
     Role::kNone,
     {{"block_size", kU16}, {"active", kU32}, {"filled", kU32}, {"live", kU32}}},
    {208,
     "ghc.nonmoving_pruned_segments",
     "Report the amount of segments pruned and remaining on the free list.",
     Role::kNone,
     {{"pruned", kU32}, {"free", kU32}}},
    {210,
     "ghc.ticky_counter_def",
     "Ticky-ticky entry counter definition",
     Role::kNone,
     {{"counter", kU64},
      {"arity", kU16},
      {"kinds", kTextZ},
      {"name", kTextZ, Role::kName},
      {"info", kU64},
      {"json", kTextZ}}},
    {211,
     "ghc.ticky_counter_sample",
     "Ticky-ticky entry counter sample",
     Role::kNone,
     {{"counter", kU64}, {"entries", kU64}, {"allocs", kU64}, {"allocd", kU64}}},
    {212, "ghc.ticky_begin_sample", "Ticky-ticky entry counter begin sample", Role::kNone, {}},
};

// The number of blocks, recorded as its logarithm: GHC before 9.10.
constexpr KnownType kCensusByLog = {207,
                                    "ghc.nonmoving_heap_census",
                                    "",
                                    Role::kNone,
                                    {{"log2_block_size", kU8}, {"active", kU32}, {"filled", kU32}, {"live", kU32}}};

// Types of other producers, which use numbers of GHC's for something else.
constexpr std::string_view kForeign[] = {"Register an id->string mapping", "About to call main/2",
                                         "The pid and parent pid of this process"};

}  // namespace

std::size_t size_of(FieldForm form) {
  switch (form) {
    case kU8:
    case kStack:
      return 1;
    case kU16:
      return 2;
    case kU32:
    case FieldForm::kThread:
      return 4;
    case kU64:
    case kTime:
      return 8;
    default:
      return 0;
  }
}

std::size_t least_size(const KnownType& type) {
  std::size_t size = 0;
  for (const KnownField& field : type.known_fields()) size += size_of(field.form);
  return size;
}

bool is_variable(const KnownType& type) {
  return std::any_of(type.fields, type.fields + KnownType::kMaxFields,
                     [](const KnownField& field) { return field.form >= kText; });
}

const KnownType* find_known_type(std::uint16_t id, bool variable, std::size_t size, std::string_view description) {
  if (id == kCensusByLog.id && size == least_size(kCensusByLog)) return &kCensusByLog;
  for (const KnownType& type : kKnown) {
    if (description == type.description && variable == is_variable(type)) return &type;
  }
  // Versions of GHC changed the wording of some descriptions.
  const auto* const same = std::ranges::find_if(kKnown, [&](const KnownType& t) { return id == t.id; });
  if (same == std::end(kKnown) || variable != is_variable(*same)) return nullptr;
  if (std::ranges::find(kForeign, description) != std::end(kForeign)) return nullptr;
  return variable || size == least_size(*same) ? same : nullptr;
}

}  // namespace evt::eventlog
