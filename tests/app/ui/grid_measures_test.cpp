// Measuring of labels and numbers in a spreadsheet.
#include <gtest/gtest.h>

#include "gui/ui/grid/grid_layout.h"
#include "gui/ui/style.h"
#include "support/ui_harness.h"

namespace attn::test {
namespace {

using namespace attn::gui;

struct MeasuredSheet {
  std::vector<float> values = std::vector<float>(12, 1.0F);
  GridView view;
  MeasuredSheet() { view.matrix = {values.data(), 3, 4, 4}; }
};

TEST(GridMeasures, HeadersHaveTheWidthOfTheLastNumber) {
  UiHarness ui;
  MeasuredSheet sheet;
  const TokenList labels = TokenList::counted(131072, {{0, "a"}});
  sheet.view.row_labels = &labels;
  ui.frame([&](Ui& u) {
    GridMeasures measures;
    const float last = u.labels.line_size("131071", {kLabelSize, false, false}, u.scale).x;
    EXPECT_GE(measure_grid(u, sheet.view, measures).header_width - u.px(kHeaderPadding), last);
  });
}

TEST(GridMeasures, AreThoseOfTheVersionThatWasMeasured) {
  UiHarness ui;
  MeasuredSheet sheet;
  sheet.view.version = 1;
  ui.frame([&](Ui& u) {
    GridMeasures measures;
    const float narrow = measure_grid(u, sheet.view, measures).cell_width;
    sheet.values[0] = 123456.0F;
    EXPECT_EQ(measure_grid(u, sheet.view, measures).cell_width, narrow);
    sheet.view.version = 2;
    EXPECT_GT(measure_grid(u, sheet.view, measures).cell_width, narrow);
  });
}

TEST(GridMeasures, WithoutAVersionAreTakenAnew) {
  UiHarness ui;
  MeasuredSheet sheet;
  ui.frame([&](Ui& u) {
    GridMeasures measures;
    const float narrow = measure_grid(u, sheet.view, measures).cell_width;
    sheet.values[0] = 123456.0F;
    EXPECT_GT(measure_grid(u, sheet.view, measures).cell_width, narrow);
  });
}

}  // namespace
}  // namespace attn::test
