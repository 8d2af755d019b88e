// Lays out the measures of all heads for a terminal and as JSON.
#include "cli/measures_table.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/token_ids.h"

namespace attn::cli {
namespace {

using Line = std::vector<std::string>;

// Right-aligned columns, the last one left-aligned.
std::string aligned(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], code_point_count(line[i]));
    }
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      row += "  " + std::string(widths[i] - code_point_count(line[i]), ' ') + line[i];
    }
    row += "  " + line.back();
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

bool of_decoder(const std::vector<MeasuredAddress>& heads) {
  return std::ranges::find(heads, AttentionPart::Self, &MeasuredAddress::part) != heads.end();
}

// What tells heads apart.
struct Axes {
  bool attention, layer, sample;
  Axes(const AttentionShape& shape, const std::vector<MeasuredAddress>& heads)
      : attention(of_decoder(heads)), layer(shape.layers > 1), sample(shape.samples > 1) {}
};

// Two lines.
std::vector<Line> header_of(const Axes& axes) {
  Line upper, lower;
  const auto add = [&](std::string_view above, std::string_view below) {
    upper.emplace_back(above);
    lower.emplace_back(below);
  };
  if (axes.attention) add("", "Attention");
  if (axes.layer) add("", "Layer");
  if (axes.sample) add("", "Sample");
  add("", "Head");
  for (const MeasureInfo& measure : all_measures()) add(measure.heading[0], measure.heading[1]);
  add("", "Labels");
  return {upper, lower};
}

std::string joined_labels(const HeadMeasures& measures) {
  std::string text;
  for (const HeadLabelInfo* label : labels_of(measures)) {
    text += (text.empty() ? "" : ", ") + std::string(label->label);
  }
  return text;
}

Line line_of(const Axes& axes, const MeasuredAddress& head) {
  constexpr int kDecimals = 3;
  Line line;
  if (axes.attention) line.emplace_back(attention_part_info(head.part).name);
  if (axes.layer) line.push_back(std::to_string(head.at.layer));
  if (axes.sample) line.push_back(std::to_string(head.at.sample));
  line.push_back(std::to_string(head.at.head));
  for (const MeasureInfo& measure : all_measures()) {
    const std::optional<double> value = measure.value(head.measures);
    line.push_back(value ? fixed_text(*value, kDecimals) : "–");
  }
  line.push_back(joined_labels(head.measures));
  return line;
}

std::string rules_text(const std::vector<MeasuredAddress>& heads) {
  std::string text;
  for (const HeadLabelInfo& label : all_head_labels()) {
    const bool occurs = std::any_of(heads.begin(), heads.end(), [&](const MeasuredAddress& head) {
      return label.holds(head.measures);
    });
    if (occurs) text += "  " + std::string(label.label) + ": " + std::string(label.rule) + "\n";
  }
  return text;
}

std::string left_out_text(const std::vector<MeasuredAddress>& heads) {
  const std::string words = left_out_words(heads);
  return words.empty() ? "" : "  " + words + "\n";
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(std::isfinite(value) ? Json(value) : Json("nan"));
  }
  return list;
}

Json as_json(const MeasuredAddress& head) {
  const HeadMeasures& m = head.measures;
  Json json{{"layer", head.at.layer},
            {"sample", head.at.sample},
            {"head", head.at.head},
            {"rows", m.rows},
            {"unseeing_rows", m.left_out.unseeing},
            {"zero_rows", m.left_out.all_zero},
            {"negative_rows", m.left_out.negative},
            {"non_finite_rows", m.left_out.non_finite}};
  for (const MeasureInfo& measure : all_measures()) {
    const std::optional<double> value = measure.value(m);
    json[std::string(measure.name)] = value ? Json(*value) : Json(nullptr);
  }
  json["labels"] = Json::array();
  for (const HeadLabelInfo* label : labels_of(m)) json["labels"].push_back(label->name);
  json["row_entropy"] = numbers(m.row_entropy);
  json["received"] = numbers(m.received);
  return json;
}

}  // namespace

namespace {

void measure_part(const Document& document, const AttentionResult& result, AttentionPart part,
                  std::vector<MeasuredAddress>& heads) {
  const AttentionShape& shape = result.shape();
  HeadAddress at;
  for (at.layer = 0; at.layer < shape.layers; ++at.layer) {
    for (at.sample = 0; at.sample < shape.samples; ++at.sample) {
      const TokenIds tokens = token_ids(document, at.sample);
      for (at.head = 0; at.head < shape.heads; ++at.head) {
        heads.push_back({part, at, measure_head(result, at, tokens)});
      }
    }
  }
}

}  // namespace

std::vector<MeasuredAddress> measure_all(const Document& document, const AttentionResult& result) {
  std::vector<MeasuredAddress> heads;
  for (const AttentionPartInfo& info : attentions_of(document)) {
    measure_part(attended(document, info.part), result.attended(info.part), info.part, heads);
  }
  return heads;
}

std::string measures_table(const AttentionShape& shape, const std::vector<MeasuredAddress>& heads) {
  const Axes axes(shape, heads);
  std::vector<Line> lines = header_of(axes);
  for (const MeasuredAddress& head : heads) lines.push_back(line_of(axes, head));
  return "\nMeasures, means over the queries of each head\n" + aligned(lines) + "\n" +
         rules_text(heads) + left_out_text(heads);
}

void add_measures(Json& json, const std::vector<MeasuredAddress>& heads) {
  json["measures"] = Json::array();
  for (const MeasuredAddress& head : heads) {
    Json measured = as_json(head);
    if (of_decoder(heads)) measured["attention"] = attention_part_info(head.part).name;
    json["measures"].push_back(std::move(measured));
  }
  for (const HeadLabelInfo& label : all_head_labels()) {
    json["labels"][std::string(label.name)] = label.rule;
  }
}

}  // namespace attn::cli
