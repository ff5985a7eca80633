/* What a recorded program does is known: each word of its command line is a story, of which the tests know the numbers.
 */
#define _GNU_SOURCE
#include "known.h"

static const struct {
  const char* name;
  int (*tell)(void);
} stories[] = {{"files", known_files},
               {"threads", known_threads},
               {"locks", known_locks},
               {"locks-and-lines", known_locks_and_lines},
               {"named-locks", known_named_locks},
               {"kinds-of-locks", known_kinds_of_locks},
               {"convoy", known_convoy},
               {"barrier", known_barrier},
               {"slow-writer", known_slow_writer},
               {"slow-server", known_slow_server},
               {"slow-polled-server", known_slow_polled_server},
               {"slow-pair", known_slow_pair},
               {"timed-locks", known_timed_locks},
               {"waits", known_waits},
               {"endless", known_endless},
               {"destructor", known_destructor},
               {"small-threads", known_small_threads},
               {"storm", known_storm},
               {"exec", known_exec_chain},
               {"exec-end", known_exec_end},
               {"exec-late", known_exec_late},
               {"children", known_children},
               {"many-children", known_many_children},
               {"wait", known_wait_for_signal},
               {"arguments", known_arguments},
               {"cancelled", known_cancelled},
               {"sockets", known_sockets},
               {"namespaces", known_namespaces},
               {"enters-namespace", known_enters_namespace},
               {"busy", known_busy},
               {"partial-line", known_partial_line},
               {"spin", known_spin},
               {"nap", known_nap},
               {"read", known_read_byte},
               {"crowd", known_crowd},
               {"phases", known_phases},
               {"daemon", known_daemon_process},
               {"jump", known_jump},
               {"close-all", known_close_all},
               {"early", known_early},
               {"spawn", known_spawn},
               {"outlier", known_outlier},
               {"outside", known_outside},
               {"connections", known_connections},
               {"unread", known_unread},
               {"asleep", known_asleep},
               {"free-semaphore", known_free_semaphore},
               {"unbegun", known_unbegun},
               {"terminal", known_terminal},
               {"c-daemon", known_c_daemon},
               {"first-descriptor", known_first_descriptor},
               {"copy-over-all", known_copy_over_all},
               {"interrupted", known_interrupted}};

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "die") == 0) return known_die(atoi(argv[2]));
  if (argc == 3 && strcmp(argv[1], "exit") == 0) return atoi(argv[2]);
  for (size_t i = 0; argc == 2 && i < sizeof stories / sizeof *stories; ++i) {
    if (strcmp(argv[1], stories[i].name) == 0) return stories[i].tell();
  }
  return 98;
}
