// Parses scripts of input and plays them step by step, waiting until the program is idle; writes
// the state of the screen.
#include "gui/shell/replay.h"

#include <imgui.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

#include "base/joined.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "base/utf8.h"
#include "document/json/write.h"
#include "document/tensors/tensor_file.h"
#include "gui/platform/imgui_compat.h"
#include "session/log_file.h"

namespace attn::gui {
namespace {

constexpr int kQuietFrames = 3, kDragSteps = 6;
constexpr std::size_t kNamesListed = 60;

// Verbs, and how many parts follow: a name or text, then numbers.
constexpr std::pair<std::string_view, int> kVerbs[] = {
    {"wait", 0},         {"quit", 0},        {"click", 1}, {"shift-click", 1},
    {"double-click", 1}, {"right-click", 1}, {"hover", 1}, {"drag", 3},
    {"wheel", 2},        {"type", 1},        {"key", 1},   {"drop", 1},
    {"screenshot", 1},   {"document", 1},    {"state", 1}, {"frames", 1},
};

Error script_error(const std::string& file, std::size_t line, std::string message) {
  return {.kind = ErrorKind::Usage,
          .message = std::move(message),
          .file = file,
          .line = line,
          .column = 1};
}

// Removes the last word of `text` and parses it as a number.
bool take_number(std::string_view& text, float& number) {
  const std::size_t blank = text.find_last_of(" \t");
  if (blank == std::string_view::npos) return false;
  const Result<float> parsed = parse_number(text.substr(blank + 1));
  if (!parsed) return false;
  number = *parsed;
  text = without_blanks(text.substr(0, blank));
  return true;
}

Result<ReplayStep> parse_step(std::string_view text, const std::string& file, std::size_t line) {
  const std::size_t blank = text.find(' ');
  ReplayStep step;
  step.line = line;
  step.verb = text.substr(0, blank);
  std::string_view rest =
      blank == std::string_view::npos ? "" : without_blanks(text.substr(blank + 1));
  const auto known =
      std::ranges::find_if(kVerbs, [&](const auto& verb) { return verb.first == step.verb; });
  if (known == std::end(kVerbs)) {
    Error error = script_error(file, line, "there is no step called " + step.verb);
    error.expected = joined(kVerbs, ", ", [](const auto& verb) { return verb.first; });
    return error;
  }
  if (known->second > 1 && !take_number(rest, step.dy)) {
    return script_error(file, line, step.verb + " needs a name and numbers after it");
  }
  if (known->second > 2 && !take_number(rest, step.dx)) {
    return script_error(file, line, "drag needs a name and two numbers");
  }
  if (known->second > 0 && rest.empty()) {
    return script_error(file, line, step.verb + " needs something after it");
  }
  step.argument = rest;
  return step;
}

void push_click(InputQueue& input, int times, int button = 0) {
  for (int i = 0; i < times; ++i) {
    input.push(MouseButton{button, true});
    input.push(MouseButton{button, false});
  }
}

void push_drag(InputQueue& input, ImVec2 from, float dx, float dy) {
  input.push(MouseButton{0, true});
  for (int i = 1; i <= kDragSteps; ++i) {
    const float t = static_cast<float>(i) / kDragSteps;
    input.push(MouseMove{from.x + dx * t, from.y + dy * t});
    // Consecutive moves are merged; an event of an unused button separates their frames.
    input.push(MouseButton{4, false});
  }
  input.push(MouseButton{0, false});
}

void push_keys(InputQueue& input, const KeyPress& press) {
  for (const auto& [key, mods] : press.modifiers) input.push(KeyChange{key, true, mods});
  input.push(KeyChange{press.key, true, press.mods});
  if (press.character != 0) input.push(TextInput{press.character});
  input.push(KeyChange{press.key, false, press.mods});
  for (auto held = press.modifiers.rbegin(); held != press.modifiers.rend(); ++held) {
    input.push(KeyChange{held->first, false, 0});
  }
}

Error not_on_screen(const Probe& probe, const std::string& file, const ReplayStep& step) {
  Error error = script_error(file, step.line, "nothing on screen is called " + step.argument);
  std::vector<std::string> names;
  for (const auto& [name, widget] : probe.all()) {
    if (probe.find(name)) names.push_back(name);
  }
  error.expected = joined_first(names, kNamesListed);
  return error;
}

void point_and_act(const ReplayStep& step, InputQueue& input, ImVec2 at) {
  input.push(MouseMove{at.x, at.y});
  // Adds a frame between the arrival of the pointer and the press.
  input.push(MouseButton{4, false});
  if (step.verb == "click") push_click(input, 1);
  if (step.verb == "right-click") push_click(input, 1, 1);
  if (step.verb == "double-click") push_click(input, 2);
  if (step.verb == "drag") push_drag(input, at, step.dx, step.dy);
  if (step.verb == "wheel") input.push(MouseWheel{0.0F, step.dy});
  if (step.verb == "shift-click") {
    input.push(KeyChange{keys::kLeftShift, true, kModShift});
    push_click(input, 1);
    input.push(KeyChange{keys::kLeftShift, false, 0});
  }
}

Json cell_json(const CellHit& cell) {
  return {{"matrix", text_of(cell.matrix)},
          {"stage", stage_info(cell.matrix.stage).name},
          {"layer", cell.matrix.head.layer},
          {"sample", cell.matrix.head.sample},
          {"head", cell.matrix.head.head},
          {"row", cell.row},
          {"col", cell.col}};
}

Json notices_json(const AppState& state) {
  Json notices = Json::array();
  for (const Notice& notice : state.notices) {
    notices.push_back({{"level", name_of(notice.level)}, {"text", notice.text}});
  }
  return notices;
}

Json widgets_json(const Probe& probe) {
  Json widgets = Json::object();
  for (const auto& [name, widget] : probe.all()) {
    if (!probe.find(name)) continue;
    widgets[name] = {{"value", widget.value},
                     {"enabled", widget.enabled},
                     {"rect", {widget.min.x, widget.min.y, widget.max.x, widget.max.y}}};
  }
  return widgets;
}

// State of the interface as JSON: title, stage, head, notices, and every named widget with its
// value.
std::string state_json(const AppState& state, const Probe& probe) {
  Json pins = Json::array();
  for (const CellHit& pin : state.pins) pins.push_back(cell_json(pin));
  const HeadAddress& head = focused_view(state).options.at;
  // Strings may hold arbitrary bytes from file names.
  return json_text({
      {"title", window_title(state)},
      {"unsaved", has_unsaved_changes(state)},
      {"plot", focused_view(state).plot},
      {"stage", stage_info(focused_view(state).options.stage).name},
      {"head", {{"layer", head.layer}, {"sample", head.sample}, {"head", head.head}}},
      {"tool", state.tool == Tool::PaintMask ? "paint" : "inspect"},
      {"revision", state.revision},
      {"result_revision", state.result_revision},
      {"undo_steps", state.history.past.size()},
      {"pins", std::move(pins)},
      {"notices", notices_json(state)},
      {"question", state.question.has_value()},
      {"widgets", widgets_json(probe)},
  });
}

// --- Times and memory of frames

double milliseconds_at(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0.0;
  const double place = std::ceil(share * static_cast<double>(sorted.size())) - 1.0;
  return 1e3 * sorted[static_cast<std::size_t>(std::max(place, 0.0))];
}

// "VmRSS" or "VmHWM"; 0 on systems without this file.
double mebibytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name;) {
    double kibibytes = 0.0;
    if (name == field + ":" && status >> kibibytes) return kibibytes / 1024.0;
  }
  return 0.0;
}

