// The sentence as text, its tokens tinted by what they give to one of them and get from it.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/number_text.h"
#include "plot/charts/charts.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

constexpr std::size_t kMostWords = 2000, kMostBlocks = 24;
// These in font sizes.
constexpr double kWordSize = 1.35, kWordLine = 1.9, kWordPadding = 0.22, kFrame = 0.14;
constexpr double kStrongest = 0.85;  // share of the tint of the largest weight

struct TextScene : Drawing {
  TokenHit token{};                  // in the frame
  std::vector<std::size_t> heads{};  // a block each
  bool cross = false;                // queries and keys are different sequences
  double width = 0.0;
};

// A token's weights with the token in the frame; nothing where a direction is not there.
struct WordTints {
  std::optional<float> gives, gets;
};

FontStyle word_font(const TextScene& scene) { return {kWordSize * scene.font(), false, false}; }

// The row of a query, or the column of a key.
std::vector<float> line_of(const TextScene& scene, const HeadAddress& at, Side side) {
  const StageShape shape = scene.result.stage_shape(Stage::Weights, at);
  const bool is_row = side == Side::Query;
  std::vector<float> line(is_row ? shape.cols : shape.rows);
  const std::size_t index = scene.token.index;
  const CellRange range =
      is_row ? CellRange{index, 0, 1, shape.cols} : CellRange{0, index, shape.rows, 1};
  scene.result.read(Stage::Weights, at, range, line.data());
  return line;
}

float largest_of(const std::vector<float>& line) {
  float most = 0.0F;
  for (const float weight : line) {
    if (weight > most) most = weight;
  }
  return most;
}

struct Word {
  std::size_t index;
  std::string text;
  Rect rect;
};

// Words set in lines from the side on which the text begins.
std::vector<Word> set_words(const TextScene& scene, Side side, const HeadAddress& at) {
  const TokenList& tokens = tokens_of(scene.document, side, at);
  const FontStyle font = word_font(scene);
  const double padding = kWordPadding * scene.font(), pitch = kWordLine * kWordSize * scene.font();
  std::vector<Word> words;
  std::string whole;
  double x = 0.0, y = 0.0;
  for (std::size_t i = 0; i < std::min(tokens.size(), kMostWords); ++i) {
    const std::string text = token_label(scene.document, side, at, i);
    const double width = scene.metrics.measure(text, font).width + 2.0 * padding;
    if (x > 0.0 && x + width > scene.width) {
      x = 0.0;
      y += pitch;
    }
    words.push_back({i, text, {x, y, width, pitch - 2.0 * padding}});
    whole += text;
    x += width + padding;
  }
  if (!runs_right_to_left(whole)) return words;
  for (Word& word : words) word.rect.x = scene.width - word.rect.x - word.rect.width;
  return words;
}

Color tint(const TextScene& scene, Color role, float weight, float largest) {
  const double share = largest > 0.0F ? static_cast<double>(weight / largest) : 0.0;
  return mix(scene.theme.background, role, kStrongest * std::clamp(share, 0.0, 1.0));
}

// The upper half is what the word gives, the lower what it gets; one direction fills the word.
void add_word(Figure& figure, const TextScene& scene, Side side, const Word& word,
              const std::vector<float>& gives, const std::vector<float>& gets) {
  const bool is_framed = side == scene.token.side && word.index == scene.token.index;
  const HitId hit = TokenHit{side, scene.options.at.sample, word.index};
  const bool both = !gives.empty() && !gets.empty();
  Rect half = word.rect;
  if (both) half.height /= 2.0;
  Color under = scene.theme.background;
  if (!gives.empty()) {
    under = tint(scene, scene.theme.key, gives[word.index], largest_of(gives));
    figure.add(RectItem{.rect = half, .fill = under, .hit = hit});
  }
  if (both) half.y += half.height;
  if (!gets.empty()) {
    under = tint(scene, scene.theme.query, gets[word.index], largest_of(gets));
    figure.add(RectItem{.rect = half, .fill = under, .hit = hit});
  }
  if (is_framed) {
    figure.add(RectItem{.rect = word.rect,
                        .stroke = scene.theme.ink,
                        .stroke_width = kFrame * scene.font(),
                        .radius = kFrame * scene.font(),
                        .hit = hit});
  }
  figure.add(text_in(word.rect, word.text, word_font(scene),
                     both ? scene.theme.ink : readable_on(under), hit));
}

