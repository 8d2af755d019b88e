// attnscope view: the window.
#include <filesystem>
#include <memory>

#include "cli/flags.h"
#include "cli/subcommand.h"
#include "document/open.h"
#include "figure/theme.h"

namespace attn::cli {
namespace {

constexpr double kSmallestSide = 320.0;
constexpr double kLargestSide = 16384.0;
constexpr double kSmallestScale = 0.5;
constexpr double kLargestScale = 4.0;

struct ViewFlags {
  ViewRequest request;
  std::string width, height, scale;
  CommonFlags common;
};

// Left as it is when the flag is not given.
template <class T>
Status read_number(const char* name, const std::string& text, double low, double high, T& value) {
  if (text.empty()) return ok_status();
  const Result<double> number = parse_flag_number(name, text, low, high);
  if (!number) return number.error();
  if constexpr (std::is_same_v<T, double>) {
    value = *number;
  } else {
    value = static_cast<int>(*number);
  }
  return ok_status();
}

// "light, dark, contrast"
std::string window_themes() {
  std::string names;
  for (const ThemeInfo& theme : all_themes()) {
    if (theme.of_windows) names += (names.empty() ? "" : ", ") + std::string(theme.name);
  }
  return names;
}

Result<ViewRequest> request_of(const ViewFlags& flags) {
  ViewRequest request = flags.request;
  for (const Status& status :
       {read_number("--width", flags.width, kSmallestSide, kLargestSide, request.width),
        read_number("--height", flags.height, kSmallestSide, kLargestSide, request.height),
        read_number("--scale", flags.scale, kSmallestScale, kLargestScale, request.scale)}) {
    if (!status) return status.error();
  }
  const auto theme = theme_named(request.theme);
  if (!request.theme.empty() && !(theme && theme_info(*theme).of_windows)) {
    Error error = usage_error("there is no theme of windows named " + request.theme);
    error.expected = "one of " + window_themes();
    return error;
  }
  return request;
}

// A missing file is better said in the terminal than in a window; one that is there but wrong is
// shown where it can be put right, except when nobody will be looking. A stream is read but once.
Status check_files(const ViewRequest& request) {
  for (const std::string& file : request.files) {
    std::error_code failed;
    const auto kind = std::filesystem::status(file, failed).type();
    const bool stream = file == "-" || kind == std::filesystem::file_type::fifo;
    const bool there = kind == std::filesystem::file_type::regular;
    if (stream || (there && request.screenshot.empty())) continue;
    if (const Result<ReadReport> report = open_document(file); !report) return report.error();
  }
  return ok_status();
}

Error no_window() {
  Error error;
  error.kind = ErrorKind::NoDisplay;
  error.message = "this build has no window";
  return error;
}

Result<int> run(const ViewFlags& flags, Context& context) {
  context.console.set_quiet(flags.common.quiet);
  const Result<ViewRequest> request = request_of(flags);
  if (!request) return request.error();
  if (const Status good = check_files(*request); !good) return good.error();
  if (!request->screenshot.empty()) {
    const Status free = check_destination({request->screenshot, request->force}, request->files);
    if (!free) return free.error();
  }
  int code = exit_code(ErrorKind::NoDisplay);
  if (context.open_window) {
    code = context.open_window(*request);
  } else {
    context.console.error(no_window());
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

Action define_view(CLI::App& parser) {
  auto flags = std::make_shared<ViewFlags>();
  ViewRequest& request = flags->request;
  add_texts(parser, {"FILE", "Documents: paths, example:NAME, or - for standard input"},
            request.files);
  add_text(parser,
           {"--screenshot", "Draw a few frames, write the window's pixels to OUT (PNG) and leave",
            "OUT"},
           request.screenshot);
  add_switch(parser, "-f,--force", "Replace OUT when it exists", request.force);
  add_text(parser, {"--width", "Width of the window in pixels (default 1400 × scale)", "N"},
           flags->width);
  add_text(parser, {"--height", "Height of the window in pixels (default 900 × scale)", "N"},
           flags->height);
  add_text(parser, {"--scale", "Size of everything (default: as the display says)", "X"},
           flags->scale);
  add_text(parser, {"--theme", "one of " + window_themes(), "NAME"}, request.theme);
  add_switch(parser, "--reset-settings",
             "Start with the usual theme, sizes, sides and window place; recent files stay",
             request.reset_settings);
  add_text(parser, {"--replay", "Play a script of input, for documentation", "SCRIPT"},
           request.replay);
  add_quiet(parser, flags->common);
  return [flags](Context& context) { return run(*flags, context); };
}

}  // namespace attn::cli
