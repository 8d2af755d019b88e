// Spelling of single values, and the lines of objects.
#include "base/json_writer.h"

#include <cmath>

#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

// All code points to escape are below U+10000.
std::string escaped(char32_t c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  if (c == '"' || c == '\\') return {'\\', static_cast<char>(c)};
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  return {'\\', 'u', kHex[c >> 12U], kHex[c >> 8U & 15U], kHex[c >> 4U & 15U], kHex[c & 15U]};
}

}  // namespace

void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (acts_on_terminals(point.value) || point.value == '"' || point.value == '\\') {
      out += escaped(point.value);
    } else {
      append_utf8(out, point.value);
    }
    at += point.length;
  }
  out += '"';
}

std::string spare_terminals(std::string_view json) {
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    const CodePoint point = code_point_at(json, at);
    const bool escapes = acts_on_terminals(point.value) && point.value != '\n';
    out += escapes ? escaped(point.value) : std::string(json.substr(at, point.length));
    at += point.length;
  }
  return out;
}

void append_json(std::string& out, float value) {
  const std::string text = shortest_text(value);
  out += std::isfinite(value) ? text : "\"" + text + "\"";
}

void append_json(std::string& out, std::uint8_t flag) { out += flag != 0 ? "true" : "false"; }

void append_json(std::string& out, std::uint64_t number) { out += std::to_string(number); }

void append_json(std::string& out, std::int64_t number) { out += std::to_string(number); }

void append_origin(std::string& out, const TensorOrigin& origin) {
  out += "{\"file\": ";
  append_json(out, origin.file);
  if (!origin.arrays.empty()) out += ", \"array\": ";
  const bool is_list = origin.arrays.size() > 1 || origin.stacks_one;
  if (is_list) append_row(out, origin.arrays);
  if (!is_list && !origin.arrays.empty()) append_json(out, origin.arrays.front());
  if (!origin.axes.empty()) append_row(out += ", \"axes\": ", origin.axes);
  if (origin.heads > 0) out += ", \"heads\": " + std::to_string(origin.heads);
  if (origin.turned) out += ", \"turned\": true";
  if (const TensorPart& part = origin.part; part.count > 0) {
    out += ", \"part\": {\"first\": " + std::to_string(part.first) +
           ", \"count\": " + std::to_string(part.count);
    if (part.every > 0) out += ", \"every\": " + std::to_string(part.every);
    out += '}';
  }
  out += '}';
}

void append_indent(std::string& out, std::size_t level) { out.append(2 * level, ' '); }

ObjectWriter::ObjectWriter(std::string& out, std::size_t level) : out_(out), level_(level) {
  out_ += '{';
}

std::string& ObjectWriter::member(std::string_view key) {
  out_ += first_ ? "\n" : ",\n";
  first_ = false;
  append_indent(out_, level_ + 1);
  append_json(out_, key);
  out_ += ": ";
  return out_;
}

void ObjectWriter::end() {
  if (!first_) {
    out_ += '\n';
    append_indent(out_, level_);
  }
  out_ += '}';
}

}  // namespace attn
