// Requests are stated as calls that a shell reads back.
#include "session/figure_request.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

FigureRequest request_for_heads() {
  FigureRequest request{.files = {"my cats.json"}, .plot = "heatmap,links"};
  set_text(request, "head", "0-1");
  set_text(request, "values", "false");
  set_text(request, "title", "It's");
  return request;
}

TEST(FigureRequests, KeepOneTextForEachOption) {
  FigureRequest request = request_for_heads();
  set_text(request, "head", "3");
  set_text(request, "plot", "token");
  EXPECT_EQ(text_of(request, "head"), "3");
  EXPECT_EQ(text_of(request, "plot"), "token");
  EXPECT_EQ(text_of(request, "layer"), "");
  EXPECT_EQ(setting_of(request, "layer"), nullptr);
  ASSERT_EQ(request.settings.size(), 3U);
  EXPECT_EQ(flag_of(request.settings[0]), "--head") << "an option stays at its place";
}

TEST(FigureRequests, AreStatedAsACall) {
  FigureRequest request = request_for_heads();
  request.part = "0,0,2,2";
  request.pins = {"1,1", "cats,love"};
  request.reference = "other.json";
  request.dpi = "96";
  request.transparent = true;
  request.seed = "7";
  const std::string output = "a b.png";
  EXPECT_EQ(call_of(request, &output),
            "attnscope export 'my cats.json' -o 'a b.png' --plot heatmap,links --head 0-1 "
            "--no-values --title 'It'\\''s' --part 0,0,2,2 --pin 1,1 --pin cats,love --dpi 96 "
            "--transparent --seed 7 --reference other.json");
}

TEST(FigureRequests, OfSeveralFiguresNamePlotsLast) {
  FigureRequest request = request_for_heads();
  request.files.emplace_back("dogs.json");
  request.reference = "other.json";
  request.left_out = "first";
  request.of_several = true;
  EXPECT_EQ(call_of(request),
            "attnscope export 'my cats.json' dogs.json --head 0-1 --no-values --title 'It'\\''s' "
            "--plot heatmap,links --reference other.json --leave-out first");
}

}  // namespace
}  // namespace attn
