// attnscope view: opens the window.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/console.h"
#include "cli/load.h"
#include "document/load/open.h"
#include "document/model_places.h"
#include "session/preferences.h"

namespace attn::cli {
namespace {

constexpr double kSmallestSide = 320.0, kLargestSide = 16384.0;

struct ViewFlags {
  ViewRequest request;
  bool follows = false;
  std::string width, height, scale, theme, log_level;
};

// Sets the value, unless neither the flag nor its variable is given.
template <class T>
Status read_number(const char* name, const std::string& text, double low, double high, T& value) {
  const auto number = number_given(name, text, low, high);
  if (!number) return number.error();
  using Kept = std::conditional_t<std::is_same_v<T, double>, double, int>;
  if (*number) value = static_cast<Kept>(**number);
  return ok_status();
}

// Returns "light, dark, contrast".
std::string window_themes() { return joined(preference_named("theme")->choices); }

Status read_theme(const std::string& text, std::string& theme) {
  const Given given = given_for("--theme", text);
  theme = given.text;
  const bool known = std::ranges::count(preference_named("theme")->choices, theme) > 0;
  if (theme.empty() || known) return ok_status();
  return Error{.kind = ErrorKind::Usage,
               .message = given.name + ": there is no theme of windows named " + given.text,
               .expected = "one of " + window_themes()};
}

Status read_log_level(const std::string& text, LogLevel& level) {
  const Given given = given_for("--log-level", text);
  if (given.text.empty()) return ok_status();
  const auto known = log_level_named(given.text);
  level = known.value_or(level);
  if (known) return ok_status();
  return no_value(given.name + " is not a log level", given.text,
                  "one of " + joined(log_level_names()));
}

// Makes the folder absolute, as the window may change its working folder.
Status read_config_dir(std::string& folder) {
  const Given given = given_for("--config-dir", folder);
  folder = given.text;
  if (folder.empty()) return ok_status();
  std::error_code failed;
  folder = std::filesystem::absolute(folder, failed).string();
  const bool taken =
      std::filesystem::exists(folder, failed) && !std::filesystem::is_directory(folder, failed);
  if (folder.empty() || taken) {
    return usage_error(given.name + " is not a folder: " + given.text, "name a folder");
  }
  return ok_status();
}

Result<ViewRequest> request_of(const ViewFlags& flags) {
  ViewRequest request = flags.request;
  for (const Status& status :
       {read_number("--width", flags.width, kSmallestSide, kLargestSide, request.width),
        read_number("--height", flags.height, kSmallestSide, kLargestSide, request.height),
        read_number("--scale", flags.scale, kSmallestScale, kLargestScale, request.scale),
        read_theme(flags.theme, request.theme), read_log_level(flags.log_level, request.log_level),
        read_config_dir(request.config_dir)}) {
    if (!status) return status.error();
  }
  if (flags.follows) {
    const bool is_one = request.files.size() == 1 && (is_regular_file(request.files.front()) ||
                                                      is_model_folder(request.files.front()));
    if (!is_one) return usage_error("--follow follows one file", "name one file that exists");
    std::error_code failed;
    const auto path = std::filesystem::absolute(request.files.front(), failed);
    request.follow = path.lexically_normal().string();
  }
  if (!request.log_file.empty()) {
    if (const Status log = check_log(request.log_file); !log) return log.error();
  }
  return request;
}

// Reports missing files in the terminal; invalid ones appear in the window, where they can be
// corrected, unless it closes without a user. Streams can only be read once.
Status check_files(const ViewRequest& request, const CommonFlags& flags) {
  for (const std::string& file : request.files) {
    std::error_code failed;
    const auto kind = std::filesystem::status(file, failed).type();
    const bool stream = file == "-" || kind == std::filesystem::file_type::fifo;
    const bool there = kind == std::filesystem::file_type::regular || is_model_folder(file);
    if (stream || (there && request.screenshot.empty())) continue;
    const Result<Reading> report = open_document(file, read_options(flags));
    if (!report) return report.error();
  }
  return ok_status();
}

void tell_what_opens(const ViewRequest& request, Console& console) {
  for (const std::string& file : request.files) console.detail("opening " + spoken_name(file));
  if (!request.config_dir.empty()) {
    console.detail("settings and state for the next start: " + request.config_dir);
  }
  if (!request.log_file.empty()) console.detail("the log: " + request.log_file);
}

Result<int> run(const ViewFlags& flags, Context& context) {
  Result<ViewRequest> request = request_of(flags);
  if (!request) return request.error();
  request->memory_limit_bytes = context.common.memory_limit_bytes;
  request->allows_outside = context.common.allow_outside;
  request->arrays = context.common.arrays;
  request->input = context.common.input;
  if (const Status good = check_files(*request, context.common); !good) return good.error();
  if (!request->screenshot.empty()) {
    const Status free = check_destination({request->screenshot, request->force}, request->files);
    if (!free) return free.error();
  }
  tell_what_opens(*request, context.console);
  int code = exit_code(ErrorKind::NoDisplay);
  if (context.open_window) {
    code = context.open_window(*request);
  } else {
    context.console.error({.kind = ErrorKind::NoDisplay, .message = "this build has no window"});
  }
  if (code == exit_code(ErrorKind::NoDisplay)) {
    const std::string file =
        request->files.empty() ? "example:i-love-cats" : request->files.front();
    context.console.message("to draw a picture without a window: attnscope export " + file +
                            " -o picture.png");
  }
  return code;
}

}  // namespace

Definition define_view(CommonFlags& common) {
  auto flags = std::make_shared<ViewFlags>();
  ViewRequest& request = flags->request;
  const std::span<const std::string_view> levels = log_level_names();
  Flags options{
      {"FILE", "", kFilesHelp, &request.files},
      {"--follow", "", "Read FILE again whenever another program has written it", &flags->follows},
      {"--screenshot", "OUT", "Draw a few frames, write the window's pixels to OUT (PNG) and leave",
       &request.screenshot},
      {"-f,--force", "", "Replace OUT, and files that SCRIPT writes, when they exist",
       &request.force},
      {"--width", "N", "Width of the window in pixels (default 1400 × scale)", &flags->width},
      {"--height", "N", "Height of the window in pixels (default 900 × scale)", &flags->height},
      {"--scale", "X", "Scale of the window (default: that of the display)", &flags->scale},
      {"--theme", "NAME", "Theme of the window: " + window_themes(), &flags->theme, false,
       preference_named("theme")->choices},
      {"--reset-settings", "",
       "Start with the usual theme, sizes, sides and window place; recent files stay",
       &request.reset_settings},
      {"--no-session", "",
       "Start without tabs, panes and window place of the last run, and offer no unsaved work",
       &request.no_session},
      {"--safe-mode", "",
       "Like --no-session, and with the usual settings: none are read or written",
       &request.safe_mode},
      {"--config-dir", "DIR", "Keep settings and state in this folder instead of yours",
       &request.config_dir},
      {"--log-file", "LOG",
       "File of the window's messages, with times (default: log.txt in the folder of the state)",
       &request.log_file},
      {"--log-level",
       "NAME",
       "Messages that the log gets: " + joined(log_level_names()) + " (default info)",
       &flags->log_level,
       false,
       {levels.begin(), levels.end()}}};
  add_shared(options, common, kComputing);
  options.push_back(
      {"--replay", "SCRIPT", "Play a script of input, for documentation", &request.replay});
  add_shared(options, common, kMessages);
  return {std::move(options), [flags](Context& context) { return run(*flags, context); }};
}

}  // namespace attn::cli
