/* Recording events in C:
 *
 *   evt_row r = evt_begin(stream, call_type);
 *   if (r.p) { evt_u32(&r, function); evt_text(&r, "main", 4); evt_commit(&r); }
 *
 * Fields follow in the order of the declaration, each by the function of its kind and width. Nothing here fails: what
 * cannot be recorded is counted as lost. Signal handlers may record, on any stream: one that interrupts its thread in
 * the middle of an event of the same stream is refused, and counted. Names that end in an underscore are private.
 */
#ifndef EVT_EMIT_H_
#define EVT_EMIT_H_

/* NOLINTBEGIN(modernize-use-nullptr): this is C as well */

#include <evt/evt.h>
#include <evt/little_endian.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EVT_EXPORT
#pragma GCC visibility push(default)
#endif
#ifndef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeclaration-after-statement"
#endif

#ifdef __cplusplus
#define EVT_CAST_(type_, value_) static_cast<type_>(value_)
#else
#define EVT_CAST_(type_, value_) ((type_)(value_))
#endif
#define EVT_LIKELY_(x) __builtin_expect(!!(x), 1)
#define EVT_UNLIKELY_(x) __builtin_expect(!!(x), 0)
/* A row that is passed through a call lives in memory, and costs a third more. */
#define EVT_ALWAYS_INLINE_ __attribute__((always_inline))
#define EVT_INLINE_ static inline EVT_ALWAYS_INLINE_
/* Orders this thread with its own signal handlers, without an instruction. */
#define EVT_SIGNAL_FENCE_() __atomic_signal_fence(__ATOMIC_SEQ_CST)

/* A row is begun only if this many bytes are free, so short events need no second check. */
enum { EVT_ROW_ROOM_ = 64 };
/* The header of a row, and the largest row that can have it; larger ones are finished in the library. */
enum { EVT_ROW_FRONT_ = 8, EVT_ROW_MAX_SMALL_ = 0xFFFF };

/* The hot state of a stream. Read and written by its producer; other threads only clear `limit`: evt_close, and the
 * writer's thread while it takes the buffer of an idle stream. */
struct evt_stream {
  uint8_t* cursor;  /* the next row goes here */
  uint8_t* limit;   /* end of the room; NULL: off */
  uint64_t base;    /* base of the ticks in rows */
  uint64_t* commit; /* in the slot: finished rows << 32 | their bytes. A kill loses nothing that this counts */
  uint8_t clock;    /* enum evt_clock_kind */
  uint8_t busy;     /* between begin and commit: a signal handler that emits here is refused */
  uint8_t claimed;  /* the buffer may be taken now, and `limit` is NULL meanwhile */
};

/* A row being written. p is the place of the next field; NULL: nothing is recorded. */
typedef struct evt_row {
  uint8_t* p;
  uint8_t* end;
  uint8_t* start;
  evt_stream* stream;
  uint64_t head; /* ticks since base and type, as in the row header */
} evt_row;

/* READ: by this file, which has read the clock before it calls the library. */
enum evt_stamp_ { EVT_STAMP_NOW_, EVT_STAMP_ORDERED_, EVT_STAMP_GIVEN_, EVT_STAMP_READ_ };

/* Result of the slow half of beginning a row. Two words, so that it is returned in registers, and the row that is made
 * of it is never in memory: the compiler then knows how far the row has grown, and omits the checks. */
typedef struct evt_begun_ {
  uint8_t* start; /* NULL: nothing is recorded */
  uint64_t head;
} evt_begun_;

/* The slow halves, in the library. They take copies of rows, so that the caller's rows stay in registers. */
evt_begun_ evt_begin_slow_(evt_stream* s, const evt_type* type, enum evt_stamp_ stamp, uint64_t ticks);
void evt_room_slow_(evt_row* r, size_t size);
void evt_commit_slow_(const evt_row* r);
void evt_cancel_slow_(evt_stream* s);
void evt_reentered_(evt_stream* s);
uint64_t evt_clock_slow_(const evt_stream* s);
size_t evt_cut_text_(evt_stream* s, const char* text, size_t size);

