// The sentence as text, its tokens tinted by what they give to one of them and get from it.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/token_pieces.h"
#include "plot/charts/charts.h"
#include "plot/colors/color_bar.h"
#include "plot/kit/cells.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "plot/kit/token_lines.h"
#include "view/fields.h"

namespace attn {
namespace {

constexpr std::size_t kMostWords = 1200, kMostBlocks = 24;  // words of all blocks
constexpr std::size_t kDirectionPieces = 100;
// Sizes in sizes of the words.
constexpr double kWordSize = 1.35;  // in font sizes
constexpr double kWordLine = 1.75, kWordHeight = 1.35, kBlank = 0.45, kBeside = 0.12;
constexpr double kFrame = 1.5, kSplit = 0.35;  // units
constexpr double kStrongest = 0.62;            // tint of the weight 1, on which ink is legible

// The token whose weights are drawn, and how.
struct TextChoice {
  TokenHit token{};                  // in the frame
  std::size_t count = 1;             // tokens of its word
  std::vector<HeadAddress> heads{};  // a block each
  bool cross = false;                // queries and keys are different sequences
  TextDirection direction = TextDirection::Both;

  bool of_query() const { return token.side == Side::Query; }
  // Returns the token's side, and the other one when it is another sequence.
  std::vector<Side> sides() const {
    if (!cross) return {token.side};
    return {token.side, of_query() ? Side::Key : Side::Query};
  }
  bool shows_rows() const { return cross ? of_query() : direction != TextDirection::Gets; }
  bool shows_columns() const { return cross ? !of_query() : direction != TextDirection::Gives; }
  std::vector<LinesQuestion> questions() const {
    std::vector<LinesQuestion> all;
    if (shows_rows()) all.push_back({heads, Side::Query, token.index, count});
    if (shows_columns()) all.push_back({heads, Side::Key, token.index, count});
    return all;
  }
};

struct TextScene : Drawing, TextChoice {
  ColorRange range{};  // of the tints
  double size() const { return kWordSize * font(); }
  FontStyle word_font() const { return {size()}; }
};

std::vector<TokenPiece> pieces_of(const FittedView& view, Side side) {
  const std::vector<TokenPiece> pieces = pieces_of(tokens_of(view.document, side, view.options.at),
                                                   kMostWords, view.options.tokens_as_written);
  return view.options.words ? words_of(pieces) : pieces;
}

// --- setting

// A piece with its position, and the text that is drawn from its left end on: that of all pieces of
// a run, which are shaped together, with the first of them.
struct SetPiece {
  std::size_t piece;
  Rect rect;
  std::string text = {};
  double text_left = 0.0;
};

struct Setter {
  const TextScene& scene;
  const std::vector<TokenPiece>& pieces;
  double width;
  bool leftwards = false;  // lines begin at the right, where they are moved to at the end
  double x = 0.0, y = 0.0;
  std::vector<SetPiece> set{};

