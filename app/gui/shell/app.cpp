// Application: applies commands, runs their effects and draws one frame.
#include "gui/shell/app.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "base/files.h"
#include "base/mapped_file.h"
#include "document/load/open.h"
#include "document/model_places.h"
#include "document/tensors/tensor_file.h"
#include "gui/platform/imgui_compat.h"
#include "session/command.h"
#include "session/desktop.h"
#include "session/inbox.h"

namespace attn::gui {

App::App(std::function<void()> wake) : state_(initial_state()), wake_(std::move(wake)) {}

void App::open_at_start(const std::vector<std::string>& files, const std::string& arrays,
                        const ModelInput& input) {
  for (const std::string& file : files) {
    apply(command::Open{file, file != files.front(), false, "", arrays, input});
  }
  if (!files.empty()) return apply(command::RestoreTabs{state_.preferences.tabs, "", true});
  if (stores_preferences_ && state_.preferences.reopens && restore_tabs()) return;
  // Synchronously, so that the first frame shows the document.
  if (const auto opened =
          run_effect(effect::Load{first_example()}, nullptr, state_.memory_limit_bytes))
    apply(*opened);
  if (!stores_preferences_) return;  // a script
  const bool is_first = state_.preferences.begins_with_first_steps;
  apply(is_first ? Command(command::BeginFirstSteps{})
                 : Command(command::ShowOverlay{Overlay::Start}));
}

// Returns false when there is nothing to restore.
bool App::restore_tabs() {
  const Preferences& preferences = state_.preferences;
  std::vector<KeptTab> tabs = preferences.tabs;
  if (tabs.empty() && !preferences.last_document.empty()) {
    return is_regular_file(preferences.last_document) &&
           (apply(command::Open{preferences.last_document}), true);
  }
  std::vector<std::string> gone;
  std::erase_if(tabs, [&](const KeptTab& tab) {
    if (is_regular_file(tab.path)) return false;
    gone.push_back(file_name(tab.path));
    return true;
  });
  apply(command::RestoreTabs{tabs, preferences.last_document});
  if (!gone.empty()) {
    apply(command::Notify{Notice::Level::Warning,
                          "Not opened, as the file no longer exists: " + joined(gone), ""});
  }
  return !tabs.empty();
}

void App::start_with(const Preferences& preferences, const std::optional<Preferences>& stored) {
  stores_preferences_ = stored.has_value();
  started_with_ = preferences;
  stored_ = stored.value_or(preferences);
  apply(command::LoadedPreferences{preferences});
}

void App::autosave_below(const std::string& parent, bool offers) {
  if (parent.empty()) {
    autosave_error_ =
        file_error(ErrorKind::CannotWrite, "",
                   "unsaved work is not stored for a next start: no folder is known for it",
                   "set HOME or XDG_STATE_HOME, or choose a folder with --config-dir");
    return;
  }
  Result<RunFolder> folder = RunFolder::make(parent);
  if (!folder) {
    autosave_error_ = folder.error();
    return;
  }
  run_folder_ = *std::move(folder);
  apply(command::SetAutosaveFolder{run_folder_->path});
  if (offers) submit(effect::FindUnsaved{parent});
}

void App::leave_autosaving() {
  for (int tries = 0; tries < 2; ++tries) {
    autosave_jobs_.wait_until_idle();
    take_results();
    apply(command::Autosave{});
  }
  autosave_jobs_.wait_until_idle();
  const auto documents = open_documents(state_);
  const bool has_some = std::ranges::any_of(
      documents, [](const OpenDocument* document) { return has_unsaved_changes(*document); });
  if (!has_some) discard_autosave();
  leave();
}

void App::discard_autosave() {
  autosave_jobs_.wait_until_idle();
  if (run_folder_) run_folder_->remove();
  run_folder_.reset();
}

std::optional<double> App::autosave(double now_seconds) {
  constexpr double kEverySeconds = 0.5;
  // Warns only once there are unsaved changes: opening a document would dismiss an earlier warning.
  if (autosave_error_ && has_unsaved_changes(state_)) {
    receive_awake(
        command::notice_of(Notice::Level::Warning, *std::exchange(autosave_error_, std::nullopt)));
  }
  if (!needs_autosave(state_)) return std::nullopt;
  if (now_seconds >= next_autosave_) {
    next_autosave_ = now_seconds + kEverySeconds;
    apply(command::Autosave{});
  }
  return next_autosave_;
}

std::optional<double> App::check_files(double now_seconds) {
  // A window that is left alone checks less often, and at once when it gets the focus.
  constexpr double kEverySeconds = 2.0, kCalmEverySeconds = 5.0, kCalmAfterSeconds = 10.0;
  if (std::exchange(seen_revision_, state_.revision) != state_.revision) {
    has_number_files_ = has_files_of_numbers(state_.document);
    seen_revision_at_ = now_seconds;
  }
  if (state_.path.empty() && state_.reference_source.path.empty() && !has_number_files_) {
    return std::nullopt;
  }
  const unsigned missing = missing_file_parts();
  const bool is_missing = std::exchange(seen_missing_, missing) != missing;
  if (is_missing) next_file_check_ = std::min(next_file_check_, now_seconds);
  if (now_seconds >= next_file_check_) {
    const bool first = next_file_check_ == 0.0;
    const bool is_calm = now_seconds - seen_revision_at_ > kCalmAfterSeconds;
    next_file_check_ = now_seconds + (is_calm ? kCalmEverySeconds : kEverySeconds);
    if (!first && is_idle()) apply(command::CheckFiles{});
  }
  return next_file_check_;
}

std::optional<double> App::keep_time(double now_seconds) {
  std::optional<double> next = autosave(now_seconds);
  if (const std::optional<double> check = check_files(now_seconds)) {
    next = std::min(next.value_or(*check), *check);
  }
  if (next) *next = std::max(*next - now_seconds, 0.0);
  return next;
}

void App::apply(const Command& command) {
  Step step = reduce(std::move(state_), command);
  state_ = static_cast<AppState&&>(step);
  log_news(command);
  for (const Effect& effect : step.effects) run(effect);
}

void App::log_to(const std::string& path, LogLevel level) {
  log_path_ = path;
  log_level_ = level;
}

// Runs in the queue of autosave, independent of reading and saving.
void App::log(Notice::Level level, const std::string& text, const std::string& details) {
  if (log_path_.empty() || log_failed_ || !is_logged(log_level_, level)) return;
  const std::string entry = log_text(std::time(nullptr), level, text, details);
  const auto job = [this, entry, path = log_path_,
                    token = outstanding_job()](Progress&) -> JobQueue::Outcome {
    if (log_failed_) return {};
    const Status written = append_to_log(path, entry);
    if (!written && !log_failed_.exchange(true)) {
      receive(
          command::notice_of(Notice::Level::Warning, written.error(), "The log is not written: "));
    }
    return {};
  };
  autosave_jobs_.submit("", "Writing the log", job, 0, JobQueue::AtEnd::Finished);
}

void App::log_news(const Command& command) {
  if (log_path_.empty()) return;
  if (const auto* opened = command.get_if<command::Opened>()) {
    if (opened->made) log(Notice::Level::Info, "Opened " + opened->job.path);
  }
  if (const auto* computed = command.get_if<command::Computed>(); computed && !computed->result) {
    const Error& error = computed->result.error();
    log(Notice::Level::Error, describe(error), describe_in_full(error));
  }
  for (const Notice& notice : state_.messages) {
    if (notice.id > logged_notice_) log(notice.level, notice.text, notice.details);
  }
  logged_notice_ = state_.last_notice;
}

void App::store(Preferences preferences) {
  if (!stores_preferences_) return;
  if (preferences.theme == started_with_.theme) preferences.theme = stored_.theme;
  if (preferences.scale == started_with_.scale) preferences.scale = stored_.scale;
  if (preferences.last_document == started_with_.last_document) {
    preferences.last_document = stored_.last_document;
  }
  if (preferences.tabs == started_with_.tabs) preferences.tabs = stored_.tabs;
  if (preferences.window == started_with_.window) preferences.window = stored_.window;
  submit(effect::StorePreferences{std::move(preferences)});
}

void App::run(const Effect& effect) {
  if (const auto* preferences = std::get_if<effect::StorePreferences>(&effect)) {
    return store(preferences->preferences);
  }
  if (const auto* stop = std::get_if<effect::StopDeriving>(&effect)) {
    return jobs_.cancel(facts_of(*stop).job_key);
  }
  if (const auto* shot = std::get_if<effect::TakeScreenshot>(&effect)) {
    if (read_pixels_) {
      picture_ = shot->name;
      frames_to_picture_ = 2;
      return;
    }
  }
  if (is_quick(effect)) {
    const auto result = run_effect(effect, nullptr, state_.memory_limit_bytes);
    if (result) apply(*result);
    return;
  }
  submit(effect);
}

// Decrements when the job is destroyed, even if it was dropped before it ran.
std::shared_ptr<void> App::outstanding_job() {
  ++outstanding_;
  return {nullptr, [this](void*) {
            --outstanding_;
            if (wake_) wake_();
          }};
}

void App::submit(const Effect& effect) {
  const std::shared_ptr<void> token = outstanding_job();
  EffectFacts facts = facts_of(effect);
  const auto job = [this, effect, token,
                    limit = state_.memory_limit_bytes](Progress& progress) -> JobQueue::Outcome {
    std::optional<Command> result = run_effect(effect, &progress, limit);
    if (!result) return {};
    const bool finished = !was_stopped(*result);
    return {finished, [this, result = *std::move(result)] { receive(result); }};
  };
  JobQueue* queues[] = {&jobs_, &saving_, &autosave_jobs_};  // indexed by EffectQueue
  queues[static_cast<std::size_t>(facts.queue)]->submit(
      std::move(facts.job_key), std::move(facts.label), job, priority_of(effect), facts.at_end);
}

// Skips a frame, so that the menu or palette that requested the picture is gone.
void App::take_picture() {
  if (!picture_ || --frames_to_picture_ > 0) return;
  const std::string name = *std::exchange(picture_, std::nullopt);
  const auto job = [this, token = outstanding_job(), folder = pictures_folder(),
                    file = screenshot_name(name, std::time(nullptr)),
                    raster = read_pixels_()](Progress&) -> JobQueue::Outcome {
    const Result<std::string> path = write_screenshot(folder, file, raster);
    if (!path) {
      receive(command::notice_of(Notice::Level::Error, path.error()));
    } else {
      const std::string text = "Wrote a picture of the window to " + *path;
      receive(command::Notify{Notice::Level::Info, text, *path, *path});
    }
    return {};
  };
  // Written independently of reading and computing.
  saving_.submit("", "Writing a picture of the window", job, 0, JobQueue::AtEnd::Finished);
}

// Quick work, such as saving the settings at a start, is not shown.
JobQueue::Status App::noticed_job(double now_seconds) {
  constexpr double kNoticed = 0.4;  // seconds
  JobQueue::Status job = saving_.status();
  if (job.label.empty()) job = jobs_.status();
  if (job.label.empty() || !idle_until_) idle_until_ = now_seconds;
  return now_seconds - *idle_until_ < kNoticed ? JobQueue::Status() : job;
}

void App::take_requests_in(const std::string& inbox) {
  const auto take = [this](const std::string& file) {
    if (auto request = take_request(file)) receive_awake(*std::move(request));
  };
  if (auto watch = FolderWatch::start(inbox, take)) watches_.push_back(std::move(watch));
  inbox_lock_ = lock_shared(inbox);
  std::error_code failed;
  for (const auto& waiting : std::filesystem::directory_iterator(inbox, failed)) {
    take(waiting.path().string());
  }
}

void App::follow(const std::string& path) {
  const bool is_folder = is_model_folder(path);
  const auto read_again = [this, path, is_folder](const std::string& written) {
    if (is_folder || written == path) receive_awake(command::FileWritten{path});
  };
  auto watch = FolderWatch::start(is_folder ? path : folder_of(path), read_again);
  if (watch != nullptr) watches_.push_back(std::move(watch));
}

void App::receive_awake(const Command& command) {
  receive(command);
  if (wake_) wake_();
}

void App::receive(const Command& result) {
  const std::lock_guard lock(inbox_mutex_);
  inbox_.push_back(result);
}

bool App::take_results() {
  std::vector<Command> results;
  {
    const std::lock_guard lock(inbox_mutex_);
    results.swap(inbox_);
  }
  for (const Command& result : results) apply(result);
  return !results.empty();
}

bool App::is_idle() const {
  if (panels_.inspector.memo.is_reading() || start_.thumbnails.is_drawing()) return false;
  const std::lock_guard lock(inbox_mutex_);
  return outstanding_ == 0 && inbox_.empty();
}

void App::wait_until_idle() {
  while (!is_idle()) {
    for (JobQueue* queue : {&autosave_jobs_, &saving_, &jobs_}) queue->wait_until_idle();
    take_results();
  }
}

void App::leave() {
  while (outstanding_ > 0) {
    jobs_.cancel_all();
    for (JobQueue* queue : {&autosave_jobs_, &saving_, &jobs_}) queue->wait_until_idle();
    take_results();
  }
}

void App::shortcuts(Ui& ui, const std::vector<Action>& actions) {
  const bool menu_is_open = is_popup_open();
  ui.closes_menu = menu_is_open && !state_.question && key_pressed(keys::kEscape, false);
  if (ui.closes_menu) ImGui::ClosePopupToLevel(0, true);
  // Esc cancels the drag.
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left) && key_pressed(keys::kEscape, false)) return;
  const Action* action = pressed_action(ui, actions);
  if (action == nullptr) return;
  const bool covered = menu_is_open || ui.focus.in_menus() || is_covered(state_);
  if (covered && !action->over_windows) return;
  if (action->enabled) return action->run(ui);
  if (action->id == "unpin") return;  // Esc often has nothing to close
  ui.send(command::Notify{Notice::Level::Info, "“" + action->label + "” is not possible here", ""});
}

