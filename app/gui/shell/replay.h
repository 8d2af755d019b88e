// Scripts of input for documentation and end-to-end tests: one step per line, played through the
// input queue.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "gui/platform/input_queue.h"
#include "gui/shell/app.h"
#include "gui/ui/probe.h"

namespace attn::gui {

// Processor time of the calling thread in seconds.
double thread_seconds();

// wait · click NAME · shift-click NAME · double-click NAME · right-click NAME · drag NAME DX DY ·
// hover NAME · wheel NAME N · type TEXT · key Ctrl+Z · drop PATH · screenshot PATH · document PATH
// · state PATH · frames PATH · quit. NAME is a probe name and may contain spaces; DX, DY are
// pixels, N is notches, positive is up.
struct ReplayStep {
  std::size_t line = 0;  // 1-based
  std::string verb;
  std::string argument;        // name, text, keys or path
  float dx = 0.0F, dy = 0.0F;  // of drag; dy is also the notches of wheel
};

// Skips blank lines and lines that begin with '#'. Usage error with the line for unknown verbs and
// missing parts.
Result<std::vector<ReplayStep>> parse_replay(std::string_view text, const std::string& file);

// Interfaces used by steps besides the application.
struct ReplayWorld {
  App& app;
  InputQueue& input;
  const Probe& probe;
  std::function<Status(const std::string& path)> screenshot;
  std::vector<double>& frames;              // seconds that each took, since they were last written
  Overwrite overwrite = Overwrite::Refuse;  // for files written by steps
};

class Replay {
 public:
  Replay(std::vector<ReplayStep> steps, std::string file)
      : steps_(std::move(steps)), file_(std::move(file)) {}

  // Call after each frame: performs the next step once the previous ones have been processed and
  // shown. Returns true at the end of the script. A name that is not on screen is an error that
  // lists those that are.
  Result<bool> advance(const ReplayWorld& world);

 private:
  Status perform(const ReplayStep& step, const ReplayWorld& world);

  std::vector<ReplayStep> steps_;
  std::string file_;
  std::size_t next_ = 0;
  int quiet_frames_ = 0;
};

}  // namespace attn::gui
