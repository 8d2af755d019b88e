// The whole application without a window: real widgets, reducer and effects.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "gui/shell/app.h"
#include "support/shared_data.h"
#include "support/ui_harness.h"

namespace attn::test {

// Owns a temporary folder for files and preferences.
class AppTest : public ::testing::Test {
 protected:
  explicit AppTest(HarnessOptions options = {.width = 1600, .height = 1200});
  ~AppTest() override;

  // Opens an example or a file and draws until it is shown.
  void open(const std::string& path);
  void open_text(const std::string& json);
  void show(int frames = 3);
  // Selects a stage in the strip, opening its group if it is folded.
  void open_stage(const std::string& name);
  // Selects a plot in the bar of the focused pane.
  void show_plot(std::string_view name);
  // Advances the application's clock by `seconds`.
  void pass(double seconds);

  const AppState& state() const { return app.state(); }
  float input(const TensorPath& path, std::size_t row, std::size_t col) const;
  float weight(std::size_t q, std::size_t k) const;
  std::string token(std::size_t index) const;
  std::string path(const std::string& name) const { return (folder / name).string(); }

  std::filesystem::path folder;
  gui::App app;
  UiHarness ui;
  std::optional<double> timer;  // App::keep_time() after the last frame

 private:
  double now_ = 0.0;
};

}  // namespace attn::test
