// The table of counted calls is in the memory of a program, which may write anything there.
#include "libtrace-record/collect/counts_file.h"

#include <cstring>
#include <random>

#include "libtrace-record/hooks/count_file.h"
#include "recorded.h"

namespace evt::testing {
namespace {

class CountsFile : public AtTheShell {
 protected:
  // One thread, that called `f` of libf.so twice, for 10 and 20 ns.
  static std::string table() {
    std::string bytes(3 * RUN_CHUNK, '\0');
    run_count_header header = {};
    std::memcpy(header.magic, RUN_COUNT_MAGIC, sizeof header.magic);
    header.version = RUN_COUNT_VERSION;
    header.is_timed = 1;
    header.process = 7;
    header.first = {1000, 1000};
    header.last = {5000, 5000};
    std::strcpy(header.program, "program");
    header.threads = 2;
    header.thread[1].number = 8;
    std::strcpy(header.thread[1].name, "worker");
    std::memcpy(bytes.data(), &header, sizeof header);
    const run_count_name name = {3, {1, 7, 7}, 0};
    const run_chunk names = {RUN_CHUNK_NAMES, sizeof(run_chunk) + sizeof name + 16};
    char* at = bytes.data() + RUN_CHUNK;
    std::memcpy(at, &names, sizeof names);
    std::memcpy(at + sizeof names, &name, sizeof name);
    std::memcpy(at + sizeof names + sizeof name, "flibf.soprogram", 15);
    run_cell cell = {};
    cell.calls = 3;
    cell.weight = 1;
    cell.awaited = 3;
    cell.timed = 2;
    cell.ticks = 30;
    cell.shortest = 10;
    cell.longest = 20;
    cell.thread = 1;
    cell.import = 3;
    cell.lengths[9] = 1;
    cell.lengths[13] = 1;
    const run_chunk cells = {RUN_CHUNK_CELLS, sizeof(run_chunk) + sizeof cell};
    at += RUN_CHUNK;
    std::memcpy(at, &cells, sizeof cells);
    std::memcpy(at + sizeof cells, &cell, sizeof cell);
    return bytes;
  }
  Result<record::CountsFile> read(const std::string& bytes) const {
    given_file("1.0.calls", bytes);
    return record::read_counts(path_of("1.0.calls"));
  }
};

TEST_F(CountsFile, IsRead) {
  const auto counts = read(table());
  ASSERT_TRUE(counts) << counts.status().message();
  EXPECT_EQ(counts->program, "program");
  ASSERT_EQ(counts->functions.size(), 1u);
  const record::CountedFunction& f = counts->functions[0];
  EXPECT_EQ(f.name + " " + f.library + " " + f.caller, "f libf.so program");
  EXPECT_EQ(counts->threads[f.thread].name, "worker");
  EXPECT_EQ((std::vector<std::uint64_t>{f.calls, f.returned, f.timed, f.total_ns, f.shortest_ns, f.longest_ns}),
            (std::vector<std::uint64_t>{3, 2, 2, 30, 10, 20}));
  EXPECT_EQ(f.lengths_ns, (std::vector<std::uint64_t>{11, 22})) << "from 10 to 12, from 20 to 24";
  EXPECT_EQ(f.times, (std::vector<std::uint64_t>{1, 1}));
}

// Of 3 timed calls, one represents 8 and one 8 that have not returned; 5 more were counted ahead.
TEST_F(CountsFile, HasEstimatesWhereSomeCallsAreTimed) {
  std::string bytes = table();
  char* const at = bytes.data() + 2 * RUN_CHUNK + sizeof(run_chunk);
  run_cell cell;
  std::memcpy(&cell, at, sizeof cell);
  cell.calls = 25;
  cell.untimed = 5;
  cell.awaited = 17;
  cell.ticks = 8 * 10 + 20;
  cell.lengths[9] = 8;
  std::memcpy(at, &cell, sizeof cell);
  const auto counts = read(bytes);
  ASSERT_TRUE(counts) << counts.status().message();
  ASSERT_EQ(counts->functions.size(), 1u);
  const record::CountedFunction& f = counts->functions[0];
  EXPECT_EQ((std::vector<std::uint64_t>{f.calls, f.returned, f.timed, f.total_ns, f.shortest_ns, f.longest_ns}),
            (std::vector<std::uint64_t>{20, 12, 2, 100, 10, 20}));
  EXPECT_EQ(f.times, (std::vector<std::uint64_t>{8, 1}));
}

TEST_F(CountsFile, OfNothingIsNone) {
  EXPECT_EQ(read("").status().code(), Code::kNotATrace);
  EXPECT_EQ(read(std::string(3 * RUN_CHUNK, '\0')).status().code(), Code::kNotATrace);
  EXPECT_EQ(record::read_counts(path_of("nonesuch")).status().code(), Code::kIo);
}

TEST_F(CountsFile, IsReadAsFarAsItGoes) {
  const std::string whole = table();
  for (std::size_t size = 0; size < whole.size(); size += 4999) {
    const auto counts = read(whole.substr(0, size));
    EXPECT_EQ(counts.status().ok(), size >= RUN_CHUNK);
    EXPECT_TRUE(!counts || counts->functions.empty()) << "names or cells are missing";
  }
}

TEST_F(CountsFile, ThatWasWrittenOverHasAtMostWhatFits) {
  const std::string whole = table();
  std::mt19937 random(1);
  for (int attempt = 0; attempt < 300; ++attempt) {
    std::string bytes = whole;
    // The fronts of the chunks are where lengths and kinds are.
    for (int i = 0; i < 8; ++i) bytes[random() % 3 * RUN_CHUNK + random() % 96] = static_cast<char>(random());
    const auto counts = read(bytes);
    if (!counts) continue;
    EXPECT_LE(counts->functions.size(), RUN_CHUNK / sizeof(run_cell));
    for (const record::CountedFunction& function : counts->functions) {
      ASSERT_LT(function.thread, counts->threads.size());
      EXPECT_LE(function.name.size() + function.library.size() + function.caller.size(), std::size_t{RUN_CHUNK});
    }
  }
}

}  // namespace
}  // namespace evt::testing
