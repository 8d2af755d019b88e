// What the command line asks of the window.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/log_file.h"

namespace attn::cli {

// What the window needs to know to start.
struct ViewRequest {
  std::vector<std::string> files;
  std::string screenshot;  // write the window's pixels here and leave; empty: stay open
  std::string replay;      // script of input to play, for documentation and tests; empty: none
  std::optional<int> width, height;  // as asked for; otherwise what suits the scale
  double scale = 0.0;                // interface scale; 0: as the display says
  std::string theme;                 // one of windows, or empty
  bool force = false;                // overwrite the screenshot, and what the script writes
  bool reset_settings = false;       // start as if none had been chosen
  bool safe_mode = false;            // neither read nor write settings; implies no_session
  bool no_session = false;           // start without what was open, and offer no unsaved work
  std::string config_dir;            // absolute; empty: the usual folders
  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes;
  bool allows_outside = false;  // references may lead out of their document's folder
  std::string log_file;         // empty: the usual one, none with a screenshot or a script
  LogLevel log_level = LogLevel::Info;
};

// Opens the window; the exit code. Absent in builds without one.
using OpenWindow = std::function<int(const ViewRequest&)>;

}  // namespace attn::cli
