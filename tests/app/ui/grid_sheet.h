// Spreadsheet with its own numbers, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "gui/ui/grid/grid.h"
#include "support/ui_harness.h"

namespace attn::test {

// A grid with its own numbers, which applies events like the program.
struct Sheet {
  std::size_t rows, cols;
  std::vector<float> values;
  TokenList row_labels;
  gui::GridInteraction interaction;
  std::size_t row = 0, col = 0, anchor_row = 0, anchor_col = 0;
  std::vector<command::SetCell> edits;
  int copies = 0, pastes = 0, clears = 0;
  ImVec2 size{700, 400};

  Sheet(std::size_t n, std::size_t m) : rows(n), cols(m), values(n * m) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 4.0F;
  }

  void apply(const std::optional<command::MoveCursor>& move) {
    if (!move) return;
    row = move->row;
    col = move->col;
    if (!move->extend) anchor_row = row, anchor_col = col;
  }

  void operator()(gui::Ui& ui) {
    gui::GridView view;
    view.matrix = {values.data(), rows, cols, cols};
    if (!row_labels.empty()) view.row_labels = &row_labels;
    view.role = ui.colors().query;
    view.cursor.row = row;
    view.cursor.col = col;
    view.cursor.anchor_row = anchor_row;
    view.cursor.anchor_col = anchor_col;
    const gui::GridEvents events = gui::matrix_grid(ui, "q", view, interaction, size);
    if (events.edit) {
      edits.push_back(*events.edit);
      values[events.edit->row * cols + events.edit->col] = events.edit->value;
    }
    apply(events.move);
    apply(events.then);
    copies += events.copy ? 1 : 0;
    pastes += events.paste ? 1 : 0;
    clears += events.clear ? 1 : 0;
  }

  float at(std::size_t r, std::size_t c) const { return values[r * cols + c]; }
};

struct GridTest : testing::Test {
  UiHarness ui{HarnessOptions{}};
  Sheet sheet{4, 3};
  void show() {
    ui.frame([this](gui::Ui& u) { sheet(u); });
  }
  void expect_cursor(std::size_t row, std::size_t col) const {
    EXPECT_EQ(sheet.row, row);
    EXPECT_EQ(sheet.col, col);
  }
  void expect_selection(std::size_t top, std::size_t left, std::size_t bottom,
                        std::size_t right) const {
    EXPECT_EQ(std::min(sheet.row, sheet.anchor_row), top);
    EXPECT_EQ(std::max(sheet.row, sheet.anchor_row), bottom);
    EXPECT_EQ(std::min(sheet.col, sheet.anchor_col), left);
    EXPECT_EQ(std::max(sheet.col, sheet.anchor_col), right);
  }
};

}  // namespace attn::test
