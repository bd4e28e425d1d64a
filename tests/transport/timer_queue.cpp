#include <dgraph/transport/timer_queue.hpp>

#include <algorithm>
#include <map>
#include <random>

#include "support/catch.hpp"

using namespace dgraph;
using detail::TimerQueue;

TEST_CASE("timers against a map, with additions, removals and time passing at random") {
  std::mt19937_64 random(1);
  TimerQueue queue;
  std::map<std::pair<Time, int>, TimerId> model;
  std::vector<TimerId> stale;
  int next = 0, ran = -1;
  Time now{};
  bool right = true;
  for (int round = 0; round < 20000 && right; ++round) {
    switch (random() % 4) {
      case 0:
      case 1: {
        const Time at = now + Time(random() % 50);
        const int number = next++;
        model[{at, number}] = queue.add(at, [&ran, number] { ran = number; });
        break;
      }
      case 2:
        if (!model.empty()) {
          auto it = model.begin();
          std::advance(it, static_cast<std::ptrdiff_t>(random() % model.size()));
          right = right && queue.remove(it->second);
          stale.push_back(it->second);
          model.erase(it);
        }
        break;
      default:
        now += Time(random() % 20);
        while (Task task = queue.pop(now)) {
          task();
          right = right && !model.empty() && model.begin()->first.second == ran && model.begin()->first.first <= now;
          if (!right) break;
          stale.push_back(model.begin()->second);
          model.erase(model.begin());
        }
        break;
    }
    right = right && queue.size() == model.size() &&
            queue.next() == (model.empty() ? kNever : model.begin()->first.first);
  }
  CHECK(right);
  CHECK(std::none_of(stale.begin(), stale.end(), [&](TimerId id) { return static_cast<bool>(queue.remove(id)); }));
  CHECK_FALSE(queue.remove(0));
  CHECK_FALSE(queue.remove(~TimerId{0}));
  CHECK(queue.clear().size() == model.size());
  CHECK(queue.next() == kNever);
}
