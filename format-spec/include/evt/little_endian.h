/* Unaligned little-endian loads and stores: the only way this project touches numbers in a trace. C11 and C++20. */
#ifndef EVT_LITTLE_ENDIAN_H_
#define EVT_LITTLE_ENDIAN_H_

#include <evt/c99.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define EVT_LE16(v) __builtin_bswap16(v)
#define EVT_LE32(v) __builtin_bswap32(v)
#define EVT_LE64(v) __builtin_bswap64(v)
#else
#define EVT_LE16(v) (v)
#define EVT_LE32(v) (v)
#define EVT_LE64(v) (v)
#endif

static inline uint16_t evt_load_u16(const void* p) {
  uint16_t v;
  memcpy(&v, p, sizeof v);
  return EVT_LE16(v);
}

static inline uint32_t evt_load_u32(const void* p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return EVT_LE32(v);
}

static inline uint64_t evt_load_u64(const void* p) {
  uint64_t v;
  memcpy(&v, p, sizeof v);
  return EVT_LE64(v);
}

static inline void evt_store_u16(void* p, uint16_t v) {
  v = EVT_LE16(v);
  memcpy(p, &v, sizeof v);
}

static inline void evt_store_u32(void* p, uint32_t v) {
  v = EVT_LE32(v);
  memcpy(p, &v, sizeof v);
}

static inline void evt_store_u64(void* p, uint64_t v) {
  v = EVT_LE64(v);
  memcpy(p, &v, sizeof v);
}

#endif /* EVT_LITTLE_ENDIAN_H_ */