// JSON about the frames that took these seconds: count; median, 99th percentile and maximum in
// milliseconds; current and peak memory in MiB.
std::string frames_json(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  std::string text = "{\"frames\": " + std::to_string(seconds.size());
  const auto add = [&](const char* name, double value) {
    text += std::string(", \"") + name + "\": " + fixed_text(value, 2);
  };
  add("median_ms", milliseconds_at(seconds, 0.5));
  add("most_of_99_ms", milliseconds_at(seconds, 0.99));
  add("worst_ms", milliseconds_at(seconds, 1.0));
  add("memory_mib", mebibytes("VmRSS"));
  add("most_memory_mib", mebibytes("VmHWM"));
  return text + "}\n";
}

}  // namespace

Result<std::vector<ReplayStep>> parse_replay(std::string_view text, const std::string& file) {
  std::vector<ReplayStep> steps;
  std::size_t line = 0;
  while (!text.empty()) {
    const std::string_view content = without_blanks(take_before(text, "\n"));
    ++line;
    if (content.empty() || content.starts_with('#')) continue;
    Result<ReplayStep> step = parse_step(content, file, line);
    if (!step) return step.error();
    steps.push_back(*std::move(step));
  }
  return steps;
}

Status Replay::perform(const ReplayStep& step, const ReplayWorld& world) {
  const auto write = [&](const std::string& text) {
    return write_file_atomically(step.argument, text, world.overwrite);
  };
  if (step.verb.ends_with("click") || step.verb == "drag" || step.verb == "hover" ||
      step.verb == "wheel") {
    const auto widget = world.probe.find(step.argument);
    if (!widget) return not_on_screen(world.probe, file_, step);
    point_and_act(step, world.input, widget->centre());
  } else if (step.verb == "type") {
    for (const char32_t c : code_points(step.argument)) world.input.push(TextInput{c});
  } else if (step.verb == "key") {
    const auto press = key_press(step.argument);
    if (!press) return script_error(file_, step.line, "no key is called " + step.argument);
    push_keys(world.input, *press);
  } else if (step.verb == "drop") {
    world.input.push(FilesDropped{{step.argument}});
  } else if (step.verb == "screenshot") {
    return world.screenshot(step.argument);
  } else if (step.verb == "document") {
    return write(write_document(moved_to(world.app.state().document, folder_of(step.argument))));
  } else if (step.verb == "state") {
    return write(state_json(world.app.state(), world.probe));
  } else if (step.verb == "frames") {
    return write(frames_json(std::exchange(world.frames, {})));
  }
  return ok_status();
}

Result<bool> Replay::advance(const ReplayWorld& world) {
  const bool quiet = world.input.empty() && world.app.is_idle();
  quiet_frames_ = quiet ? quiet_frames_ + 1 : 0;
  if (quiet_frames_ < kQuietFrames) return false;
  quiet_frames_ = 0;
  if (next_ == steps_.size()) return true;
  const ReplayStep& step = steps_[next_++];
  if (step.verb == "quit") return true;
  const Status done = perform(step, world);
  if (!done) return done.error();
  return false;
}

double thread_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace attn::gui
