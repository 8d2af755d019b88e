// Runs the application without a window, in a temporary folder for files and preferences.
#include "app/shell/app_fixture.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "plot/all_plots.h"

namespace attn::test {
namespace {

HarnessOptions without_host(HarnessOptions options) {
  options.host_window = false;
  return options;
}

std::filesystem::path make_folder() {
  static int counter = 0;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("attnscope_ui_" + std::to_string(getpid()) + "_" + std::to_string(counter++));
  std::filesystem::create_directories(folder);
  // The developer's own preferences stay untouched.
  setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1);
  setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
  return folder;
}

}  // namespace

AppTest::AppTest(HarnessOptions options) : folder(make_folder()), ui(without_host(options)) {
  ui.on_command = [this](const Command& command) {
    app.apply(command);
    app.wait_until_idle();
  };
  ui.after_frame = [this] { app.take_picture(); };
  Preferences opened_once;
  opened_once.sides.more_rules = true;
  app.apply(command::LoadedPreferences{opened_once});
}

AppTest::~AppTest() {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}

void AppTest::open(const std::string& path) {
  app.open_at_start({path});
  app.wait_until_idle();
  show();
}

void AppTest::open_text(const std::string& json) {
  const std::string file = path("opened.attn.json");
  std::ofstream(file) << json;
  open(file);
}

void AppTest::show_plot(std::string_view name) {
  ui.click("plot/tab");
  ui.click("plot/tab/" + std::string(plot_named(name)->label));
}

void AppTest::show(int frames) {
  ui.frame([this](gui::Ui& u) {
    for (const std::string& file : ui.take_dropped_files()) app.apply(command::Open{file});
    app.wait_until_idle();
    app.draw(u, now_);
    timer = app.keep_time(now_);
  });
  ui.frames(frames);
}

void AppTest::open_stage(const std::string& name) {
  const std::string chip = "strip/stage/" + name;
  for (const std::string& group : ui.names("strip/group/")) {
    if (ui.shows(chip)) break;
    ui.click(group);
    if (!ui.shows(chip)) ui.key("Esc");
  }
  ui.click(chip);
}

void AppTest::pass(double seconds) {
  now_ += seconds;
  ui.frames(2);
}

float AppTest::input(const TensorPath& path, std::size_t row, std::size_t col) const {
  return matrix_of(state().document, {path, {}}).at(row, col);
}

float AppTest::weight(std::size_t q, std::size_t k) const {
  return state().result->value(Stage::Weights, focused_view(state()).options.at, q, k);
}

std::string AppTest::token(std::size_t index) const {
  return tokens_of(state().document, Side::Query)[index];
}

}  // namespace attn::test
