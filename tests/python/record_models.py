"""Small models of the layouts that `transformers` has, for the tests of `record`.

Classes have the names, attributes and signatures of that library, which Debian does not package; what they compute is
written here. "Old" ones are those of 4.2x to 4.47, where each model computes its attention itself; "new" ones those
since 4.48, which call a function of a registry by the name in their configuration.
"""

import math
import types

import torch
from torch import nn
from torch.nn import functional as F
from torch.overrides import handle_torch_function, has_torch_function


def standin_scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                                         enable_gqa=False):
    """The function of PyTorch 2, which shows itself to modes as that does; PyTorch 1.13 has a private one only."""
    if has_torch_function((query, key, value)):
        return handle_torch_function(standin_scaled_dot_product_attention, (query, key, value), query, key, value,
                                     attn_mask=attn_mask, dropout_p=dropout_p, is_causal=is_causal, scale=scale,
                                     enable_gqa=enable_gqa)
    return fused(query, key, value, attn_mask, is_causal, scale, enable_gqa)


standin_scaled_dot_product_attention.__name__ = "scaled_dot_product_attention"


def fused(query, key, value, mask=None, is_causal=False, scale=None, enable_gqa=False):
    """The output without the weights, in double, one head after another."""
    output = torch.empty(*query.shape[:-1], value.shape[-1], dtype=query.dtype)
    groups = query.shape[1] // key.shape[1] if enable_gqa else 1
    for head in range(query.shape[1]):
        q, k, v = query[:, head].double(), key[:, head // groups].double(), value[:, head // groups].double()
        scores = torch.einsum("bqd,bkd->bqk", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale)
        if is_causal:
            scores = scores.masked_fill(~torch.ones(scores.shape[1:], dtype=torch.bool).tril(), -math.inf)
        if mask is not None:
            part = mask.expand(query.shape[0], query.shape[1], *mask.shape[-2:])[:, head]
            scores = scores.masked_fill(~part, -math.inf) if part.dtype == torch.bool else scores + part
        output[:, head] = torch.einsum("bqk,bkd->bqd", scores.softmax(-1), v).to(output.dtype)
    return output


def config(**options):
    """A configuration by the names that `transformers` has."""
    return types.SimpleNamespace(**{**dict(
        hidden_size=32, num_attention_heads=4, num_key_value_heads=2, num_hidden_layers=3, head_dim=8, rope_theta=1e4,
        sliding_window=None, attn_logit_softcapping=None, query_pre_attn_scalar=8, _attn_implementation="eager",
        scale_attn_by_inverse_layer_idx=False, reorder_and_upcast_attn=False, max_position_embeddings=64,
        is_causal=True), **options})


def rotated(states, positions, theta=1e4):
    """Rotary positions of (samples, heads, rows, features), features i and i + d/2 being a pair."""
    half = states.shape[-1] // 2
    frequencies = theta ** -(torch.arange(half, device=states.device).float() / half)
    # As in the models themselves, this is a product of matrices that no attention is.
    angles = (frequencies[None, :, None] @ positions[:, None, :].float()).transpose(1, 2)[:, None].to(states.dtype)
    first, second = states[..., :half], states[..., half:]
    return torch.cat([first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1)


def repeat_kv(states, count):
    return states.unsqueeze(2).expand(-1, -1, count, -1, -1).flatten(1, 2)


def additive_mask(rows, keys, padding=None, window=None, dtype=torch.float32, causal=True, device="cpu"):
    """A bias as models add it to scores: 0, or the lowest number of the type where keys are hidden."""
    query, key = torch.arange(rows, device=device)[:, None] + keys - rows, torch.arange(keys, device=device)
    visible = (key <= query) if causal else torch.ones(rows, keys, dtype=torch.bool, device=device)
    if window is not None:
        visible = visible & (key > query - window)
    visible = visible[None, None]
    if padding is not None:
        visible = visible & padding[:, None, None, :].bool()
    return torch.zeros(visible.shape, dtype=dtype, device=device).masked_fill(~visible, torch.finfo(dtype).min)


# ---- GPT-2 ----------------------------------------------------------------------------------------------------------


class Conv1D(nn.Module):
    def __init__(self, nf, nx):
        super().__init__()
        self.nf, self.bias = nf, nn.Parameter(torch.randn(nf) * 0.1)
        self.weight = nn.Parameter(torch.randn(nx, nf) * 0.15)

    def forward(self, x):
        return torch.addmm(self.bias, x.reshape(-1, x.shape[-1]), self.weight).view(*x.shape[:-1], self.nf)


class GPT2Attention(nn.Module):
    """Old: scores in `_attn`, the causal mask a buffer, the cache a pair."""

    def __init__(self, config, is_cross_attention=False, layer_idx=None):
        super().__init__()
        size = config.max_position_embeddings
        self.register_buffer("bias", torch.ones(size, size, dtype=torch.bool).tril().view(1, 1, size, size))
        self.config, self.layer_idx, self.is_cross_attention = config, layer_idx, is_cross_attention
        self.num_heads = config.num_attention_heads
        self.head_dim = config.hidden_size // self.num_heads
        self.c_attn = Conv1D(3 * config.hidden_size, config.hidden_size)
        self.c_proj = Conv1D(config.hidden_size, config.hidden_size)
        self.attn_dropout = nn.Dropout(0.1)

    def _attn(self, query, key, value, attention_mask=None, head_mask=None):
        weights = torch.matmul(query, key.transpose(-1, -2))
        weights = weights / torch.full([], value.size(-1) ** 0.5, dtype=weights.dtype)
        if self.config.scale_attn_by_inverse_layer_idx:
            weights = weights / float(self.layer_idx + 1)
        rows, keys = query.size(-2), key.size(-2)
        causal = self.bias[:, :, keys - rows:keys, :keys]
        weights = torch.where(causal, weights.to(weights.dtype), torch.full([], torch.finfo(weights.dtype).min))
        if attention_mask is not None:
            weights = weights + attention_mask
        weights = nn.functional.softmax(weights, dim=-1).type(value.dtype)
        weights = self.attn_dropout(weights)
        if head_mask is not None:
            weights = weights * head_mask
        return torch.matmul(weights, value), weights

    def _upcast_and_reordered_attn(self, query, key, value, attention_mask=None, head_mask=None):
        samples, heads, rows, features = query.size()
        keys = key.size(-2)
        weights = torch.zeros(samples * heads, rows, keys)
        query, key = query.reshape(-1, rows, features), key.transpose(-1, -2).reshape(-1, features, keys)
        # transformers has beta=0, with which PyTorch 1.13 leaves NaN of memory that was used before.
        weights = torch.baddbmm(weights, query.float(), key.float(), beta=1, alpha=features ** -0.5)
        weights = weights.reshape(samples, heads, rows, keys)
        causal = self.bias[:, :, keys - rows:keys, :keys]
        weights = torch.where(causal, weights, torch.tensor(torch.finfo(weights.dtype).min))
        if attention_mask is not None:
            weights = weights + attention_mask
        weights = nn.functional.softmax(weights, dim=-1).type(value.dtype)
        return torch.matmul(weights, value), weights

    def forward(self, hidden_states, layer_past=None, attention_mask=None, head_mask=None, encoder_hidden_states=None,
                encoder_attention_mask=None, use_cache=False, output_attentions=False):
        query, key, value = (part.view(*part.shape[:2], self.num_heads, self.head_dim).permute(0, 2, 1, 3)
                             for part in self.c_attn(hidden_states).split(self.config.hidden_size, dim=2))
        if layer_past is not None:
            key, value = torch.cat((layer_past[0], key), -2), torch.cat((layer_past[1], value), -2)
        attend = self._upcast_and_reordered_attn if self.config.reorder_and_upcast_attn else self._attn
        output, weights = attend(query, key, value, attention_mask, head_mask)
        output = self.c_proj(output.permute(0, 2, 1, 3).reshape(hidden_states.shape))
        return (output, (key, value)) + ((weights,) if output_attentions else ())


class GPT2Block(nn.Module):
    def __init__(self, config, layer_idx):
        super().__init__()
        self.attn = GPT2Attention(config, layer_idx=layer_idx)


class GPT2Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.h = nn.ModuleList([GPT2Block(config, number) for number in range(config.num_hidden_layers)])

    def forward(self, hidden, attention_mask=None, past=None, head_mask=None):
        weights, cache = [], []
        for number, block in enumerate(self.h):
            output, present, own = block.attn(
                hidden, layer_past=None if past is None else past[number], attention_mask=attention_mask,
                head_mask=head_mask, use_cache=True, output_attentions=True)
            hidden = hidden + output
            weights.append(own)
            cache.append(present)
        return hidden, weights, cache


# ---- BERT -----------------------------------------------------------------------------------------------------------


class BertSelfAttention(nn.Module):
    """Old: `position_embedding_type` may be "relative_key", which adds to the scores before they are divided."""

    def __init__(self, config):
        super().__init__()
        self.num_attention_heads = config.num_attention_heads
        self.attention_head_size = config.hidden_size // config.num_attention_heads
        self.query, self.key, self.value = (nn.Linear(config.hidden_size, config.hidden_size) for _ in range(3))
        self.dropout = nn.Dropout(0.1)
        self.relative = nn.Parameter(torch.randn(9, 9, self.attention_head_size))
        self.position_embedding_type = getattr(config, "position_embedding_type", "absolute")

    def transpose_for_scores(self, x):
        return x.view(*x.shape[:-1], self.num_attention_heads, self.attention_head_size).permute(0, 2, 1, 3)

    def forward(self, hidden_states, attention_mask=None, head_mask=None, encoder_hidden_states=None,
                encoder_attention_mask=None, past_key_value=None, output_attentions=False):
        query = self.transpose_for_scores(self.query(hidden_states))
        key, value = (self.transpose_for_scores(part(hidden_states)) for part in (self.key, self.value))
        scores = torch.matmul(query, key.transpose(-1, -2))
        if self.position_embedding_type == "relative_key":
            rows = scores.shape[-1]
            scores = scores + torch.einsum("bhld,lrd->bhlr", query, self.relative[:rows, :rows])
        scores = scores / math.sqrt(self.attention_head_size)
        if attention_mask is not None:
            scores = scores + attention_mask
        weights = self.dropout(nn.Softmax(dim=-1)(scores))
        output = torch.matmul(weights, value).permute(0, 2, 1, 3).contiguous()
        return output.view(hidden_states.shape), weights


class BertAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.self = BertSelfAttention(config)


class BertLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = BertAttention(config)


class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = nn.ModuleList([BertLayer(config) for _ in range(config.num_hidden_layers)])

    def forward(self, hidden, attention_mask=None):
        weights = []
        for layer in self.layer:
            output, own = layer.attention.self(hidden, attention_mask)
            hidden = hidden + output
            weights.append(own)
        return hidden, weights


# ---- Llama and those like it ----------------------------------------------------------------------------------------


class RotaryAttention(nn.Module):
    """Projections and positions that all of these have."""

    def __init__(self, config, layer_idx=None):
        super().__init__()
        self.config, self.layer_idx, self.is_causal = config, layer_idx, config.is_causal
        self.num_heads, self.num_key_value_heads = config.num_attention_heads, config.num_key_value_heads
        self.num_key_value_groups = self.num_heads // self.num_key_value_heads
        self.head_dim, self.scaling = config.head_dim, config.head_dim ** -0.5
        self.q_proj = nn.Linear(config.hidden_size, self.num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(config.hidden_size, self.num_key_value_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(config.hidden_size, self.num_key_value_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(self.num_heads * self.head_dim, config.hidden_size, bias=False)

    def states(self, hidden_states, position_ids):
        q, k, v = (part(hidden_states).view(*hidden_states.shape[:2], -1, self.head_dim).transpose(1, 2)
                   for part in (self.q_proj, self.k_proj, self.v_proj))
        theta = self.config.rope_theta
        return rotated(q, position_ids, theta), rotated(k, position_ids, theta), v


class OldLlamaAttention(RotaryAttention):
    """4.3x: keys and values repeated for their groups, scores divided, a mask added, softmax in float32."""

    def attend(self, q, k, v, mask):
        weights = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(self.head_dim)
        if mask is not None:
            weights = weights + mask
            weights = torch.max(weights, torch.tensor(torch.finfo(weights.dtype).min))
        weights = nn.functional.softmax(weights, dim=-1, dtype=torch.float32).to(q.dtype)
        return torch.matmul(weights, v), weights

    def forward(self, hidden_states, attention_mask=None, position_ids=None, past_key_value=None,
                output_attentions=False, use_cache=False, cache_position=None, **kwargs):
        q, k, v = self.states(hidden_states, position_ids)
        if past_key_value is not None:
            k, v = torch.cat([past_key_value[0], k], 2), torch.cat([past_key_value[1], v], 2)
        present = (k, v)
        k, v = repeat_kv(k, self.num_key_value_groups), repeat_kv(v, self.num_key_value_groups)
        output, weights = self.attend(q, k, v, attention_mask)
        output = self.o_proj(output.transpose(1, 2).reshape(*hidden_states.shape[:2], -1))
        return output, weights, present


class LlamaSdpaAttention(OldLlamaAttention):
    """4.36 to 4.47: the fused function, which returns no weights."""

    def attend(self, q, k, v, mask):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=0.0,
                                              is_causal=mask is None and q.shape[2] > 1), None


class DynamicCache:
    def __init__(self):
        self.layers = {}

    def update(self, key_states, value_states, layer_idx, cache_kwargs=None):
        if layer_idx in self.layers:
            past = self.layers[layer_idx]
            key_states, value_states = torch.cat([past[0], key_states], 2), torch.cat([past[1], value_states], 2)
        self.layers[layer_idx] = key_states, value_states
        return key_states, value_states


def eager_attention_forward(module, query, key, value, attention_mask, scaling=None, dropout=0.0, softcap=None,
                            **kwargs):
    scaling = module.head_dim ** -0.5 if scaling is None else scaling
    key, value = repeat_kv(key, module.num_key_value_groups), repeat_kv(value, module.num_key_value_groups)
    weights = torch.matmul(query, key.transpose(2, 3)) * scaling
    if softcap is not None:
        weights = weights / softcap
        weights = torch.tanh(weights)
        weights = weights * softcap
    if attention_mask is not None:
        weights = weights + attention_mask[:, :, :, :key.shape[-2]]
    if getattr(module, "sinks", None) is not None:
        sinks = module.sinks.reshape(1, -1, 1, 1).expand(query.shape[0], -1, query.shape[-2], -1)
        weights = torch.cat([weights, sinks], dim=-1)
        weights = weights - weights.max(dim=-1, keepdim=True).values
    weights = nn.functional.softmax(weights, dim=-1, dtype=torch.float32).to(query.dtype)[..., :key.shape[-2]]
    weights = nn.functional.dropout(weights, p=dropout, training=module.training)
    return torch.matmul(weights, value).transpose(1, 2).contiguous(), weights


def sdpa_attention_forward(module, query, key, value, attention_mask, dropout=0.0, scaling=None, is_causal=None,
                           **kwargs):
    if attention_mask is not None:
        attention_mask = attention_mask[:, :, :, :key.shape[-2]]
    is_causal = query.shape[2] > 1 and attention_mask is None and module.is_causal
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=attention_mask, dropout_p=dropout,
                                            scale=scaling, is_causal=is_causal, enable_gqa=True)
    return output.transpose(1, 2).contiguous(), None


def flash_attention_forward(module, query, key, value, attention_mask, dropout=0.0, scaling=None, sliding_window=None,
                            softcap=None, is_causal=None, **kwargs):
    """A kernel that PyTorch does not see: NumPy's. Its mask is padding, (samples, keys), or none."""
    import numpy as np

    q, k, v = (part.detach().float().numpy().astype(np.float64) for part in (query, key, value))
    k, v = (np.repeat(part, query.shape[1] // part.shape[1], 1) for part in (k, v))
    scores = q @ k.swapaxes(-1, -2) * (q.shape[-1] ** -0.5 if scaling is None else scaling)
    if softcap is not None:
        scores = np.tanh(scores / softcap) * softcap
    rows, keys = scores.shape[-2:]
    place, key_place = np.arange(rows)[:, None] + keys - rows, np.arange(keys)
    visible = (key_place <= place) | (not module.is_causal)
    visible = visible & (key_place > place - (sliding_window or keys + 1))
    visible = np.broadcast_to(visible, scores.shape)
    if attention_mask is not None:
        visible = visible & (attention_mask.numpy() != 0)[:, None, None, :]
    weights = np.exp(np.where(visible, scores, -1e300) - scores.max(-1, keepdims=True)) * visible
    weights /= np.maximum(weights.sum(-1, keepdims=True), 1e-300)
    return torch.from_numpy((weights @ v).swapaxes(1, 2).copy()).to(query.dtype), None


def gpt2_eager_attention_forward(module, query, key, value, attention_mask, **kwargs):
    output, weights = module._attn(query, key, value, attention_mask)
    return output.transpose(1, 2), weights


ALL_ATTENTION_FUNCTIONS = {"sdpa": sdpa_attention_forward, "flash_attention_2": flash_attention_forward}


class LlamaAttention(RotaryAttention):
    """4.48 and later."""

    options: tuple = ()

    def forward(self, hidden_states, position_embeddings=None, attention_mask=None, past_key_values=None, **kwargs):
        position_ids = kwargs.pop("position_ids")
        q, k, v = self.states(hidden_states, position_ids)
        if past_key_values is not None:
            k, v = past_key_values.update(k, v, self.layer_idx)
        interface = eager_attention_forward
        if self.config._attn_implementation != "eager":
            interface = ALL_ATTENTION_FUNCTIONS[self.config._attn_implementation]
        output, weights = interface(self, q, k, v, attention_mask, dropout=0.0, scaling=self.scaling,
                                    **{name: getattr(self, name) for name in self.options}, **kwargs)
        return self.o_proj(output.reshape(*hidden_states.shape[:2], -1).contiguous()), weights


class NewGPT2Attention(GPT2Attention):
    """4.48 and later; called GPT2Attention there, too."""

    is_causal = True

    def forward(self, hidden_states, past_key_values=None, cache_position=None, attention_mask=None, head_mask=None,
                encoder_hidden_states=None, encoder_attention_mask=None, output_attentions=False, **kwargs):
        shape = (*hidden_states.shape[:-1], -1, self.head_dim)
        query, key, value = (part.view(shape).transpose(1, 2)
                             for part in self.c_attn(hidden_states).split(self.config.hidden_size, dim=2))
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        interface = ALL_ATTENTION_FUNCTIONS.get(self.config._attn_implementation, gpt2_eager_attention_forward)
        output, weights = interface(self, query, key, value, attention_mask, dropout=0.0)
        return self.c_proj(output.reshape(hidden_states.shape).contiguous()), weights


class NewBertSelfAttention(BertSelfAttention):
    """Later than 4.5x; called BertSelfAttention there, too."""

    is_causal = False

    def __init__(self, config):
        super().__init__(config)
        self.config, self.scaling = config, self.attention_head_size ** -0.5
        self.num_key_value_groups = 1

    def forward(self, hidden_states, attention_mask=None, past_key_values=None, cache_position=None, **kwargs):
        query, key, value = (part(hidden_states).view(*hidden_states.shape[:-1], -1, self.attention_head_size)
                             .transpose(1, 2) for part in (self.query, self.key, self.value))
        interface = ALL_ATTENTION_FUNCTIONS.get(self.config._attn_implementation, eager_attention_forward)
        output, weights = interface(self, query, key, value, attention_mask, dropout=0.0, scaling=self.scaling, **kwargs)
        return output.reshape(hidden_states.shape).contiguous(), weights


class MistralAttention(LlamaAttention):
    options = ("sliding_window",)

    def __init__(self, config, layer_idx):
        super().__init__(config, layer_idx)
        self.sliding_window = config.sliding_window


class Qwen2Attention(MistralAttention):
    """Biases of projections, a window in some layers only."""

    def __init__(self, config, layer_idx):
        super().__init__(config, layer_idx)
        self.q_proj, self.k_proj, self.v_proj = (nn.Linear(part.in_features, part.out_features)
                                                 for part in (self.q_proj, self.k_proj, self.v_proj))
        self.sliding_window = config.sliding_window if layer_idx % 2 else None


class GemmaAttention(LlamaAttention):
    pass


class Gemma2Attention(MistralAttention):
    """A scale of its own and a softcap."""

    options = ("sliding_window", "softcap")

    def __init__(self, config, layer_idx):
        super().__init__(config, layer_idx)
        self.scaling, self.softcap = config.query_pre_attn_scalar ** -0.5, config.attn_logit_softcapping


class GptOssAttention(LlamaAttention):
    def __init__(self, config, layer_idx):
        super().__init__(config, layer_idx)
        self.sinks = nn.Parameter(torch.randn(config.num_attention_heads))


class DecoderLayer(nn.Module):
    def __init__(self, kind, config, layer_idx):
        super().__init__()
        self.self_attn = kind(config, layer_idx)


class Model(nn.Module):
    def __init__(self, kind, config):
        super().__init__()
        self.config = config
        self.layers = nn.ModuleList([DecoderLayer(kind, config, number) for number in range(config.num_hidden_layers)])


class CausalLM(nn.Module):
    """A decoder of any of these. `padding` is (samples, keys), 1 for tokens."""

    def __init__(self, kind, config):
        super().__init__()
        self.model = Model(kind, config)

    def forward(self, hidden, padding=None, past=None):
        model, weights = self.model, []
        seen = 0
        if past:
            seen = past[0][0].shape[2] if isinstance(past, dict) else past.layers[0][0].shape[2] if past.layers else 0
        samples, rows = hidden.shape[:2]
        positions = torch.arange(seen, seen + rows, device=hidden.device)[None].expand(samples, -1)
        for number, layer in enumerate(model.layers):
            attention = layer.self_attn
            window = getattr(attention, "sliding_window", None)
            implementation = model.config._attn_implementation
            mask = additive_mask(rows, seen + rows, padding, window, hidden.dtype, device=hidden.device)
            if implementation == "flash_attention_2":
                mask = padding
            elif implementation == "sdpa" and padding is None and window is None and (not seen or rows == 1):
                mask = None
            if isinstance(attention, OldLlamaAttention):
                output, own, present = attention(hidden_states=hidden, attention_mask=mask, position_ids=positions,
                                                 past_key_value=(past or {}).get(number))
                if past is not None:
                    past[number] = present
            else:
                output, own = attention(hidden_states=hidden, attention_mask=mask, past_key_values=past,
                                        position_ids=positions)
            hidden = hidden + output
            weights.append(own)
        return hidden, weights
