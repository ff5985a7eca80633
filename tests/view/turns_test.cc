// Long answers give way to those that somebody waits for, and not to reading on.
#include "tools/view/turns.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace evt::testing {
namespace {

using tools::Turns;

TEST(Turns, OfLongAnswersGiveWayToUrgentOnes) {
  Turns turns;
  std::string order;
  std::thread reading;
  std::thread tile;
  {
    Turns::Turn turn(turns);
    turn.give_way();
    order += "long ";
    reading = std::thread([&] {
      const Turns::Turn patient(turns, Turns::Urgency::kPatient);
      order += "reading";
    });
    tile = std::thread([&] {
      const Turns::Turn urgent(turns);
      order += "tile ";
    });
    while (order == "long ") {
      std::this_thread::yield();
      turn.give_way();
    }
    order += "long ";
  }
  tile.join();
  reading.join();
  EXPECT_EQ(order, "long tile long reading");
}

}  // namespace
}  // namespace evt::testing