/* The stream's clock, in ticks. */
EVT_INLINE_ uint64_t evt_now(const evt_stream* s) {
#if defined(__x86_64__)
  if (EVT_LIKELY_(s->clock == EVT_CLOCK_X86_TSC)) return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  if (EVT_LIKELY_(s->clock == EVT_CLOCK_ARM_COUNTER)) {
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#endif
  return evt_clock_slow_(s);
}

/* Like evt_now, after all that this thread has seen and before all that it will do: for wake, steal and receive
 * edges. */
static inline uint64_t evt_now_ordered(const evt_stream* s) {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
  const uint64_t ticks = evt_now(s);
  __builtin_ia32_lfence();
  return ticks;
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
  const uint64_t ticks = evt_now(s);
  __asm__ volatile("isb" ::: "memory");
  return ticks;
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return evt_now(s);
#endif
}

EVT_INLINE_ evt_row evt_begin_(evt_stream* s, const evt_type* type, enum evt_stamp_ stamp, uint64_t ticks) {
  const evt_row none = {NULL, NULL, NULL, NULL, 0};
  evt_begun_ begun;
  int at_hand = 0;
  /* 1. A type that is off has no number. */
  const uint32_t number = __atomic_load_n(&type->number, __ATOMIC_RELAXED);
  if (EVT_UNLIKELY_(number == 0)) return none;
  /* 2. Refuse a signal handler that interrupted an emit on this stream. A stream that never was on is always busy: many
   * threads may share it, so it is not touched. */
  if (EVT_UNLIKELY_(__atomic_load_n(&s->busy, __ATOMIC_RELAXED))) {
    if (__atomic_load_n(&s->limit, __ATOMIC_ACQUIRE) != NULL || __atomic_load_n(&s->claimed, __ATOMIC_ACQUIRE) ||
        __atomic_load_n(&s->limit, __ATOMIC_RELAXED) != NULL) {
      evt_reentered_(s);
    }
    return none;
  }
  __atomic_store_n(&s->busy, 1, __ATOMIC_RELAXED);
  EVT_SIGNAL_FENCE_();
  /* 3. Room before the clock; wide and reserved numbers go the slow way, and so does a stream that is off. */
  begun.start = __atomic_load_n(&s->cursor, __ATOMIC_RELAXED);
  uint8_t* end = __atomic_load_n(&s->limit, __ATOMIC_RELAXED);
  if (EVT_LIKELY_(end - begun.start >= EVT_ROW_ROOM_ && number < EVT_TYPE_FIRST_RESERVED)) {
    /* 4. The clock, as close to the caller as possible. */
    if (stamp == EVT_STAMP_NOW_) ticks = evt_now(s);
    if (stamp == EVT_STAMP_ORDERED_) ticks = evt_now_ordered(s);
    if (stamp != EVT_STAMP_GIVEN_) stamp = EVT_STAMP_READ_;
    begun.head = ticks - s->base;
    at_hand = begun.head >> 32 == 0;
    begun.head |= EVT_CAST_(uint64_t, number) << 32;
  }
  if (EVT_UNLIKELY_(!at_hand)) {
    begun = evt_begin_slow_(s, type, stamp, ticks);
    if (begun.start == NULL) return none;
    end = __atomic_load_n(&s->limit, __ATOMIC_RELAXED);
    if (end == NULL) end = begun.start; /* closed meanwhile */
  }
  const evt_row row = {begun.start + EVT_ROW_FRONT_, end, begun.start, s, begun.head};
  return row;
}

/* True if events of the type are recorded. Programs may check this before they compute the values of an event. */
static inline int evt_is_on(const evt_type* type) { return __atomic_load_n(&type->number, __ATOMIC_RELAXED) != 0; }

/* Begins an event that happens now. */
EVT_INLINE_ evt_row evt_begin(evt_stream* s, const evt_type* type) { return evt_begin_(s, type, EVT_STAMP_NOW_, 0); }

/* Begins one with the fenced clock; emit before publishing what it records, after observing it. */
EVT_INLINE_ evt_row evt_begin_ordered(evt_stream* s, const evt_type* type) {
  return evt_begin_(s, type, EVT_STAMP_ORDERED_, 0);
}

/* Begins one that happened at `ticks` of the session's clock. A reader treats a time after the event was written, by
 * the machine's own clock, as impossible: it shows the event at the time of the previous one. */
EVT_INLINE_ evt_row evt_begin_at(evt_stream* s, const evt_type* type, uint64_t ticks) {
  return evt_begin_(s, type, EVT_STAMP_GIVEN_, ticks);
}

/* Ends the event: from here on it is recorded. Does nothing for a row that could not be begun, or that was committed
 * while no event has been begun on the stream since. REQUIRES: the row was not cancelled. */
EVT_INLINE_ void evt_commit(evt_row* r) {
  const size_t size = EVT_CAST_(size_t, r->p - r->start);
  if (EVT_LIKELY_(r->p != NULL && size <= EVT_ROW_MAX_SMALL_ &&
                  r->start == __atomic_load_n(&r->stream->cursor, __ATOMIC_RELAXED))) {
    evt_stream* const s = r->stream;
    evt_store_u64(r->start, r->head | EVT_CAST_(uint64_t, size) << 48);
    __atomic_store_n(s->commit, *s->commit + ((EVT_CAST_(uint64_t, 1) << 32) + size), __ATOMIC_RELEASE);
    __atomic_store_n(&s->cursor, r->p, __ATOMIC_RELAXED);
    EVT_SIGNAL_FENCE_();
    __atomic_store_n(&s->busy, 0, __ATOMIC_RELEASE);
  } else {
    const evt_row copy = *r;
    evt_commit_slow_(&copy);
  }
}

/* Drops the event instead: nothing is recorded, nothing is counted. */
static inline void evt_cancel(evt_row* r) {
  if (r->stream != NULL) evt_cancel_slow_(r->stream);
}

/* Drops an event that was begun on the stream and whose row is gone, as after a longjmp, an exception or an early
 * return between evt_begin and evt_commit. Until then the stream's later events are refused, and lost with cause
 * "unfinished". Does nothing if no event is open. REQUIRES: called by the stream's producer, and not by a signal
 * handler. */
void evt_row_abandon(evt_stream* s);

/* Makes room for `size` more bytes, up to an event of EVT_MAX_EVENT_ROW. Returns 0 if there is none; the event is then
 * lost, cause "too large". */
EVT_INLINE_ int evt_room(evt_row* r, size_t size) {
  /* Every row begins with this much room. */
  if (size <= EVT_ROW_ROOM_ && EVT_CAST_(size_t, r->p - r->start) <= EVT_ROW_ROOM_ - size) return r->p != NULL;
  if (EVT_UNLIKELY_(EVT_CAST_(size_t, r->end - r->p) < size ||
                    EVT_CAST_(size_t, r->p - r->start) + size > EVT_ROW_MAX_SMALL_)) {
    evt_row copy = *r;
    evt_room_slow_(&copy, size);
    *r = copy;
  }
  return r->p != NULL;
}

/* Copies bytes verbatim: a fixed value, or the inside of one that was counted by hand. */
static inline void evt_raw(evt_row* r, const void* bytes, size_t size) {
  if (size == 0 || !evt_room(r, size)) return;
  memcpy(r->p, bytes, size);
  r->p += size;
}

EVT_INLINE_ void evt_u8(evt_row* r, uint8_t v) {
  if (!evt_room(r, 1)) return;
  *r->p++ = v;
}

EVT_INLINE_ void evt_u16(evt_row* r, uint16_t v) {
  if (!evt_room(r, 2)) return;
  evt_store_u16(r->p, v);
  r->p += 2;
}

EVT_INLINE_ void evt_u32(evt_row* r, uint32_t v) {
  if (!evt_room(r, 4)) return;
  evt_store_u32(r->p, v);
  r->p += 4;
}

EVT_INLINE_ void evt_u64(evt_row* r, uint64_t v) {
  if (!evt_room(r, 8)) return;
  evt_store_u64(r->p, v);
  r->p += 8;
}

static inline void evt_i8(evt_row* r, int8_t v) { evt_u8(r, EVT_CAST_(uint8_t, v)); }
static inline void evt_i16(evt_row* r, int16_t v) { evt_u16(r, EVT_CAST_(uint16_t, v)); }
static inline void evt_i32(evt_row* r, int32_t v) { evt_u32(r, EVT_CAST_(uint32_t, v)); }
static inline void evt_i64(evt_row* r, int64_t v) { evt_u64(r, EVT_CAST_(uint64_t, v)); }

static inline void evt_f32(evt_row* r, float v) {
  uint32_t bits;
  memcpy(&bits, &v, sizeof bits);
  evt_u32(r, bits);
}

static inline void evt_f64(evt_row* r, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  evt_u64(r, bits);
}

/* Bytes with a u16 count (at most 65535) or a u32 count before them. */
static inline void evt_bytes(evt_row* r, const void* bytes, uint16_t size) {
  evt_u16(r, size);
  evt_raw(r, bytes, size);
}

static inline void evt_long_bytes(evt_row* r, const void* bytes, uint32_t size) {
  evt_u32(r, size);
  evt_raw(r, bytes, size);
}

/* Text with a u16 count; over 65535 bytes it is shortened at a character, and that is counted. */
static inline void evt_text(evt_row* r, const char* text, size_t size) {
  if (EVT_UNLIKELY_(size > 0xFFFF)) size = evt_cut_text_(r->stream, text, size);
  evt_bytes(r, text, EVT_CAST_(uint16_t, size));
}

static inline void evt_text_z(evt_row* r, const char* text) { evt_text(r, text, strlen(text)); }

/* An array of `count` numbers of `width` bytes (1, 2, 4 or 8) in this machine's byte order. */
static inline void evt_array(evt_row* r, const void* elements, uint16_t count, size_t width) {
  evt_u16(r, count);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  evt_raw(r, elements, count * width);
#else
  const uint8_t* element = EVT_CAST_(const uint8_t*, elements);
  for (uint32_t i = 0; i < count; ++i, element += width) {
    for (size_t byte = width; byte > 0; --byte) evt_u8(r, element[byte - 1]);
  }
#endif
}

#ifndef __cplusplus
#pragma GCC diagnostic pop
#endif
#ifdef EVT_EXPORT
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-use-nullptr) */

#endif /* EVT_EMIT_H_ */
