// The example that the picture of the front page shows.
#include "view_test.h"

namespace evt::testing {
namespace {

class Mandelbrot : public View {};

// Of four workers: 4 names, in each of 5 frames run, stop, a span, a collection and a counter, 5 marks; of 36 tiles in
// each frame a span and a counter.
TEST_F(Mandelbrot, RecordsWhatItsWorkersDo) {
  EXPECT_EQ(run("mandelbrot m.evt > iterations.txt && evt dump --count m.evt"), prints("689\n"));
  EXPECT_EQ(run("evt dump --count --event 'gc.*' m.evt"), prints("40\n"));
  EXPECT_EQ(run("COLUMNS=60 evt view --text --rows 'cpus,thread:renderer*' m.evt | grep -c -e 'worker [0-3]' -e "
                "'renderer [0-3]'")
                .out,
            "8\n");
}

}  // namespace
}  // namespace evt::testing
