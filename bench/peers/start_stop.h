// What LTTng-UST gets to know of the two events that everybody emits.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER sched

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./start_stop.h"

#if !defined(START_STOP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define START_STOP_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(sched, start, LTTNG_UST_TP_ARGS(uint32_t, id),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, thread, id)))

LTTNG_UST_TRACEPOINT_EVENT(sched, stop, LTTNG_UST_TP_ARGS(uint32_t, id, uint16_t, why),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, thread, id)
                                                   lttng_ust_field_integer(uint16_t, status, why)))

#endif

#include <lttng/tracepoint-event.h>
