#include "crc32c.h"

#include <evt/little_endian.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <wmmintrin.h>
#endif

namespace evt {
namespace {

constexpr int kSlices = 4;
constexpr std::uint32_t kPolynomial = 0x82F63B78u;  // reflected

struct Tables {
  std::uint32_t of[kSlices][256];
};

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0u);
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
// Asks the processor itself: the compiler's own query would add 5 KB of processor names.
bool has_crc_and_multiply() {
  static int known = -1;  // several threads may find it out at once, with the same answer
  int has = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (has < 0) {
    constexpr unsigned kNeeded = bit_SSE4_2 | bit_PCLMUL;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    has = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kNeeded) == kNeeded ? 1 : 0;
    __atomic_store_n(&known, has, __ATOMIC_RELAXED);
  }
  return has != 0;
}

// The instruction takes three cycles and one can begin in each: three runs of bytes are processed in parallel, and
// combined afterwards.
constexpr std::size_t kRun = 512;

// The factor, without carries, that turns a CRC into the CRC of the same bytes followed by `bytes` zeros. The exponent
// is 33 bits smaller: 32 come from the reduction, one from the product of two reflected numbers.
constexpr std::uint32_t over_zeros(std::size_t bytes) {
  std::uint32_t power = 0x80000000u;  // x^0, reflected
  for (std::size_t i = 0; i < bytes * 8 - 33; ++i) power = (power >> 1) ^ ((power & 1) != 0 ? kPolynomial : 0u);
  return power;
}

__attribute__((target("sse4.2,pclmul"))) inline std::uint64_t append_zeros(std::uint64_t crc, std::uint32_t power) {
  const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(crc)),
                                               _mm_cvtsi32_si128(static_cast<int>(power)), 0);
  return __builtin_ia32_crc32di(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)));
}

__attribute__((target("sse4.2,pclmul"))) std::uint32_t crc32c_by_instruction(std::uint32_t crc, const std::uint8_t* p,
                                                                             std::size_t size) {
  constexpr std::uint32_t kOverOne = over_zeros(kRun);
  constexpr std::uint32_t kOverTwo = over_zeros(2 * kRun);
  std::uint64_t wide = static_cast<std::uint32_t>(~crc);
  for (; size >= 3 * kRun; p += 3 * kRun, size -= 3 * kRun) {
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i < kRun; i += 8) {
      wide = __builtin_ia32_crc32di(wide, evt_load_u64(p + i));
      second = __builtin_ia32_crc32di(second, evt_load_u64(p + kRun + i));
      third = __builtin_ia32_crc32di(third, evt_load_u64(p + 2 * kRun + i));
    }
    wide = append_zeros(wide, kOverTwo) ^ append_zeros(second, kOverOne) ^ third;
  }
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
  if (has_crc_and_multiply()) return crc32c_by_instruction(crc, static_cast<const std::uint8_t*>(data), size);
#endif
  return crc32c_by_table(crc, data, size);
}

}  // namespace evt
