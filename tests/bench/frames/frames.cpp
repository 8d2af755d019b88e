// CPU time of frames of the window at several lengths: while a map is panned, zoomed and hovered,
// while a cell is dragged, and with many heads. Prints a table.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/random.h"
#include "frame_loop.h"
#include "session/command.h"

namespace attn::gui {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFrames = 400;
constexpr std::chrono::microseconds kFrameTime(16'667);
constexpr double kTimeout = 20.0;  // seconds for what jobs do at most

// Milliseconds of the thread.
struct Times {
  double median = 0.0, most_of_99 = 0.0, worst = 0.0;
};

Times times_of(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  const auto at = [&](double share) {
    const double place = std::ceil(share * static_cast<double>(seconds.size())) - 1.0;
    return 1e3 * seconds[static_cast<std::size_t>(std::max(place, 0.0))];
  };
  return {at(0.5), at(0.99), at(1.0)};
}

// Draws as many frames as a display shows in that time; jobs run between them.
Times measure(FrameLoop& loop, const std::function<void(std::size_t)>& before_frame) {
  std::vector<double> seconds;
  auto next = Clock::now();
  for (std::size_t i = 0; i < kFrames; ++i) {
    before_frame(i);
    seconds.push_back(loop.frame());
    std::this_thread::sleep_until(next += kFrameTime);
    next = std::max(next, Clock::now() - kFrameTime);
  }
  return times_of(std::move(seconds));
}

// Pans in circles, never along the same path.
ImVec2 place_of(ImVec2 centre, std::size_t frame, float radius) {
  const auto t = static_cast<float>(frame);
  return {centre.x + radius * std::sin(t * 0.05F), centre.y + radius * std::sin(t * 0.037F)};
}

void move_to(FrameLoop& loop, ImVec2 at) { loop.push(MouseMove{at.x, at.y}); }

constexpr float kRadius = 250.0F;  // pixels, inside the map

Times hover(FrameLoop& loop, ImVec2 centre) {
  return measure(loop, [&](std::size_t i) { move_to(loop, place_of(centre, i, kRadius)); });
}

// Zooms in for half a second, out for half a second, around another point each time.
Times zoom(FrameLoop& loop, ImVec2 centre) {
  return measure(loop, [&](std::size_t i) {
    if (i % 60 == 0) move_to(loop, place_of(centre, i, kRadius));
    if (i % 3 == 0) loop.push(MouseWheel{0.0F, i % 60 < 30 ? 1.0F : -1.0F});
  });
}

Times pan(FrameLoop& loop, ImVec2 centre) {
  move_to(loop, centre);
  for (int notch = 0; notch < 6; ++notch) loop.push(MouseWheel{0.0F, 1.0F});
  loop.settle(kTimeout);
  loop.push(MouseButton{0, true});
  loop.frame();
  const Times times =
      measure(loop, [&](std::size_t i) { move_to(loop, place_of(centre, i, kRadius)); });
  loop.push(MouseButton{0, false});
  loop.frame();
  return times;
}

// A cell of Q is pulled to and fro: a new value in nearly every frame.
Times drag_cell(FrameLoop& loop) {
  const ImVec2 cell = loop.centre_of("inputs/grid/cell/3,2");
  move_to(loop, cell);
  loop.frame();
  loop.push(MouseButton{0, true});
  const Times times =
      measure(loop, [&](std::size_t i) { move_to(loop, place_of(cell, i + 1, 200.0F)); });
  loop.push(MouseButton{0, false});
  loop.frame();
  return times;
}

Tensor random_numbers(Shape shape, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(element_count(shape));
  for (float& value : values) value = random.normal();
  return Tensor(std::move(shape), std::move(values));
}

void show(FrameLoop& loop, Document document) {
  Reading report;
  report.document = std::move(document);
  loop.app().apply(command::Opened{{"measured.attn.json"}, std::move(report)});
  loop.settle(kTimeout);
}

Document given_qkv(std::size_t heads, std::size_t tokens, std::size_t width) {
  const Shape shape = {1, heads, tokens, width};
  Document document;
  document.query_tokens = {TokenList::counted(tokens)};
  document.model =
      GivenQkv{random_numbers(shape, 1), random_numbers(shape, 2), random_numbers(shape, 3)};
  document.mask.causal = true;
  return document;
}

void print_row(const std::string& what, const Times& times, const std::string& verdict) {
  std::printf("%-44s %8.2f %8.2f %8.2f   %s\n", what.c_str(), times.median, times.most_of_99,
              times.worst, verdict.c_str());
  std::fflush(stdout);
}

std::string text_of(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

const char* holds(bool yes) { return yes ? "holds" : "DOES NOT HOLD"; }

// Rows to measure; all when it is empty.
std::string only;  // NOLINT(cert-err58-cpp)

bool is_wanted(const std::string& row) { return row.find(only) != std::string::npos; }

using Gesture = Times (*)(FrameLoop&, ImVec2);
constexpr std::pair<const char*, Gesture> kGestures[] = {
    {"hover", hover}, {"zoom", zoom}, {"pan", pan}};
constexpr std::size_t kFew = 30;
constexpr std::size_t kLengths[] = {kFew, 512, 4096, 131072};

Times look_around(Gesture gesture, std::size_t tokens) {
  FrameLoop loop;
  show(loop, given_qkv(1, tokens, 64));
  return gesture(loop, loop.centre_of("plot/heatmap"));
}

// Ratio to the same gesture with few tokens.
std::string compared(const Times& times, const Times& few) {
  if (few.most_of_99 == 0.0) return "";
  const double share = times.most_of_99 / few.most_of_99;
  return text_of("%.2f x that of 30, at most 1.25: ", share) + holds(share <= 1.25);
}

void look_around_all() {
  for (const auto& [name, gesture] : kGestures) {
    Times few;
    for (const std::size_t tokens : kLengths) {
      const std::string row = std::string(name) + ", " + std::to_string(tokens) + " tokens";
      if (!is_wanted(row)) continue;
      const Times times = look_around(gesture, tokens);
      print_row(row, times, compared(times, few));
      if (tokens == kFew) few = times;
    }
  }
}

void drag_cells() {
  for (const auto& [tokens, most] : {std::pair<std::size_t, double>{512, 16.0}, {4096, 33.0}}) {
    const std::string row = "drag of a cell of Q, 12 heads, " + std::to_string(tokens) + " tokens";
    if (!is_wanted(row)) continue;
    FrameLoop loop;
    show(loop, given_qkv(12, tokens, 64));
    const Times times = drag_cell(loop);
    print_row(row, times,
              text_of("99 of 100 under %.0f ms: ", most) + holds(times.most_of_99 < most));
  }
}

// ---- Many heads, from a file.

void append_numbers(std::string& out, const MatrixView& matrix) {
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    out += r == 0 ? "[[" : ",\n[";
    for (std::size_t c = 0; c < matrix.cols; ++c) {
      if (c > 0) out += ',';
      out += shortest_text(matrix.at(r, c));
    }
    out += ']';
  }
  out += ']';
}

std::string heads_text(const Tensor& numbers) {
  std::string out = "[";
  for (std::size_t head = 0; head < numbers.extent(0); ++head) {
    if (head > 0) out += ",\n";
    append_numbers(out, matrix_at(numbers, head));
  }
  return out + "]";
}

struct TextFile {
  explicit TextFile(const std::string& text)
      : path(std::filesystem::temp_directory_path() /
             ("attnscope_frames_" + std::to_string(::getpid()) + ".attn.json")) {
    std::ofstream(path) << text;
  }
  ~TextFile() { std::filesystem::remove(path); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  std::filesystem::path path;
};

// 12 × 12 heads of 256 tokens, as numbers with as many digits as a float has.
std::string many_heads() {
  std::string text = "{\"tokens\": 256, \"view\": {\"plot\": \"heads\"}";
  for (const auto& [key, seed] : {std::pair{"q", 1}, {"k", 2}, {"v", 3}}) {
    text += std::string(",\n\"") + key +
            "\": " + heads_text(random_numbers({144, 256, 64}, static_cast<std::uint64_t>(seed)));
  }
  return text + "}\n";
}

void open_many_heads() {
  const TextFile file(many_heads());
  FrameLoop loop;
  const auto start = Clock::now();
  loop.app().open_at_start({file.path.string()});
  loop.settle(60.0);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::printf("%-44s %8.0f ms   from %.0f MB of JSON, under a second: %s\n",
              "144 heads of 256 tokens, file to picture", seconds * 1e3,
              static_cast<double>(std::filesystem::file_size(file.path)) / 1e6,
              holds(seconds < 1.0));
  const Times times = hover(loop, loop.centre_of("plot/heads"));
  print_row("144 heads of 256 tokens, hover", times,
            "99 of 100 under 16 ms: " + std::string(holds(times.most_of_99 < 16.0)));
}

// ---- Plots of one cell or token, and a lesson: how they open, and how the flow plays.

std::string under_four(const Times& times) {
  return "each under 4 ms: " + std::string(holds(times.worst < 4.0));
}

// Opens the plot for another cell each time, starting with its choice.
Times open_often(FrameLoop& loop, const std::string& plot, std::size_t tokens) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < kFrames / 20; ++i) {
    loop.app().apply(command::SelectPlot{"heatmap"});
    loop.app().apply(command::Pin{{{Stage::Weights, {}}, tokens - 1 - i % 3, i % 3}});
    loop.settle(kTimeout);
    loop.app().apply(command::SelectPlot{plot});
    for (int frame = 0; frame < 20; ++frame) {
      seconds.push_back(loop.frame());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  return times_of(std::move(seconds));
}

void tell_cells() {
  for (const std::size_t tokens : {std::size_t{3}, std::size_t{300}, std::size_t{100'000}}) {
    for (const std::string plot : {"flow", "why", "text", "token"}) {
      const std::string row = plot + ", " + std::to_string(tokens) + " tokens";
      if (!is_wanted(row)) continue;
      FrameLoop loop;
      show(loop, given_qkv(plot == "token" ? 32 : 8, tokens, 64));
      const Times opened = open_often(loop, plot, tokens);
      print_row(row + ", opened", opened, under_four(opened));
      if (plot != "flow") continue;
      loop.app().apply(command::Play{true});
      const Times played = measure(loop, [](std::size_t) {});
      print_row(row + ", played", played, under_four(played));
    }
  }
}

void show_lesson() {
  FrameLoop loop;
  loop.app().open_at_start({"example:lesson-what-attention-computes"});
  loop.settle(kTimeout);
  const Times times = hover(loop, {700.0F, 450.0F});
  print_row("lesson, hover", times, under_four(times));
}

int run() {
  std::printf("%-44s %8s %8s %8s   ms of the window's thread\n", "", "median", "99 %", "worst");
  look_around_all();
  drag_cells();
  if (is_wanted("144 heads of 256 tokens")) open_many_heads();
  tell_cells();
  if (is_wanted("lesson, hover")) show_lesson();
  return 0;
}

}  // namespace
}  // namespace attn::gui

// Its argument chooses the rows that contain it.
int main(int count, char** arguments) {
  if (count > 1) attn::gui::only = arguments[1];
  return attn::gui::run();
}
