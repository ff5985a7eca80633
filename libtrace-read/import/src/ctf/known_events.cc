#include "known_events.h"

namespace evt::ctf {
namespace {

// Without the prefix for the system that perf writes: sched:sched_switch.
std::string_view plain_name(std::string_view name) {
  for (const std::string_view system : {"sched:", "syscalls:"}) {
    if (name.starts_with(system)) return name.substr(system.size());
  }
  return name;
}

bool take(std::string_view* name, std::string_view front) {
  if (!name->starts_with(front)) return false;
  name->remove_prefix(front.size());
  return true;
}

}  // namespace

KnownEvent known_event(std::string_view name, const std::function<bool(std::string_view field)>& has_field,
                       bool has_waking) {
  // Threads are tid for LTTng, pid for perf.
  const auto thread = [&](const std::string& front) { return front + (has_field(front + "tid") ? "tid" : "pid"); };
  KnownEvent known;
  std::string_view plain = plain_name(name);
  if (plain == "sched_switch") {
    known.is_switch = true;
    known.meanings = {
        {EVT_ROLE_THREAD_STOP, {{thread("prev_"), EVT_ROLE_THREAD}, {std::string(kReason), EVT_ROLE_REASON}}},
        {EVT_ROLE_THREAD_NAME, {{thread("next_"), EVT_ROLE_THREAD}, {"next_comm", EVT_ROLE_NAME}}},
        {EVT_ROLE_THREAD_RUN, {{thread("next_"), EVT_ROLE_THREAD}, {std::string(kCpu), EVT_ROLE_CPU}}}};
  } else if (plain == "sched_waking" || (!has_waking && (plain == "sched_wakeup" || plain == "sched_wakeup_new"))) {
    known.meanings = {{EVT_ROLE_THREAD_WAKE, {{thread(""), EVT_ROLE_THREAD}}}};
  } else if (plain == "sched_process_fork") {
    known.meanings = {{EVT_ROLE_THREAD_CREATE, {{thread("child_"), EVT_ROLE_THREAD}}},
                      {EVT_ROLE_THREAD_NAME, {{thread("child_"), EVT_ROLE_THREAD}, {"child_comm", EVT_ROLE_NAME}}}};
  } else if (plain == "sched_process_exit") {
    known.meanings = {{EVT_ROLE_THREAD_EXIT, {{thread(""), EVT_ROLE_THREAD}}}};
  } else if (plain == "sched_migrate_task") {
    known.meanings = {{EVT_ROLE_THREAD_MIGRATE, {{thread(""), EVT_ROLE_THREAD}, {"dest_cpu", EVT_ROLE_TO_CPU}}}};
  } else if (plain == "perf_comm") {
    known.meanings = {{EVT_ROLE_THREAD_NAME, {{"tid", EVT_ROLE_THREAD}, {"comm", EVT_ROLE_NAME}}}};
  } else {
    take(&plain, "compat_");
    const bool enters = take(&plain, "syscall_entry_") || take(&plain, "sys_enter_");
    const bool leaves = !enters && (take(&plain, "syscall_exit_") || take(&plain, "sys_exit_"));
    const bool is_of_program = take(&plain, "lttng_ust_cyg_profile:") || take(&plain, "lttng_ust_cyg_profile_fast:");
    const bool begins = enters || (is_of_program && plain == "func_entry");
    if (!begins && !leaves && !(is_of_program && plain == "func_exit")) return known;
    known.is_call = true;
    if (!is_of_program) known.function = plain;
    known.meanings = {{static_cast<std::uint16_t>(begins ? EVT_ROLE_CALL_BEGIN : EVT_ROLE_CALL_END),
                       {{std::string(kFunction), EVT_ROLE_FUNCTION}, {std::string(kThread), EVT_ROLE_THREAD}}}};
  }
  return known;
}

}  // namespace evt::ctf
