// Recorded input for documentation and end-to-end tests: one step per line, played through the same
// input queue as a person's.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "gui/platform/input_queue.h"
#include "gui/shell/app.h"
#include "gui/shell/frame_log.h"
#include "gui/ui/probe.h"

namespace attn::gui {

// wait · click NAME · shift-click NAME · double-click NAME · right-click NAME · drag NAME DX DY ·
// hover NAME · wheel NAME N · type TEXT · key Ctrl+Z · drop PATH · screenshot PATH · document PATH
// · state PATH · frames PATH · quit. NAME is a probe name and may contain blanks; DX, DY are
// pixels, N notches, up positive.
struct ReplayStep {
  std::size_t line = 0;  // 1-based
  std::string verb;
  std::string argument;        // name, text, keys or path
  float dx = 0.0F, dy = 0.0F;  // of drag; dy also the notches of wheel
};

// Blank lines and those that begin with '#' are left out. Refuses unknown verbs and missing parts
// (kind Usage, with the line).
Result<std::vector<ReplayStep>> parse_replay(std::string_view text, const std::string& file);

// What a step may need besides the application.
struct ReplayWorld {
  App& app;
  InputQueue& input;
  const Probe& probe;
  std::function<Status(const std::string& path)> screenshot;
  FrameLog* frames = nullptr;               // may be null: nobody measures
  Overwrite overwrite = Overwrite::Refuse;  // of files that steps write
};

class Replay {
 public:
  Replay(std::vector<ReplayStep> steps, std::string file)
      : steps_(std::move(steps)), file_(std::move(file)) {}

  // Call after each frame: does the next step once everything before it has arrived, been computed
  // and been shown. True when the script has ended. Refuses a name that is not on screen, naming
  // those that are.
  Result<bool> advance(const ReplayWorld& world);

 private:
  Status perform(const ReplayStep& step, const ReplayWorld& world);

  std::vector<ReplayStep> steps_;
  std::string file_;
  std::size_t next_ = 0;
  int quiet_frames_ = 0;
};

// What the interface shows, as JSON: title, stage, head, notices, and every named widget with its
// value.
std::string state_json(const AppState& state, const Probe& probe);

}  // namespace attn::gui
