// Sorts the times of frames, and reads what the system knows of the process.
#include "gui/shell/frame_log.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace attn::gui {
namespace {

double milliseconds_at(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0.0;
  const double place = std::ceil(share * static_cast<double>(sorted.size())) - 1.0;
  return 1e3 * sorted[static_cast<std::size_t>(std::max(place, 0.0))];
}

// "VmRSS" or "VmHWM"; 0 where the system has no such file.
double mebibytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name;) {
    double kibibytes = 0.0;
    if (name == field + ":" && status >> kibibytes) return kibibytes / 1024.0;
  }
  return 0.0;
}

}  // namespace

double thread_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string FrameLog::take() {
  std::vector<double> sorted = std::exchange(seconds_, {});
  std::ranges::sort(sorted);
  return nlohmann::ordered_json{{"frames", sorted.size()},
                                {"median_ms", milliseconds_at(sorted, 0.5)},
                                {"most_of_99_ms", milliseconds_at(sorted, 0.99)},
                                {"worst_ms", milliseconds_at(sorted, 1.0)},
                                {"memory_mib", mebibytes("VmRSS")},
                                {"most_memory_mib", mebibytes("VmHWM")}}
             .dump() +
         "\n";
}

}  // namespace attn::gui
