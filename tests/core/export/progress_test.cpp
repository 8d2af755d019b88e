// Progress of exports, and cancelling.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

#include "export/export.h"
#include "tests/core/export/small_figures.h"

namespace attn {
namespace {

using test::figure_with;
using test::labelled_figure;

// Takes a large part of a second in every format: many shapes, and many pixels at kProgressPaper.
Figure large_figure() {
  Figure figure = figure_with(100, 100, std::vector<float>(10'000, 0.5F));
  figure.width = figure.height = 300.0;
  for (int i = 0; i < 40'000; ++i) {
    const double x = i % 200, y = i / 200.0;
    figure.items.emplace_back(LineItem{{x, y}, {x + 1.0, y + 1.5}, {0, 0, 200, 255}, 0.5, {}});
  }
  return figure;
}

ExportOptions progress_paper() {
  ExportOptions paper;
  paper.dpi = 900.0;
  return paper;
}

// The fractions seen by another thread, without duplicates.
std::vector<float> fractions_seen(const Exporter& exporter, const Figure& figure) {
  Progress progress;
  std::vector<float> seen{progress.fraction};
  auto written = std::async(
      std::launch::async, [&] { return exporter.write(figure, progress_paper(), &progress).ok(); });
  while (written.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    const float now = progress.fraction;
    if (now != seen.back()) seen.push_back(now);
    std::this_thread::yield();
  }
  EXPECT_TRUE(written.get()) << exporter.extension;
  seen.push_back(progress.fraction);
  return seen;
}

TEST(ExportProgress, RisesFromPaintingThroughEncoding) {
  const Figure figure = large_figure();
  for (const Exporter& exporter : all_exporters()) {
    const std::vector<float> seen = fractions_seen(exporter, figure);
    EXPECT_TRUE(std::ranges::is_sorted(seen)) << exporter.extension;
    EXPECT_GT(seen.size(), 10U) << exporter.extension;
    EXPECT_EQ(seen.front(), 0.0F) << exporter.extension;
    EXPECT_NEAR(seen.back(), 1.0F, 1e-5F) << exporter.extension;
  }
}

TEST(ExportProgress, ChangesNoByte) {
  const Figure figures[] = {labelled_figure(), large_figure()};
  for (const Exporter& exporter : all_exporters()) {
    for (const Figure& figure : figures) {
      Progress progress;
      EXPECT_EQ(*exporter.write(figure, {}, &progress), *exporter.write(figure, {}, nullptr))
          << exporter.extension;
    }
  }
}

TEST(ExportProgress, OfWhatNobodyWantsIsInterruptedAtOnce) {
  const Figure figure = large_figure();
  for (const Exporter& exporter : all_exporters()) {
    Progress progress;
    progress.cancelled = true;
    const Result<std::string> bytes = exporter.write(figure, progress_paper(), &progress);
    ASSERT_FALSE(bytes.ok()) << exporter.extension;
    EXPECT_EQ(bytes.error().kind, ErrorKind::Interrupted) << exporter.extension;
    EXPECT_LT(progress.fraction, 0.5F) << exporter.extension;
  }
}

// Cancels at that fraction.
Result<std::string> written_until(const Exporter& exporter, const Figure& figure, float fraction,
                                  Progress& progress) {
  auto written = std::async(std::launch::async,
                            [&] { return exporter.write(figure, progress_paper(), &progress); });
  while (progress.fraction < fraction) std::this_thread::yield();
  progress.cancelled = true;
  return written.get();
}

TEST(ExportProgress, IsInterruptedWhilePaintingAndWhileEncoding) {
  const Figure figure = large_figure();
  for (const Exporter& exporter : all_exporters()) {
    for (const float fraction : {0.02F, 0.45F}) {
      Progress progress;
      const Result<std::string> bytes = written_until(exporter, figure, fraction, progress);
      ASSERT_FALSE(bytes.ok()) << exporter.extension << " at " << fraction;
      EXPECT_EQ(bytes.error().kind, ErrorKind::Interrupted) << exporter.extension;
    }
  }
}

// Rows are the steps of encoding, within its share of the work.
TEST(ExportProgress, OfEncodingKeepsToItsPart) {
  const Figure figure{.width = 2.0, .height = 2.0};
  Progress progress;
  const ProgressPart part(&progress, 0.5F, 0.25F);
  ASSERT_TRUE(exporter_for("a.png")->write(figure, {}, &progress).ok());
  EXPECT_EQ(progress.fraction, 0.75F);
}

}  // namespace
}  // namespace attn