  double measure(const std::string& text) const {
    return scene.metrics.measure(text, scene.word_font()).width;
  }
  // Returns the space before the texts of pieces [first, end), which may begin a line.
  double before(std::size_t first) const {
    return x > 0.0 && pieces[first].is_glued ? 0.0 : kBeside * scene.size();
  }
  double after(std::size_t end) const {
    const bool goes_on = end < pieces.size() && pieces[end].is_glued && !pieces[end - 1].ends_line;
    return goes_on ? 0.0 : kBeside * scene.size();
  }
  void break_line() {
    x = 0.0;
    y += kWordLine * scene.size();
  }
};

// Returns the end of the pieces from `first` on that are shaped together.
std::size_t end_of_run(const std::vector<TokenPiece>& pieces, std::size_t first) {
  std::size_t end = first + 1;
  const auto goes_on = [](const TokenPiece& piece) {
    const std::vector<char32_t> letters = code_points(piece.text);
    return piece.is_glued && !letters.empty() && !is_east_asian(letters.front());
  };
  while (end < pieces.size() && !pieces[end - 1].ends_line && goes_on(pieces[end])) ++end;
  return end;
}

// Pieces of the run from `left` on; of a run that goes from right to left the first is at the
// right.
void place_run(Setter& setter, std::size_t first, std::size_t end, const std::string& text,
               double width) {
  const bool leftwards = runs_right_to_left(text) != setter.leftwards;
  const double before_text = setter.before(first), after_text = setter.after(end);
  const double left = setter.x + before_text, height = kWordHeight * setter.scene.size();
  const auto beside = [](double space) { return space > 0.0 ? space : -kSplit; };
  std::string before;
  double begin = 0.0;
  for (std::size_t i = first; i < end; ++i) {
    before += setter.pieces[i].text;
    const double past = i + 1 == end ? width : setter.measure(before);
    double from = left + (leftwards ? width - past : begin);
    double to = left + (leftwards ? width - begin : past);
    const bool is_left_end = leftwards ? i + 1 == end : i == first;
    const bool is_right_end = leftwards ? i == first : i + 1 == end;
    from -= is_left_end ? beside(before_text) : -kSplit;
    to += is_right_end ? beside(after_text) : -kSplit;
    setter.set.push_back({i, {from, setter.y, std::max(to - from, 0.5), height}});
    begin = past;
  }
  SetPiece& with_text = setter.set[setter.set.size() - (end - first)];
  with_text.text = text;
  with_text.text_left = left;
  setter.x = left + width + after_text;
}

void set_run(Setter& setter, std::size_t first, std::size_t end) {
  const double most_beside = 2.0 * kBeside * setter.scene.size();
  std::string text;
  for (std::size_t i = first; i < end; ++i) text += setter.pieces[i].text;
  double width = setter.measure(text);
  if (width + most_beside > setter.width && end > first + 1) {
    for (std::size_t i = first; i < end; ++i) set_run(setter, i, i + 1);
    return;
  }
  const bool has_blank = setter.x > 0.0 && !setter.pieces[first].is_glued;
  if (has_blank) setter.x += kBlank * setter.scene.size() - most_beside;
  const double beside = setter.before(first) + setter.after(end);
  if (setter.x > 0.0 && setter.x + width + beside > setter.width + 1e-6) setter.break_line();
  if (width + most_beside > setter.width) {
    text = cut_in_middle(setter.scene.metrics, text, setter.scene.word_font(),
                         setter.width - most_beside);
    width = setter.measure(text);
  }
  place_run(setter, first, end, text, width);
}

// Returns pieces set in lines from the side on which the text begins.
std::vector<SetPiece> set_pieces(const TextScene& scene, const std::vector<TokenPiece>& pieces,
                                 double width) {
  std::string whole;
  for (std::size_t i = 0; i < std::min(pieces.size(), kDirectionPieces); ++i) {
    whole += pieces[i].text;
  }
  Setter setter{scene, pieces, width, runs_right_to_left(whole)};
  for (std::size_t i = 0; i < pieces.size();) {
    const std::size_t end = end_of_run(pieces, i);
    set_run(setter, i, end);
    if (pieces[end - 1].ends_line) setter.break_line();
    i = end;
  }
  if (!setter.leftwards || !std::isfinite(width)) return setter.set;
  for (SetPiece& piece : setter.set) {
    piece.rect.x = width - piece.rect.right();
    if (!piece.text.empty()) piece.text_left = width - piece.text_left - setter.measure(piece.text);
  }
  return setter.set;
}

double natural_width(const TextScene& scene, const std::vector<TokenPiece>& pieces) {
  double width = 0.0;
  for (const SetPiece& piece : set_pieces(scene, pieces, std::numeric_limits<double>::infinity())) {
    width = std::max(width, piece.rect.right());
  }
  return width;
}

// --- tints

// Returns the weights by piece: keys of a word summed, the mean over its queries.
std::vector<float> by_piece(const std::vector<float>& line, const std::vector<TokenPiece>& pieces,
                            bool sums) {
  std::vector<float> weights;
  for (const TokenPiece& piece : pieces) {
    float sum = 0.0F;
    for (std::size_t i = piece.first; i < piece.first + piece.count; ++i) sum += line[i];
    weights.push_back(sums ? sum : sum / static_cast<float>(piece.count));
  }
  return weights;
}

Color tint(const TextScene& scene, Color role, float weight) {
  if (!std::isfinite(weight)) return scene.theme.hatch_background;
  const double place = place_on(scene.range, static_cast<double>(weight));
  return mix(scene.theme.background, role, kStrongest * std::clamp(place, 0.0, 1.0));
}

// One direction of a block; empty: not shown.
struct Tints {
  std::vector<float> weights = {};
  Color role = {};
};

// A sentence in its place, which all blocks share.
struct SetText {
  Side side;
  std::vector<TokenPiece> pieces;
  std::vector<SetPiece> set = {};
};

// Tints from the upper to the lower part of a word.
void add_piece(Figure& figure, const TextScene& scene, const SetText& text,
               const std::vector<Tints>& all, const SetPiece& set) {
  const HitId hit = TokenHit{text.side, scene.options.at.sample, text.pieces[set.piece].first};
  Rect part = set.rect;
  part.height /= static_cast<double>(std::max<std::size_t>(all.size(), 1));
  if (all.empty()) figure.add(RectItem{.rect = part, .hit = hit});
  for (const Tints& tints : all) {
    const float weight = tints.weights[set.piece];
    figure.add(RectItem{.rect = part, .fill = tint(scene, tints.role, weight), .hit = hit});
    part.y += part.height;
  }
}

void add_frame(Figure& figure, const TextScene& scene, const SetText& text, const SetPiece& set) {
  const bool is_framed =
      text.side == scene.token.side && text.pieces[set.piece].first == scene.token.index;
  if (!is_framed) return;
  figure.add(RectItem{
      .rect = set.rect, .stroke = scene.theme.ink, .stroke_width = kFrame, .radius = kFrame});
}

Figure sentence_of(const TextScene& scene, const SetText& text, const std::vector<Tints>& tints) {
  Figure figure;
  for (const SetPiece& piece : text.set) add_piece(figure, scene, text, tints, piece);
  for (const SetPiece& piece : text.set) add_frame(figure, scene, text, piece);
  for (const SetPiece& piece : text.set) {
    if (piece.text.empty()) continue;
    const TokenHit hit{text.side, scene.options.at.sample, text.pieces[piece.piece].first};
    figure.add(text_item({piece.text_left, piece.rect.middle().y}, piece.text, scene.word_font(),
                         scene.theme.ink, HAlign::Left, VAlign::Middle, hit));
  }
  figure.height = text.set.empty() ? 0.0 : text.set.back().rect.bottom() + kFrame;
  return figure;
}

// --- blocks

struct KnownLines {
  std::shared_ptr<const TokenLines> lines;
  bool are_rows;
};

std::vector<Tints> tints_of(const TextScene& scene, const std::vector<KnownLines>& all,
                            std::size_t head, const std::vector<TokenPiece>& pieces) {
  std::vector<Tints> tints;
  for (const auto& [lines, are_rows] : all) {
    tints.push_back({by_piece(lines->line(head), pieces, are_rows),
                     are_rows ? scene.theme.key : scene.theme.query});
  }
  return tints;
}

std::string block_name(const TextScene& scene, const HeadAddress& at) {
  const AttentionShape shape = scene.shape();
  std::string layer =
      shape.layers > 1 ? "Layer " + std::to_string(layer_number(shape, at.layer)) : "";
  if (shape.heads == 1) return layer;
  return layer + (layer.empty() ? "Head " : ", head ") + std::to_string(at.head + 1);
}

// Returns a block whose last text is tinted: that of the token, or of the other side if it differs.
Figure block_of(const TextScene& scene, const std::vector<SetText>& texts,
                const std::vector<KnownLines>& lines, std::size_t head, double width) {
  Figure figure{.width = width};
  const std::string name = block_name(scene, scene.heads[head]);
  if (!name.empty()) {
    figure.add(text_item({0.0, scene.font()}, name, {scene.font(), true}, scene.theme.muted));
    figure.height = 1.6 * scene.font();
  }
  for (const SetText& text : texts) {
    const bool is_tinted = &text == &texts.back();
    Figure sentence = sentence_of(
        scene, text, is_tinted ? tints_of(scene, lines, head, text.pieces) : std::vector<Tints>());
    const double height = sentence.height + 0.3 * scene.font();
    append_moved(figure, std::move(sentence), {1.0, 0.0, figure.height});
    figure.height += height;
  }
  return figure;
}

// The blocks of the first rows of `columns` that have `room`, at least one row; 0: no bound.
void cut_to_room(std::vector<Figure>& blocks, std::size_t columns, double room, double font) {
  double height = 0.0;
  for (std::size_t first = 0; first < blocks.size() && room > 0.0; first += columns) {
    height += blocks[first].height + 0.8 * font;
    if (first > 0 && height > room) blocks.resize(first);
  }
}

// Adds as many blocks as fit; returns their number.
std::size_t add_blocks(Page& page, const TextScene& scene, const std::vector<KnownLines>& lines,
                       double room) {
  const double gap = 2.0 * scene.font();
  double natural = 0.0;
  std::vector<SetText> texts;
  for (const Side side : scene.sides()) {
    texts.push_back({side, pieces_of(scene, side)});
    natural = std::max(natural, natural_width(scene, texts.back().pieces));
  }
  const double fitting = std::floor((page.width() + gap) / (std::ceil(natural) + gap));
  const double columns =
      std::clamp(fitting, 1.0, static_cast<double>(std::max<std::size_t>(scene.heads.size(), 1)));
  const double width = (page.width() + gap) / columns - gap;
  for (SetText& text : texts) text.set = set_pieces(scene, text.pieces, width);
  std::vector<Figure> blocks;
  for (std::size_t head = 0; head < scene.heads.size(); ++head) {
    blocks.push_back(block_of(scene, texts, lines, head, width));
  }
  cut_to_room(blocks, static_cast<std::size_t>(columns), room, scene.font());
  const std::size_t added = blocks.size();
  page.add_grid(std::move(blocks), static_cast<std::size_t>(columns), gap);
  return added;
}

// --- words

std::string explanation(const TextScene& scene) {
  const std::string name = scene.count == 1
                               ? placed_token(scene, scene.token.side, scene.token.index)
                               : "the framed word";
  const std::string takes =
      "the weight with which " + name + " takes from each token, its row of the map";
  const std::string gives = "the weight with which each token takes from " +
                            (scene.cross ? name : std::string("it")) + ", its column";
  const std::string first = scene.document.remark.empty() ? " The first token is included." : "";
  const std::string ends = " Tints: " + scene.range.basis + "." + first;
  if (scene.shows_rows() && scene.shows_columns()) {
    return "Upper half: " + takes + ". Lower half: " + gives + "." + ends;
  }
  const std::string alone =
      scene.shows_rows() ? takes
      : scene.cross      ? gives
                         : "the weight with which each token takes from " + name + ", its column";
  return "Tint: " + alone + "." + ends;
}

std::string words_joined(const TextScene& scene) {
  if (!scene.options.words) return "";
  std::vector<TokenPiece> all;
  for (const Side side : scene.sides()) {
    std::ranges::move(
        pieces_of(tokens_of(scene.document, side, scene.options.at), kMostWords, false),
        std::back_inserter(all));
  }
  const std::string joins = joins_of(all);
  if (joins.empty()) return " No token is a piece of a word: nothing is joined.";
  return " Pieces of words are joined (" + joins +
         "): the weights of their keys are summed, of their queries the mean is shown.";
}

std::string of_first_tokens(const TextScene& scene) {
  const AttentionShape shape = scene.shape();
  const std::size_t all = std::max(shape.n_q, shape.n_k);
  if (all <= kMostWords) return "";
  return " The first " + grouped_text(kMostWords) + " of " + counted(all, "token") + " are shown.";
}

std::size_t most_blocks(const FittedView& view) {
  const AttentionShape shape = view.shape();
  const std::size_t words = std::max({shape.n_q, shape.n_k, std::size_t{1}});
  return std::clamp(kMostWords / words, std::size_t{1}, kMostBlocks);
}

// True if a file has one page, of the first layer: unless the view names heads or layers.
bool is_one_page(const FittedView& view) {
  const PlotOptions& options = view.options;
  return !options.on_screen && options.layers == kAllHeads && options.heads == kAllHeads;
}

Result<ChosenHeads> blocks_chosen(const FittedView& view) {
  if (!is_one_page(view)) return chosen_heads(view, most_blocks(view));
  const AttentionShape shape = view.shape();
  FittedView of_layer = view;
  of_layer.options.layers = std::to_string(layer_number(shape, 0, 0));
  Result<ChosenHeads> heads = chosen_heads(of_layer, most_blocks(view));
  if (heads) heads->all = shape.layers * shape.heads;
  return heads;
}

// Returns the token to draw; a hovered one counts only where its weights need no derivation.
TextChoice choice_of(const FittedView& view, const std::vector<HeadAddress>& heads) {
  TextChoice choice{.heads = heads, .direction = view.options.direction};
  choice.cross = !keys_are_queries(view.document, view.options.at);
  choice.token = token_in_view(view, is_materialised(view.result, Stage::Weights, view.options.at));
  if (!choice.cross) choice.token.side = Side::Query;
  const PlotOptions& options = view.options;
  const bool is_usual = options.token.empty() && options.pins.empty() && !options.focus;
  if (is_usual) choice.token.index = std::min(choice.token.index, kMostWords - 1);
  if (!view.options.words) return choice;
  for (const TokenPiece& word : pieces_of(view, choice.token.side)) {
    const std::size_t index = choice.token.index;
    if (index < word.first || index - word.first >= word.count) continue;
    choice.token.index = word.first;
    choice.count = word.count;
    break;
  }
  return choice;
}

}  // namespace

std::vector<Need> text_needs(const FittedView& view) {
  const Result<ChosenHeads> heads = blocks_chosen(view);
  if (!heads || !view.result.has(Stage::Weights, view.options.at)) return {};
  std::vector<Need> needs;
  for (const LinesQuestion& question : choice_of(view, heads->shown).questions()) {
    append(needs, lines_needs(view, question));
  }
  return needs;
}

Result<Figure> text_plot(const Drawing& drawing) {
  if (!drawing.result.has(Stage::Weights, drawing.options.at)) {
    return usage_error("There are no weights to tint the text with");
  }
  Result<ChosenHeads> heads = blocks_chosen(drawing);
  if (!heads) return heads.error();
  TextScene scene{{drawing}, choice_of(drawing, heads->shown)};
  std::vector<KnownLines> lines;
  for (const LinesQuestion& question : scene.questions()) {
    const auto known = lines_of(drawing, question);
    if (!known) return known.error();
    lines.push_back({*known, question.side == Side::Query});
  }
  Statistics seen;
  for (const KnownLines& known : lines) {
    join(seen, of_cells(known.lines->values, known.lines->hidden));
  }
  seen.low = 0.0F;  // there are no tints below
  FittedView plain = scene;
  plain.options.colormap = "viridis";
  scene.range = weight_bar(plain, seen).range;
  Page page(scene);
  page.add_heading("Attention of one token" +
                       which_attention(drawing.result.problem(), drawing.options.at, ", ") +
                       place_words(scene.shape(), scene.options.at, false, false),
                   0.6);
  std::string words = explanation(scene) + words_joined(scene) + of_first_tokens(scene);
  const std::string longest = words + words_of(*heads);
  const double room = is_one_page(drawing) ? page.room(std::span(&longest, 1), kPageHeight) : 0.0;
  heads->shown.resize(add_blocks(page, scene, lines, room));
  words += words_of(*heads);
  page.add_note(words);
  return page.finished("The sentence as text. " + words);
}

}  // namespace attn
