// Draws links and stubs.
#include "plot/charts/links_lines.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "plot/parts/items.h"
#include "plot/parts/marks.h"
#include "plot/parts/tokens.h"

namespace attn {
namespace {

std::uint8_t opacity(double weight) {
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(weight, 0.0, 1.0)));
}

double least_pitch(const LinksScene& scene) {
  return std::min(scene.layout.pitch[0], scene.layout.pitch[1]);
}

double line_width(const LinksScene& scene) {
  const double room =
      0.7 * least_pitch(scene) / static_cast<double>(std::max<std::size_t>(scene.heads.size(), 1));
  return std::clamp(std::min(0.16 * least_pitch(scene), room), 0.6, 2.0);
}

// Where a link of the head ends at a token: beside those of the other heads, so that equal links
// of several heads do not cover each other.
Point end_of(const LinksScene& scene, const LinkSide& side, std::size_t token, std::size_t head) {
  const auto rank =
      static_cast<double>(std::ranges::lower_bound(scene.heads, head) - scene.heads.begin());
  const auto heads = static_cast<double>(scene.heads.size());
  const double step = std::min(line_width(scene), 0.7 * least_pitch(scene) / heads);
  const double shift = step * (rank - (heads - 1.0) / 2.0);
  const double pitch = scene.layout.pitch[side.axis.side == Side::Query ? 0 : 1];
  return scene.layout.end(side, static_cast<double>(token) + shift / pitch);
}

// --- Words

// The tokens in view in quotation marks, made once for all lines.
class Quoted {
 public:
  explicit Quoted(const LinksScene& scene)
      : first_{scene.queries.first, scene.keys.first},
        words_{quoted(scene, scene.queries), quoted(scene, scene.keys)} {}
  const std::string& operator()(Side side, std::size_t token) const {
    const std::size_t s = side == Side::Query ? 0 : 1;
    return words_[s][token - first_[s]];
  }

 private:
  static std::vector<std::string> quoted(const LinksScene& scene, const LinkSide& side) {
    std::vector<std::string> words;
    for (std::size_t i = side.first; i < side.end(); ++i) {
      words.push_back(
          quoted_token(scene.input.document, side.axis.side, scene.options.at.sample, i));
    }
    return words;
  }

  std::size_t first_[2];
  std::vector<std::string> words_[2];
};

std::string of_head(const LinksScene& scene, std::size_t head) {
  return scene.shape().heads > 1 ? ", head " + std::to_string(head + 1) : "";
}

// “sat” → “cat” 0.412, head 1
std::string words_of(const LinksScene& scene, const Quoted& quoted, const Link& link) {
  return quoted(Side::Query, link.query) + " → " + quoted(Side::Key, link.key) + " " +
         short_text(static_cast<double>(link.weight)) + of_head(scene, link.head);
}

// "keys 201 to 300"
std::string beyond(const LinkSide& side, bool before) {
  const char* name = side.axis.side == Side::Query ? "queries " : "keys ";
  const std::size_t first = before ? 1 : side.end() + 1;
  const std::size_t last = before ? side.first : side.axis.count;
  return name + std::to_string(first) + " to " + std::to_string(last);
}

// “sat” → keys 201 to 300: 0.412 in 3 links, head 1
std::string words_of(const LinksScene& scene, const Quoted& quoted, const Stub& stub) {
  const std::string& token = quoted(stub.side, stub.token);
  const std::string ends = stub.side == Side::Query
                               ? token + " → " + beyond(scene.keys, stub.before)
                               : beyond(scene.queries, stub.before) + " → " + token;
  return ends + ": " + short_text(stub.weight) + " in " + counted(stub.links, "link", "links") +
         of_head(scene, stub.head);
}

// --- Lines

CellHit cell_of(const LinksScene& scene, const Link& link) {
  const HeadAddress& at = scene.options.at;
  const AttentionPart part = scene.input.result.problem().part;
  return {MatrixId{Stage::Weights, {at.layer, at.sample, link.head}, part}, link.query, link.key};
}

LineItem line_of(const LinksScene& scene, const Quoted& quoted, const Link& link) {
  LineItem line;
  line.from = end_of(scene, scene.queries, link.query, link.head);
  line.to = end_of(scene, scene.keys, link.key, link.head);
  line.color = with_alpha(scene.color(link.head), opacity(link.weight));
  line.width = line_width(scene);
  line.hit = cell_of(scene, link);
  if (scene.options.line_words) line.words = words_of(scene, quoted, link);
  return line;
}

// Towards a token just out of view, a short way.
LineItem stub_of(const LinksScene& scene, const Quoted& quoted, const Stub& stub) {
  constexpr double kLength = 2.2;  // font sizes
  const LinkSide& others = scene.side(stub.side == Side::Query ? Side::Key : Side::Query);
  const double beyond = stub.before ? static_cast<double>(others.first) - 2.0
                                    : static_cast<double>(others.end()) + 1.0;
  const Point from = end_of(scene, scene.side(stub.side), stub.token, stub.head);
  const Point to = scene.layout.end(others, beyond);
  const double part = kLength * scene.font() / std::hypot(to.x - from.x, to.y - from.y);
  LineItem line;
  line.from = from;
  line.to = {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
  line.color = with_alpha(scene.color(stub.head), opacity(stub.weight));
  line.width = line_width(scene);
  line.dash = {2.0, 2.0};
  if (scene.options.line_words) line.words = words_of(scene, quoted, stub);
  return line;
}

}  // namespace

void add_links(Figure& figure, const LinksScene& scene) {
  const Quoted quoted(scene);
  std::vector<LineItem> marked;
  for (const Link& link : scene.chosen.links) {
    LineItem line = line_of(scene, quoted, link);
    if (std::ranges::any_of(scene.options.pins,
                            [&](const CellHit& pin) { return is_link_of(line, pin); })) {
      marked.push_back(line);
    }
    figure.items.push_back(std::move(line));
  }
  for (const Stub& stub : scene.chosen.stubs) {
    figure.items.push_back(stub_of(scene, quoted, stub));
  }
  for (const LineItem& line : marked) add_marked(figure, line, scene.theme);
}

}  // namespace attn
