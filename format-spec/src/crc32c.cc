#include "crc32c.h"

#include <evt/little_endian.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace evt {
namespace {

constexpr int kSlices = 4;

struct Tables {
  std::uint32_t of[kSlices][256];
};

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78u : 0u);
    tables.of[0][i] = crc;
  }
  for (int slice = 1; slice < kSlices; ++slice) {
    for (std::uint32_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables.of[slice - 1][i];
      tables.of[slice][i] = (before >> 8) ^ tables.of[0][before & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

#if defined(__x86_64__)
// Asked of the processor itself: the compiler's own question brings 5 KB of processor names along.
bool has_sse42() {
  static int known = -1;  // asked by several threads at once, it is the same answer
  int has = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (has < 0) {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    has = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_2) != 0 ? 1 : 0;
    __atomic_store_n(&known, has, __ATOMIC_RELAXED);
  }
  return has != 0;
}

__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(std::uint32_t crc, const std::uint8_t* p,
                                                             std::size_t size) {
  std::uint64_t wide = ~crc;
  for (; size >= 8; p += 8, size -= 8) wide = __builtin_ia32_crc32di(wide, evt_load_u64(p));
  auto narrow = static_cast<std::uint32_t>(wide);
  for (; size > 0; ++p, --size) narrow = __builtin_ia32_crc32qi(narrow, *p);
  return ~narrow;
}
#endif

}  // namespace

std::uint32_t crc32c_by_table(std::uint32_t crc, const void* data, std::size_t size) {
  const auto* p = static_cast<const std::uint8_t*>(data);
  const auto& t = kTables.of;
  crc = ~crc;
  for (; size >= 4; p += 4, size -= 4) {
    crc ^= evt_load_u32(p);
    crc = t[3][crc & 0xFF] ^ t[2][(crc >> 8) & 0xFF] ^ t[1][(crc >> 16) & 0xFF] ^ t[0][crc >> 24];
  }
  for (; size > 0; ++p, --size) crc = (crc >> 8) ^ t[0][(crc ^ *p) & 0xFF];
  return ~crc;
}

std::uint32_t crc32c(std::uint32_t crc, const void* data, std::size_t size) {
#if defined(__x86_64__)
  if (has_sse42()) return crc32c_sse42(crc, static_cast<const std::uint8_t*>(data), size);
#endif
  return crc32c_by_table(crc, data, size);
}

}  // namespace evt
