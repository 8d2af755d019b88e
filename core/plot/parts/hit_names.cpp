// Names and words for every kind of hit.
#include "plot/parts/hit_names.h"

#include "document/edit.h"
#include "engine/measures.h"

namespace attn {
namespace {

std::string side_name(const TokenHit& token) { return token.side == Side::Query ? "query" : "key"; }

std::string label_name(const HeadLabelHit& label) {
  return std::string(all_head_labels()[label.label].name);
}

std::string counted(const std::string& what, std::size_t index) {
  return what + " " + std::to_string(index + 1);
}

// "head/2", and where that is not enough "layer/1/head/2".
std::string head_name(const HeadAddress& at) {
  std::string name;
  if (at.layer > 0) name += "layer/" + std::to_string(at.layer) + "/";
  if (at.sample > 0) name += "sample/" + std::to_string(at.sample) + "/";
  return name + "head/" + std::to_string(at.head);
}

std::string head_words(const HeadAddress& at) {
  const std::string words = counted("layer", at.layer) + ", " + counted("head", at.head);
  return at.sample > 0 ? counted("sample", at.sample) + ", " + words : words;
}

struct Names {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const CellHit&) const { return ""; }
  std::string operator()(const ColorBarHit&) const { return "colorbar"; }
  std::string operator()(const RangeHit& r) const { return r.is_high ? "range/high" : "range/low"; }
  std::string operator()(const OverviewHit&) const { return "overview"; }
  std::string operator()(const OptionHit& o) const { return "option/" + o.field + "/" + o.label; }
  std::string operator()(const ReadingHit& r) const { return "reading/" + r.what; }
  std::string operator()(const TokenHit& t) const {
    return "token/" + side_name(t) + "/" + std::to_string(t.index);
  }
  std::string operator()(const StageHit& s) const {
    return "stage/" + std::string(stage_info(s.stage).name);
  }
  std::string operator()(const InputHit& i) const { return "input/" + i.label; }
  std::string operator()(const HeadHit& h) const { return head_name(h.head); }
  std::string operator()(const HeadLabelHit& l) const {
    return "label/" + std::to_string(l.head.head) + "/" + label_name(l);
  }
};

struct Words {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const CellHit&) const { return ""; }
  std::string operator()(const ColorBarHit&) const { return ""; }
  std::string operator()(const RangeHit&) const { return ""; }
  std::string operator()(const OverviewHit&) const { return ""; }
  std::string operator()(const OptionHit& o) const { return o.field + ": " + o.label; }
  std::string operator()(const ReadingHit& r) const { return r.what + ": " + r.number; }
  std::string operator()(const TokenHit& t) const { return counted(side_name(t), t.index); }
  std::string operator()(const StageHit& s) const { return std::string(stage_info(s.stage).label); }
  std::string operator()(const InputHit& i) const { return i.label; }
  std::string operator()(const HeadHit& h) const { return head_words(h.head); }
  std::string operator()(const HeadLabelHit& l) const {
    return counted("head", l.head.head) + ": " + label_name(l);
  }
};

}  // namespace

std::string hit_name(const HitId& hit) { return std::visit(Names{}, hit); }
std::string hit_words(const HitId& hit) { return std::visit(Words{}, hit); }

}  // namespace attn
