// Reads and writes transformer blocks and their norms.
#include "document/json/blocks.h"

#include <limits>
#include <string>

#include "base/number_text.h"
#include "document/json/values.h"

namespace attn {
namespace {

using Kind = JsonValue::Kind;

// More blocks than any model has; each takes memory before it is checked.
constexpr std::uint64_t kMostBlocks = 10'000;

// Norms.

constexpr Row<Norm> kNormRows[] = {{"weight", into<&Norm::weight, tensor<1, 1, float>>},
                                   {"bias", into<&Norm::bias, tensor_or_null<1, 1>>}};

bool read_norm(JsonValue json, Norm& norm) { return read_object<Norm>(json, kNormRows, norm); }

bool read_eps(JsonValue json, Stack& stack) {
  const std::string found = json.describe();
  if (!json.read_float(stack.eps)) return false;
  return (stack.eps > 0.0F && stack.eps <= std::numeric_limits<float>::max()) ||
         json.refuse("eps is not above zero", found, "a number above 0");
}

// true: a plain one; false: none; an object: its numbers.
bool read_final(JsonValue json, Stack& stack) {
  if (json.kind() == Kind::Object) return read_norm(json, stack.final_norm.emplace());
  bool wanted = false;
  if (!json.read_bool(wanted)) return false;
  if (wanted) stack.final_norm.emplace();
  return true;
}

constexpr Row<Stack> kNormsRows[] = {{"order", into<&Stack::order, choice<kNormOrders>>},
                                     {"kind", into<&Stack::norm, choice<kNormKinds>>},
                                     {"eps", read_eps},
                                     {"final", read_final}};

// Feed-forward networks.

bool read_activation(JsonValue json, FeedForwardFields& fields) {
  return read_named(json, all_activations(), "activation", &ActivationInfo::activation,
                    fields.activation.emplace());
}

using Network = FeedForwardFields;
constexpr Row<Network> kNetworkRows[] = {
    {"activation", read_activation},
    {"d_ff", into_optional<&Network::d_ff, count_from<1>>},
    {"order", into<&Network::out_in, choice<kMatrixOrders>>},
    {"w_1", into<&Network::w_1, tensor<2, 2, float>>},
    {"b_1", into<&Network::b_1, tensor_or_null<1, 1>>},
    {"w_gate", into<&Network::w_gate, tensor<2, 2, float>>},
    {"b_gate", into<&Network::b_gate, tensor_or_null<1, 1>>},
    {"w_2", into<&Network::w_2, tensor<2, 2, float>>},
    {"b_2", into<&Network::b_2, tensor_or_null<1, 1>>},
};

// Blocks.

bool read_block_projections(JsonValue json, ProjectionFields& projections) {
  return read_projections(json, projections);
}

bool read_feed_forward(JsonValue json, Network& network) {
  return read_object<Network>(json, kNetworkRows, network);
}

using Block = BlockFields;
constexpr Row<Block> kBlockRows[] = {
    {"projections", into<&Block::projections, read_block_projections>},
    {"attention_norm", into<&Block::attention_norm, read_norm>},
    {"cross_projections", into_optional<&Block::cross_projections, read_block_projections>},
    {"cross_norm", into<&Block::cross_norm, read_norm>},
    {"feed_forward_norm", into<&Block::feed_forward_norm, read_norm>},
    {"feed_forward", into<&Block::feed_forward, read_feed_forward>},
};

void write_norm(std::string& out, const Norm& norm, std::size_t level) {
  ObjectWriter object(out, level);
  object.tensor("weight", norm.weight);
  object.tensor("bias", norm.bias);
  object.end();
}

void append_norms(std::string& out, const Stack& stack) {
  ObjectWriter norms(out, 1);
  norms.text("order", name_of(kNormOrders, stack.order));
  norms.text("kind", name_of(kNormKinds, stack.norm));
  norms.raw("eps", shortest_text(stack.eps));
  if (stack.final_norm) write_norm(norms.member("final"), *stack.final_norm, 2);
  norms.end();
}

}  // namespace

bool read_norms(JsonValue json, DocumentFields& fields) {
  return read_object<Stack>(json, kNormsRows, fields.stack);
}

bool read_dropout(JsonValue json, DocumentFields& fields) {
  const std::string found = json.describe();
  if (!json.read_float(fields.stack.dropout)) return false;
  const bool is_share = fields.stack.dropout >= 0.0F && fields.stack.dropout < 1.0F;
  return is_share || json.refuse("the dropout is no share", found, "a number from 0 to below 1");
}

bool read_blocks(JsonValue json, DocumentFields& fields) {
  std::vector<BlockFields>& blocks = fields.blocks.emplace();
  if (json.kind() == Kind::Number) {
    std::uint64_t count = 0;
    if (!read_count(json, 1, count)) return false;
    if (count > kMostBlocks) {
      return json.refuse("these are too many blocks", std::to_string(count),
                         "at most " + std::to_string(kMostBlocks));
    }
    if (!json.charge(count * sizeof(BlockFields))) return false;
    blocks.resize(count);
    return true;
  }
  const bool read = json.each_item([&](JsonValue item) {
    BlockFields block;
    if (!item.charge(sizeof block)) return false;
    if (!read_object<BlockFields>(item, kBlockRows, block)) return false;
    blocks.push_back(std::move(block));
    return true;
  });
  if (!read || !blocks.empty()) return read;
  return json.refuse("an empty list", "no blocks", "at least one block");
}

void write_block_settings(ObjectWriter& object, const Model& model, std::string_view place) {
  const std::optional<std::size_t> block = block_of_path(place);
  if (!block || !place.ends_with("/feed_forward")) return;
  const FeedForward& network = stack_of(model)->blocks[*block].feed_forward;
  object.text("activation", activation_info(network.activation).name);
}

void write_norms(ObjectWriter& object, const Model& model) {
  const Stack* stack = stack_of(model);
  if (stack == nullptr) return;
  append_norms(object.member("norms"), *stack);
  if (stack->dropout > 0.0F) object.raw("dropout", shortest_text(stack->dropout));
}

std::vector<KeptMember> members_of(const Stack& stack) {
  std::vector<KeptMember> members;
  Stack usual;
  usual.dropout = stack.dropout;
  if (stack != usual) append_norms(members.emplace_back(KeptMember{"norms", ""}).json, stack);
  if (stack.dropout > 0.0F) members.push_back({"dropout", shortest_text(stack.dropout)});
  return members;
}

}  // namespace attn