void App::draw(Ui& ui, double now_seconds) {
  const std::vector<Action> actions = all_actions(state_);
  ui.field_gesture = 0;
  ui.focus.begin_frame(ui.plain_keys_taken(), is_covered(state_), to_imgui(ui.colors().accent),
                       ui.px(1.5F));
  if (ui.focus.in_menus()) ui.take_plain_keys();
  // Esc calls off a job that is shown, outside of fields and menus.
  const JobQueue::Status job = noticed_job(now_seconds);
  const bool is_free = !ui.plain_keys_taken() && !is_popup_open() && !is_covered(state_);
  const bool called_off = is_free && !job.label.empty() && key_pressed(keys::kEscape, false);
  if (!called_off) shortcuts(ui, actions);
  ImVec2& pointer = ImGui::GetIO().MousePos;
  const ImVec2 pointed_at = pointer;
  // The pointer is off while a dialog is open, so that nothing below it reacts.
  if (is_covered(state_) || ui.focus.ignores_pointer()) pointer = ImVec2(-FLT_MAX, -FLT_MAX);
  const bool cancelled = main_window(ui, state_, actions, job, panels_) || called_off;
  frame_after_ = notices(ui, state_, panels_, now_seconds);
  pointer = pointed_at;
  if (cancelled) (saving_.status().label.empty() ? jobs_ : saving_).cancel_running();
  export_window(ui, state_, export_);
  file_browser(ui, state_, files_);
  context_menu(ui, actions);
  find_bar(ui, state_, find_, panels_.plots_corner);
  go_to(ui, state_, go_to_);
  structure_window(ui, state_, structure_);
  if (panels_.tokens.sentence_side) {
    sentence_.opened_side = std::exchange(panels_.tokens.sentence_side, std::nullopt);
  }
  sentence_window(ui, state_, sentence_);
  arrays_window(ui, state_, arrays_);
  start_window(ui, state_, start_);
  guide_window(ui, state_, guide_);
  palette(ui, state_, actions, palette_);
  closable_windows(ui, state_, actions, closable_);
  question(ui, state_);
  light_meant_control(ui, state_);
  ui.graphics.simulate_vision(*ImGui::GetForegroundDrawList(), state_.preferences.vision);
}

}  // namespace attn::gui