Figure sentence_of(const TextScene& scene, Side side, const HeadAddress& at,
                   const std::vector<float>& gives, const std::vector<float>& gets) {
  Figure figure = blank_figure(scene);
  const std::vector<Word> words = set_words(scene, side, at);
  for (const Word& word : words) add_word(figure, scene, side, word, gives, gets);
  figure.width = scene.width;
  figure.height = words.empty() ? 0.0 : words.back().rect.bottom();
  return figure;
}

// What the token takes from the others is the row of a query, what they take from it the column of
// a key.
void add_block(Page& page, const TextScene& scene, std::size_t head) {
  const HeadAddress at =
      scene.options.at.moved_to(scene.options.at.layer, scene.options.at.sample, head);
  if (scene.shape().heads > 1) page.add_heading("Head " + std::to_string(head + 1), 0.4);
  const bool of_query = scene.token.side == Side::Query;
  if (scene.cross) {
    const std::vector<float> line = line_of(scene, at, scene.token.side);
    const Side other = of_query ? Side::Key : Side::Query;
    page.add_part(sentence_of(scene, scene.token.side, at, {}, {}));
    page.add_space(0.6 * scene.font());
    page.add_part(of_query ? sentence_of(scene, other, at, line, {})
                           : sentence_of(scene, other, at, {}, line));
  } else {
    page.add_part(sentence_of(scene, Side::Query, at, line_of(scene, at, Side::Query),
                              line_of(scene, at, Side::Key)));
  }
  page.add_space(0.9 * scene.font());
}

// The hovered token, that of the option, that of the first pin, else the last query.
TokenHit framed_token(const FittedView& view, bool cross) {
  const StageShape shape = view.result.stage_shape(Stage::Weights, view.options.at);
  std::optional<TokenHit> token = focus_of_links(view);
  if (!token && !view.options.pins.empty()) {
    token = TokenHit{Side::Query, view.options.at.sample, view.options.pins.front().row};
  }
  if (!token) token = TokenHit{Side::Query, view.options.at.sample, shape.rows - 1};
  if (!cross) token->side = Side::Query;
  token->index = std::min(token->index, (token->side == Side::Query ? shape.rows : shape.cols) - 1);
  return *token;
}

std::string explanation(const TextScene& scene) {
  const HeadAddress& at = scene.options.at;
  const std::string name = placed_token(scene.document, scene.token.side, at, scene.token.index);
  if (scene.cross) {
    return scene.token.side == Side::Query
               ? "Tint: the weight that " + name + " gives to each key, from 0 to its largest."
               : "Tint: the weight that each query gives to " + name + ", from 0 to the largest.";
  }
  return "Upper half: the weight with which " + name +
         " takes from each token, its row of the map. Lower half: the weight with which each token "
         "takes from it, its column. Each from 0 to its largest.";
}

std::string of_first(std::size_t shown, std::size_t all, const char* noun) {
  if (shown >= all) return "";
  return " The first " + grouped_text(shown) + " of " + counted(all, noun) + " are shown.";
}

}  // namespace

Result<Figure> text_plot(const Drawing& drawing) {
  if (Status there = check_links(drawing); !there) return there.error();
  const bool cross = !keys_are_queries(drawing.document, drawing.options.at);
  TextScene scene{drawing, framed_token(drawing, cross), heads_of_links(drawing), cross};
  const std::size_t heads = scene.heads.size(), words = scene.shape().n_q;
  scene.heads.resize(std::min(heads, kMostBlocks));
  Page page(scene);
  scene.width = page.width();
  page.add_heading("Attention of one token" + place_words(scene.shape(), scene.options.at,
                                                          scene.shape().layers > 1, false),
                   0.6);
  for (const std::size_t head : scene.heads) add_block(page, scene, head);
  const std::string words_below = explanation(scene) + of_first(scene.heads.size(), heads, "head") +
                                  of_first(std::min(words, kMostWords), words, "token");
  page.add_note(words_below);
  return page.finished("The sentence as text. " + words_below);
}

}  // namespace attn
