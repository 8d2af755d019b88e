// Event loop: waits for input or jobs, draws a frame, and sleeps while nothing changes.
#include "gui/shell/run.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "base/files.h"
#include "base/utf8.h"
#include "export/export.h"
#include "gui/platform/fonts.h"
#include "gui/platform/window.h"
#include "gui/shell/app.h"
#include "gui/shell/glyph_needs.h"
#include "gui/shell/replay.h"
#include "gui/ui/style.h"
#include "session/build_information.h"
#include "session/command.h"
#include "session/desktop.h"
#include "session/effect.h"
#include "session/inbox.h"
#include "session/preferences.h"

namespace attn::gui {
namespace {

constexpr int kFramesAfterEvent = 3;  // until hover, layout and scrolling settle
constexpr double kProgressSeconds = 0.1;
constexpr double kLongWait = 3600.0;
constexpr std::uint64_t kScriptLimitBytes = 1 << 20;

template <class Work>
double timed(const Work& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

int report(const Error& error) {
  std::fprintf(stderr, "attnscope: %s\n", printable_line(describe(error)).c_str());
  return exit_code(error.kind);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Status write_screenshot(const Window& window, const std::string& path, Overwrite overwrite) {
  const Result<std::string> png = encode_png(window.read_pixels());
  if (!png) return png.error();
  return write_file_atomically(path, *png, overwrite);
}

bool is_without_session(const cli::ViewRequest& request) {
  return request.no_session || request.safe_mode;
}

// Screenshots and scripts leave no session to restore.
bool is_scripted(const cli::ViewRequest& request) {
  return !request.screenshot.empty() || !request.replay.empty();
}

Preferences stored_preferences(const cli::ViewRequest& request) {
  if (request.safe_mode) return {};
  Preferences stored = load_preferences();
  if (!request.reset_settings) return stored;
  Preferences usual;
  usual.recent_files = std::move(stored.recent_files);
  return usual;
}

// Command line options apply to this run and are not stored.
Preferences start_preferences(Preferences preferences, const cli::ViewRequest& request) {
  if (request.scale > 0.0) preferences.scale = request.scale;
  if (request.theme == kDesktopTheme) preferences.theme.reset();
  if (const auto theme = theme_named(request.theme)) preferences.theme = theme;
  if (is_without_session(request)) {
    preferences.last_document.clear();
    preferences.tabs.clear();
    preferences.window = {};
  }
  return preferences;
}

std::string log_path(const cli::ViewRequest& request) {
  if (request.log_level == LogLevel::Off) return {};
  if (!request.log_file.empty() || is_scripted(request)) return request.log_file;
  return usual_log_path();
}

// The screenshot follows the script.
Result<std::optional<Replay>> load_script(const cli::ViewRequest& request) {
  if (!is_scripted(request)) return std::optional<Replay>();
  std::vector<ReplayStep> steps;
  if (!request.replay.empty()) {
    const Result<std::string> text = read_file(request.replay, kScriptLimitBytes);
    if (!text) return text.error();
    Result<std::vector<ReplayStep>> parsed = parse_replay(*text, request.replay);
    if (!parsed) return parsed.error();
    steps = *std::move(parsed);
  }
  if (!request.screenshot.empty()) {
    steps.erase(std::ranges::find(steps, "quit", &ReplayStep::verb), steps.end());
    steps.push_back({.verb = "screenshot", .argument = request.screenshot});
  }
  return std::optional(Replay(std::move(steps), request.replay));
}

// Objects with the lifetime of the window.
class Session {
 public:
  Session(Window& window, const cli::ViewRequest& request, std::optional<Replay> replay,
          const EndRequests& end)
      : window_(window),
        end_(end),
        request_(request),
        replay_(std::move(replay)),
        app_(Window::wake),
        labels_(window.graphics()),
        ui_{window.graphics(), labels_, {}, ThemeKind::Dark, 0.0F, nullptr, {}} {
    ImGui::GetIO().ConfigInputTextCursorBlink = false;
    const Preferences stored = stored_preferences(request);
    const bool watched = is_scripted(request);
    const bool stores = !watched && !request.safe_mode;
    app_.log_to(log_path(request), request.log_level);
    app_.log(Notice::Level::Info, "AttnScope " + std::string(program_version()) + " started");
    app_.apply(command::LimitMemory{request.memory_limit_bytes});
    app_.apply(command::AllowOutside{request.allows_outside});
    app_.apply(command::AskWhereAmbiguous{request.screenshot.empty()});
    app_.describe_graphics(window.graphics_description());
    app_.read_pixels_with([&window] { return window.read_pixels(); });
    const Status own = stores ? check_preferences() : ok_status();
    app_.start_with(start_preferences(stored, request),
                    stores && own ? std::optional(stored) : std::nullopt);
    if (!own) {
      app_.apply(
          command::notice_of(Notice::Level::Warning, own.error(), "Settings are not saved: "));
    }
    if (!watched) app_.autosave_below(unsaved_work_folder(), !is_without_session(request));
    app_.apply(command::UsePictureHelper{find_picture_helper()});
    app_.apply(command::AskTheme{});
    app_.apply(command::SetPlotSpace{first_plot_space()});
    app_.open_at_start(request.files, request.arrays, request.input);
    if (!watched) app_.take_requests_in(inbox_folder());
    if (!request.follow.empty()) app_.follow(request.follow);
  }

  int run() {
    while (!app_.state().quitting && end_.signal() == 0) {
      wait_for_events();
      adapt_look();
      if (frames_left_ <= 0 && !replay_) continue;
      draw_frame();
      if (const auto code = play_script()) return leave(*code);
    }
    store_window_place();
    if (end_.signal() == 0) return leave(0);
    app_.log(Notice::Level::Info, "Ended by signal " + std::to_string(end_.signal()));
    app_.leave_autosaving();  // a question would remain open: keeps unsaved work for the next start
    return kSignalled + end_.signal();
  }

 private:
  // Approximate space of the first frame, as documents are laid out before it.
  PaneSize first_plot_space() const {
    constexpr double kBars = 100.0;  // menus, stages, status line and padding
    const Preferences& own = app_.state().preferences;
    const double scale = own.scale > 0.0 ? own.scale : window_.content_scale();
    const auto width = static_cast<float>(window_.place().width / scale);
    return {static_cast<double>(columns_of(own.sides, width).middle),
            window_.place().height / scale - kBars};
  }

  int leave(int code) {
    app_.log(Notice::Level::Info, "Ended");
    app_.leave();
    app_.discard_autosave();
    return code;
  }

  // A maximised window keeps its previous normal size.
  void store_window_place() {
    if (is_without_session(request_)) return;
    app_.apply(command::KeepTabs{});
    WindowPlace place = window_.place();
    const bool maximised = place.maximised;
    if (maximised) place = app_.state().preferences.window;
    place.maximised = maximised && place.width > 0;
    app_.apply(command::SetWindowPlace{place});
  }

  // Stored when they change, so that a killed run restores them too.
  void keep_tabs() {
    const std::vector<std::string>& open = app_.state().recovery.listed;
    if (is_without_session(request_) || open == listed_) return;
    listed_ = open;
    app_.apply(command::KeepTabs{});
  }

  // Frames follow input, results and the time that the last frame set. While jobs run, there are
  // some for their progress, and a last one; quick checks of files need none.
  void wait_for_events() {
    const bool wait = frames_left_ <= 0 && window_.input().empty() && !replay_;
    const double now = seconds_now();
    const double timer = now + app_.keep_time(now).value_or(kLongWait);
    progress_due_ =
        app_.is_idle() ? now + kLongWait : std::min(progress_due_, now + kProgressSeconds);
    window_.collect_events(wait, std::min({timer, frame_due_, progress_due_}) - now);
    const bool has_results = app_.take_results(), is_idle = app_.is_idle();
    const double due = is_idle ? frame_due_ : std::min(frame_due_, progress_due_);
    const bool is_due = seconds_now() >= due || (is_idle && shows_progress_);
    if (has_results || is_due || !window_.input().empty() || window_.wants_frame()) {
      frames_left_ = kFramesAfterEvent;
    }
    if (window_.take_close_request()) app_.apply(command::Quit{});
    if (window_.take_focus_gain()) {
      app_.apply(command::CheckFiles{});
      app_.apply(command::AskTheme{});
    }
  }

  // Growth of the interface around a full-screen plot, which an audience reads from afar; in few
  // steps, as each loads fonts.
  double growth(double scale) {
    constexpr double kWidth = 1280.0;  // units
    return std::clamp(std::round(4.0 * window_.place().width / scale / kWidth) / 4.0, 1.25, 2.0);
  }

  // Reloads fonts and colours when preferences or display change.
  void adapt_look() {
    const Preferences& preferences = app_.state().preferences;
    window_.fill_screen(app_.state().plot_alone);
    const bool moved = window_.take_scale_change();
    const double usual = preferences.scale > 0.0 ? preferences.scale : window_.content_scale();
    const auto scale = static_cast<float>(usual * (app_.state().plot_alone ? growth(usual) : 1.0));
    const bool rescaled = scale != ui_.scale || moved;
    const bool new_glyphs = glyphs_.add_state(app_.state());
    if (rescaled || new_glyphs) {
      ui_.scale = scale;
      ui_.fonts = load_fonts(*ImGui::GetIO().Fonts, scale, glyphs_.text());
      window_.rebuild_fonts_texture();
    }
    const ThemeKind theme = preferences.theme.value_or(app_.state().desktop_theme);
    if (!rescaled && ui_.theme == theme) return;
    ui_.theme = theme;
    apply_style(ui_.theme, ui_.scale);
    frames_left_ = kFramesAfterEvent;
  }

  void draw_frame() {
    ui_.redraw_seconds = kLongWait;
    const bool lights = app_.state().first_step != FirstStep::None;
    ui_.probe = replay_ || lights ? &probe_ : nullptr;
    double seconds = 0.0;  // processor time, without rendering
    window_.frame([&] { seconds += timed([this] { app_.draw(ui_, seconds_now()); }); });
    labels_.end_frame();
    app_.take_picture();
    for (const std::string& path : window_.take_dropped_files()) app_.apply(command::Open{path});
    const std::vector<Command> commands = std::exchange(ui_.commands, {});
    seconds += timed([&] {
      for (const Command& command : commands) app_.apply(command);
    });
    if (replay_) frame_seconds_.push_back(seconds);
    keep_tabs();
    frames_left_ = commands.empty() ? frames_left_ - 1 : kFramesAfterEvent;
    const std::string title = window_title(app_.state());
    if (title != title_) window_.set_title(printable_line(title));
    title_ = title;
    shows_progress_ = !app_.is_idle();
    progress_due_ = seconds_now() + kLongWait;
    frame_due_ = seconds_now() +
                 std::min(app_.seconds_until_frame().value_or(kLongWait), ui_.redraw_seconds);
  }

  std::optional<int> play_script() {
    if (!replay_) return std::nullopt;
    const auto screenshot = [this](const std::string& path) {
      return write_screenshot(window_, path, overwrite_if(request_.force));
    };
    const Result<bool> ended = replay_->advance(
        {app_, window_.input(), probe_, screenshot, frame_seconds_, overwrite_if(request_.force)});
    if (!ended) {
      const int code = report(ended.error());
      return ended.error().kind == ErrorKind::CannotWrite ? code : 1;
    }
    return *ended ? std::optional(0) : std::nullopt;
  }

  Window& window_;
  const EndRequests& end_;
  const cli::ViewRequest& request_;
  std::optional<Replay> replay_;
  Probe probe_;
  App app_;
  LabelCache labels_;
  Ui ui_;
  GlyphNeeds glyphs_;
  std::vector<double> frame_seconds_;
  std::string title_;
  std::vector<std::string> listed_;  // files open in the last frame
  int frames_left_ = kFramesAfterEvent;
  double frame_due_ = 0.0, progress_due_ = 0.0;
  bool shows_progress_ = false;  // in the last frame
};

}  // namespace

int run_window(const cli::ViewRequest& request) {
  // The folders are looked up by this variable; no thread runs yet.
  if (!request.config_dir.empty()) ::setenv("ATTNSCOPE_CONFIG_DIR", request.config_dir.c_str(), 1);
  Result<std::optional<Replay>> replay = load_script(request);
  if (!replay) return report(replay.error());
  const EndRequests end(Window::wake);  // before any thread, so that none receives the signals
  WindowOptions options;
  options.width = request.width.value_or(options.width);
  options.height = request.height.value_or(options.height);
  // The default size scales with the interface; a given size does not.
  if (!request.width && !request.height) {
    options.fits_screen = true;
    const Preferences stored = stored_preferences(request);
    options.scale = request.scale > 0.0 ? request.scale : stored.scale;
    const WindowPlace& last = stored.window;
    if (last.width > 0 && !is_scripted(request) && !is_without_session(request)) {
      options.place = last;
    }
  }
  Result<std::unique_ptr<Window>> window = Window::open(options);
  if (!window) return report(window.error());
  return Session(**window, request, *std::move(replay), end).run();
}

}  // namespace attn::gui
