// The application: the state, what carries out its effects, and one frame of everything on screen.
// Knows no window, so tests run it on frames without one.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/job_queue.h"
#include "gui/platform/graphics.h"
#include "gui/shell/layout.h"
#include "gui/shell/windows/export_window.h"
#include "gui/shell/windows/overlays.h"
#include "gui/shell/windows/start_window.h"
#include "gui/shell/windows/structure_window.h"
#include "session/command.h"
#include "session/effect.h"
#include "session/log_file.h"
#include "session/state.h"

namespace attn::gui {

// UI thread only, but for the inbox, which jobs fill.
class App {
 public:
  // `wake` is called from the worker when a result waits; it may be empty.
  explicit App(std::function<void()> wake = {});

  const AppState& state() const { return state_; }

  // Preferences of this run. `kept` are those on disk: what the run alone overrides is not written
  // over them; without them nothing is written.
  void start_with(const Preferences& preferences, const std::optional<Preferences>& kept);

  // Keeps unsaved work of this run below `parent`, and offers, if wanted, what runs that were
  // killed have left there. Without it nothing is kept.
  void keep_work_below(const std::string& parent, bool offers = true);

  // Writes what is said from now on to the file, as far as the level goes, with what is opened.
  // No frame waits for it; where it fails, that is said once and no more is written.
  void log_to(const std::string& path, LogLevel level);
  // A line of the log alone.
  void log(Notice::Level level, const std::string& text, const std::string& details = "");

  // What opening, computing and deriving may take. Before anything is opened.
  void limit_memory(std::uint64_t bytes) { apply(command::LimitMemory{bytes}); }

  // What the window about the program says of what draws it.
  void describe_graphics(GraphicsDescription graphics) { graphics_ = std::move(graphics); }

  // How the last frame is read for a picture of the window; without it there are none.
  void read_pixels_with(std::function<Raster()> read) { read_pixels_ = std::move(read); }

  // Waits until unsaved work is kept as it is now.
  void keep_work_now();

  // Nothing of this run is to be offered to the next.
  void forget_work();

  // Opens what was asked for, else what was looked at last where that is still there and wanted,
  // else the first example.
  void open_at_start(const std::vector<std::string>& files);

  // Opens the files that were dropped on the window, each in its tab.
  void drop(const std::vector<std::string>& paths);

  // The next state; quick effects run at once, others on the worker.
  void apply(const Command& command);

  // Applies the results that jobs have left. True when there were any.
  bool take_results();

  // Everything on screen, between NewFrame and Render; commands go to `ui`. `now_seconds` is any
  // steady clock.
  void draw(Ui& ui, double now_seconds);

  // After a frame is rendered, before its commands are applied: takes the picture that was asked
  // for, of what is on the screen.
  void take_picture();

  // Nothing is being computed, read or written, and no result waits.
  bool is_idle() const;
  void wait_until_idle();

  // Calls off what would only be looked at, such as reading a pipe that nobody writes to, and waits
  // until what is to be kept is written.
  void leave();

  // After how many seconds a frame is needed although nothing happens.
  std::optional<double> seconds_until_wake() const { return wake_after_; }

 private:
  bool restore_tabs();  // false: there are none
  void run(const Effect& effect);
  void submit(const Effect& effect);
  void keep_work(double now_seconds);  // twice a second while it is edited
  void say_that_nothing_is_kept();
  void look_at_files(double now_seconds);  // every few seconds, as others may have written them
  void wake_at(double seconds, double now_seconds);
  JobQueue::Status job_status() const;  // of what one waits for
  void receive(const Command& result);  // from a worker's thread
  void store(Preferences preferences);
  void log_news(const Command& command);    // what it opened, and what was said of it
  std::shared_ptr<void> outstanding_job();  // one of outstanding_ until it is gone
  bool close_menus() const;                 // on Esc; true while one is open
  void shortcuts(Ui& ui, const std::vector<Action>& actions);
  void take_screenshot(const std::string& name);
  void cancel_shown_job();

  AppState state_;
  bool stores_preferences_ = true;
  Preferences started_with_, kept_;
  PanelViews panels_;
  FileBrowserView files_;
  PaletteView palette_;
  ExportView export_;
  FindView find_;
  GoToView go_to_;
  SettingsView settings_;
  StructureView structure_;
  SentenceView sentence_;
  StartView start_;
  ShortcutsView shortcuts_;
  GuideView guide_;
  GraphicsDescription graphics_;
  struct PictureToTake {
    std::string name;
    int frames = 2;  // until it is taken
  };
  std::optional<PictureToTake> picture_;
  std::function<Raster()> read_pixels_;
  std::optional<double> wake_after_;
  std::optional<RunFolder> run_folder_;
  std::optional<Error> cannot_keep_;  // why there is none, until that was said
  std::string log_path_;              // empty: there is no log
  LogLevel log_level_ = LogLevel::Off;
  std::uint64_t logged_notice_ = 0;  // the newest one in the log
  std::atomic<bool> log_failed_{false};
  double next_keeping_ = 0.0, next_look_ = 0.0;
  std::uint64_t seen_revision_ = 0;  // of the document that takes numbers from files or does not
  bool takes_numbers_ = false;
  unsigned seen_missing_ = 0;  // of missing_file_parts()
  std::function<void()> wake_;

  mutable std::mutex inbox_mutex_;
  std::vector<Command> inbox_;
  std::atomic<int> outstanding_{0};  // jobs not done with
  // Last, so that they stop before the rest goes. Keeping unsaved work and saving wait for nothing
  // else, such as a pipe that is read or a disk that does not answer.
  JobQueue keeping_, saving_, jobs_;
};

}  // namespace attn::gui
