// Application: the state, the runner of its effects, and one frame of everything on screen.
// Independent of a window, so that tests run it headless.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/folder_watch.h"
#include "engine/job_queue.h"
#include "gui/shell/layout.h"
#include "gui/shell/windows/overlays.h"
#include "gui/shell/windows/start_window.h"
#include "session/effect.h"
#include "session/log_file.h"
#include "session/state.h"

namespace attn::gui {

// UI thread only, except for the inbox, which jobs fill.
class App {
 public:
  // `wake` is called from worker threads when a result is available; may be empty.
  explicit App(std::function<void()> wake = {});

  const AppState& state() const { return state_; }

  // Sets the preferences of this run. `stored` are those on disk, which settings overridden for
  // this run do not replace; without them no preferences are written.
  void start_with(const Preferences& preferences, const std::optional<Preferences>& stored);

  // Autosaves the work of this run below `parent`, and if `offers`, offers what killed runs have
  // left there. Nothing is autosaved without this call.
  void autosave_below(const std::string& parent, bool offers = true);

  // Logs messages of at least that level and opened files from now on. Asynchronous; an error is
  // reported once and ends the log.
  void log_to(const std::string& path, LogLevel level);
  // Writes a line to the log only.
  void log(Notice::Level level, const std::string& text, const std::string& details = "");

  // Description of the graphics driver for the about window.
  void describe_graphics(InformationRows graphics) { closable_.graphics = std::move(graphics); }

  // Sets how the last frame is read for pictures of the window; without it none can be taken.
  void read_pixels_with(std::function<Raster()> read) { read_pixels_ = std::move(read); }

  // Deletes the autosaved work of this run.
  void discard_autosave();

  // Opens documents that requests in a folder name (session/inbox.h), also requests from before.
  void take_requests_in(const std::string& inbox);
  // Reads an open document again, as one step of undo, whenever its file was written. A path is
  // absolute.
  void follow(const std::string& path);

  // Opens `files`, files of arrays by the words (document/load/array_reading.h), else the last
  // documents if preferred and present, else the first example.
  void open_at_start(const std::vector<std::string>& files, const std::string& arrays = "",
                     const ModelInput& input = {});

  // Applies a command to the state; quick effects run at once, others on a worker.
  void apply(const Command& command);

  // Applies the results of finished jobs. Returns whether there were any.
  bool take_results();

  // Draws everything, between NewFrame and Render; commands are sent to `ui`. `now_seconds` is any
  // steady clock.
  void draw(Ui& ui, double now_seconds);

  // Autosaves and checks files when it is time to, without drawing: changes arrive as results.
  // Returns the seconds until the next time; nothing if none is planned.
  std::optional<double> keep_time(double now_seconds);

  // Takes the requested picture of the window. Call after a frame is rendered, before its commands
  // are applied.
  void take_picture();

  // True if nothing is being computed, read or written, and no result is pending.
  bool is_idle() const;
  void wait_until_idle();

  // Cancels jobs that only read or compute, such as reading a pipe, and waits until saving is done.
  void leave();

  // Leaves without a question, as on a signal: autosaves unsaved work first.
  void leave_autosaving();

  // Seconds after the last frame after which another one is needed even without events.
  std::optional<double> seconds_until_frame() const { return frame_after_; }

 private:
  bool restore_tabs();  // false: nothing to restore
  void run(const Effect& effect);
  void submit(const Effect& effect);
  // Twice a second while there are changes, and every few seconds, to notice changes by other
  // programs. Return the time of the next one.
  std::optional<double> autosave(double now_seconds);
  std::optional<double> check_files(double now_seconds);
  JobQueue::Status noticed_job(double now_seconds);  // that of the status bar, after a moment
  void receive(const Command& result);               // called on worker threads
  void receive_awake(const Command& command);        // on worker threads; requests a frame
  void store(Preferences preferences);
  void log_news(const Command& command);    // opened documents, and messages
  std::shared_ptr<void> outstanding_job();  // counts in outstanding_ while it exists
  void shortcuts(Ui& ui, const std::vector<Action>& actions);

  AppState state_;
  bool stores_preferences_ = true;
  Preferences started_with_, stored_;
  PanelViews panels_;
  FileBrowserView files_;
  SearchView palette_, go_to_;
  ExportView export_;
  FindView find_;
  ClosableView closable_;
  StructureView structure_;
  SentenceView sentence_;
  ArraysView arrays_;
  StartView start_;
  GuideView guide_;
  std::optional<std::string> picture_;  // name of one to take
  int frames_to_picture_ = 0;
  std::function<Raster()> read_pixels_;
  std::optional<double> frame_after_;
  std::optional<double> idle_until_;
  std::optional<RunFolder> run_folder_;
  std::optional<Error> autosave_error_;  // why there is none, until it is reported
  std::string log_path_;                 // empty: no log
  LogLevel log_level_ = LogLevel::Off;
  std::uint64_t logged_notice_ = 0;  // newest notice in the log
  std::atomic<bool> log_failed_{false};
  double next_autosave_ = 0.0, next_file_check_ = 0.0;
  double seen_revision_at_ = 0.0;    // when the revision below was new
  std::uint64_t seen_revision_ = 0;  // revision that has_number_files_ is about
  bool has_number_files_ = false;
  unsigned seen_missing_ = 0;  // last value of missing_file_parts()
  std::function<void()> wake_;

  mutable std::mutex inbox_mutex_;
  std::vector<Command> inbox_;
  std::atomic<int> outstanding_{0};  // unfinished jobs
  // Last, so that they stop first. Autosave and saving have queues of their own, so that they never
  // wait for a pipe that is read or a disk that does not respond.
  JobQueue autosave_jobs_, saving_, jobs_;
  std::vector<std::unique_ptr<FolderWatch>> watches_;
  Descriptor inbox_lock_;
};

}  // namespace attn::gui
