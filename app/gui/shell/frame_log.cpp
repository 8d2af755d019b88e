// Percentiles of frame times, and memory of the process.
#include "gui/shell/frame_log.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

#include "base/number_text.h"

namespace attn::gui {
namespace {

double milliseconds_at(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0.0;
  const double place = std::ceil(share * static_cast<double>(sorted.size())) - 1.0;
  return 1e3 * sorted[static_cast<std::size_t>(std::max(place, 0.0))];
}

// "VmRSS" or "VmHWM"; 0 on systems without this file.
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
  std::string text = "{\"frames\": " + std::to_string(sorted.size());
  const auto add = [&](const char* name, double value) {
    text += std::string(", \"") + name + "\": " + fixed_text(value, 2);
  };
  add("median_ms", milliseconds_at(sorted, 0.5));
  add("most_of_99_ms", milliseconds_at(sorted, 0.99));
  add("worst_ms", milliseconds_at(sorted, 1.0));
  add("memory_mib", mebibytes("VmRSS"));
  add("most_memory_mib", mebibytes("VmHWM"));
  return text + "}\n";
}

}  // namespace attn::gui
