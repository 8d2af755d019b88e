// Options of the command line for the window.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/log_file.h"

namespace attn::cli {

// Startup options of the window.
struct ViewRequest {
  std::vector<std::string> files;
  std::string screenshot;  // write a picture of the window here and quit; empty: stay open
  std::string replay;      // script of input to replay, for documentation and tests; empty: none
  std::optional<int> width, height;  // in pixels; nothing: by the scale
  double scale = 0.0;                // of the interface; 0: taken from the display
  std::string theme;                 // of the window, or empty
  bool force = false;                // overwrite the screenshot and files that the script writes
  bool reset_settings = false;       // start with default settings
  bool safe_mode = false;            // neither read nor write settings; implies no_session
  bool no_session = false;           // start without the last tabs, and offer no unsaved work
  std::string config_dir;            // absolute; empty: default folders
  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes;
  bool allows_outside = false;  // references may leave their document's folder
  std::string log_file;         // empty: default; none with a screenshot or script
  LogLevel log_level = LogLevel::Info;
};

// Opens the window and returns the exit code. Empty in builds without a window.
using OpenWindow = std::function<int(const ViewRequest&)>;

}  // namespace attn::cli
