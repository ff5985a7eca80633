/* Rows as columns, compressed with zstd: a quarter of the space or less, at the cost of CPU time in the flusher. In its
 * own library, libevtrace-compact (CMake: evtrace::compact), which needs libzstd.
 *
 *   evt_options options = {0};
 *   options.compact = evt_columns();
 *
 * Rows are written uncompressed when the flusher falls behind: pressure costs bytes, not events. */
#ifndef EVT_COMPACT_H_
#define EVT_COMPACT_H_

#include <evt/evt.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EVT_EXPORT
#pragma GCC visibility push(default)
#endif

/* Lives as long as the process; any number of sessions may use it at the same time. */
const evt_compactor* evt_columns(void);

#ifdef EVT_EXPORT
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif /* EVT_COMPACT_H_ */
