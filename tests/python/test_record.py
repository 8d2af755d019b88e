"""Tests of `attnscope.record`, with small models of the layouts that people record."""

import itertools
import math
import subprocess
import sys
import types
import unittest
import warnings
from pathlib import Path
from unittest import mock

PACKAGE = Path(__file__).resolve().parents[2] / "app" / "python"
sys.path.insert(0, str(PACKAGE))

try:
    import torch
except ImportError:
    raise unittest.SkipTest("PyTorch is not installed: apt-get install python3-torch") from None

import attnscope
import numpy as np
import record_models as models
from attnscope.record import record
from torch import nn
from torch.nn import functional as F

PADDING = torch.tensor([[1] * 7, [1] * 5 + [0] * 2])


def setUpModule():
    if not hasattr(F, "scaled_dot_product_attention"):  # PyTorch 1.13
        F.scaled_dot_product_attention = models.standin_scaled_dot_product_attention


def tearDownModule():
    if F.scaled_dot_product_attention is models.standin_scaled_dot_product_attention:
        del F.scaled_dot_product_attention


def storage(tensor):
    """Address of the memory that a tensor is a part of."""
    return getattr(tensor, "untyped_storage", tensor.storage)().data_ptr()


def plain_weights(arrays):
    """Weights (samples, layers, heads, queries, keys) of what is saved, by NumPy in double."""
    q, k = (arrays[name].double().numpy() for name in "qk")
    if q.ndim == 4:
        q, k = q[None], k[None]
    scores = q @ np.repeat(k, q.shape[2] // k.shape[2], 2).swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    samples, layers, heads, queries, keys = scores.shape
    extents = dict(samples=samples, layers=layers, heads=heads, queries=queries, keys=keys)
    visible = np.tri(queries, keys, dtype=bool) if arrays.get("causal") else np.array(True)
    for name in ("mask", "bias"):
        if name in arrays:
            axes = arrays["axes"][name]
            shape = [extents[axis] if axis in axes else 1 for axis in extents]
            array = arrays[name].numpy().reshape(shape)
            visible, scores = (array, scores) if name == "mask" else (visible, scores + array)
    scores = np.where(visible, scores, -np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return np.nan_to_num(weights / weights.sum(-1, keepdims=True))


class RecordTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        self.hidden = torch.randn(2, 7, 32)
        context = torch.no_grad()
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)

    def assert_close(self, found, expected, tolerance=1e-6):
        found, expected = torch.as_tensor(found), torch.as_tensor(expected)
        self.assertEqual(tuple(found.shape), tuple(expected.shape))
        self.assertLess(float((found.double() - expected.double()).abs().max()), tolerance)

    def assert_weights(self, run, own, tolerance=1e-6):
        """The run's weights, and those that can be computed of what it saves, are the model's own."""
        own = torch.stack(list(own), 1)
        lead = (lambda tensor: tensor if run.layers[0].shape[0] > 1 else tensor[None])
        self.assert_close(lead(run.attention), own, tolerance)
        if "q" in run.arrays():
            self.assert_close(plain_weights(run.arrays()), own, tolerance)

    def transformers(self):
        """A module with the registry of kernels."""
        module = types.SimpleNamespace(ALL_ATTENTION_FUNCTIONS=models.ALL_ATTENTION_FUNCTIONS)
        return mock.patch.dict(sys.modules, {"transformers.modeling_utils": module})

    def decoder(self, kind, **options):
        return models.CausalLM(kind, models.config(**options)).eval()


class EagerTest(RecordTest):
    """Models that compute their weights themselves, which the recorded ones equal."""

    def test_gpt2(self):
        for options in ({}, {"scale_attn_by_inverse_layer_idx": True}, {"reorder_and_upcast_attn": True}):
            with self.subTest(**options):
                model = models.GPT2Model(models.config(**options)).eval()
                with record(model) as run:
                    _, own, cache = model(self.hidden)
                self.assert_weights(run, own)
                self.assertTrue(torch.equal(run.k[:, 2], cache[2][0]))
                self.assertTrue(torch.equal(run.v[:, 2], cache[2][1]))
                self.assertEqual([layer.name for layer in run.layers], ["h.0.attn", "h.1.attn", "h.2.attn"])
                self.assertTrue(run.arrays()["causal"])
                self.assertTrue(torch.equal(run.mask, torch.ones(7, 7).bool().tril()))

    def test_gpt2_with_padding_and_masked_heads(self):
        model = models.GPT2Model(models.config()).eval()
        heads = torch.tensor([1.0, 0.0, 1.0, 1.0]).view(1, 4, 1, 1)
        mask = models.additive_mask(7, 7, PADDING, causal=False)
        with record(model, keep=("q", "k", "attention")) as run:
            _, own, _ = model(self.hidden, mask, head_mask=heads)
        self.assertEqual(run.axes["mask"], ["samples", "queries", "keys"])
        self.assertFalse(run.mask[1, :, 5:].any())
        own = [weights[:, [0, 2, 3]] for weights in own]  # the weights are those before a head is left out
        self.assert_close(run.attention[:, :, [0, 2, 3]], torch.stack(own, 1))
        self.assert_close(run.attention.sum(-1), torch.ones(2, 3, 4, 7))

    def test_bert(self):
        for kind in ("absolute", "relative_key"):
            with self.subTest(kind):
                model = models.BertEncoder(models.config(position_embedding_type=kind)).eval()
                with record(model) as run:
                    _, own = model(self.hidden, models.additive_mask(7, 7, PADDING, causal=False))
                self.assert_weights(run, own)
                self.assertEqual({layer.kind for layer in run.layers}, {"BertSelfAttention"})
                self.assertEqual([layer.number for layer in run.layers], [0, 1, 2])
                self.assertEqual("bias" in run.arrays(), kind == "relative_key")

    def test_decoders(self):
        kinds = (models.OldLlamaAttention, models.LlamaAttention, models.MistralAttention, models.Qwen2Attention,
                 models.GemmaAttention, models.Gemma2Attention)
        for kind in kinds:
            for padding in (None, PADDING):
                with self.subTest(kind.__name__, padding=padding is not None):
                    model = self.decoder(kind, sliding_window=3, query_pre_attn_scalar=5)
                    with record(model) as run:
                        _, own = model(self.hidden, padding)
                    self.assert_weights(run, own)
                    self.assertEqual(run.q.shape, (2, 3, 4, 7, 8))
                    self.assertEqual(run.k.shape, (2, 3, 2, 7, 8))  # key heads, as they were before they were repeated
                    self.assertEqual(run.v.shape, (2, 3, 2, 7, 8))

    def test_queries_and_keys_are_those_after_positions(self):
        model = self.decoder(models.LlamaAttention)
        with record(model) as run:
            model(self.hidden)
        attention = model.model.layers[0].self_attn
        q, k, v = attention.states(self.hidden, torch.arange(7)[None].expand(2, -1))
        self.assertTrue(torch.equal(run.q[:, 0], q))
        self.assertTrue(torch.equal(run.k[:, 0], k))
        self.assertTrue(torch.equal(run.v[:, 0], v))

    def test_a_window_in_some_layers(self):
        model = self.decoder(models.Qwen2Attention, sliding_window=2)
        with record(model) as run:
            model(self.hidden)
        self.assertEqual(run.axes["mask"], ["layers", "queries", "keys"])
        full = torch.ones(7, 7).bool().tril()
        self.assertTrue(torch.equal(run.mask, torch.stack([full, full & ~full.tril(-2), full])))

    def test_a_softcap(self):
        model = self.decoder(models.Gemma2Attention, attn_logit_softcapping=0.5, query_pre_attn_scalar=3)
        with record(model) as run:
            _, own = model(self.hidden)
        self.assert_weights(run, own)
        self.assertAlmostEqual(run.layers[0].softcap, 0.5)
        self.assertEqual(sorted(run.arrays()), ["attention", "axes"])  # q and k do not say all

    def test_sinks(self):
        model = self.decoder(models.GptOssAttention)
        with record(model) as run:
            _, own = model(self.hidden)
        self.assert_weights(run, own)
        self.assertFalse(run.layers[0].exact)
        self.assertEqual(sorted(run.arrays()), ["attention", "axes"])

    def test_dropout_leaves_the_weights(self):
        model = models.GPT2Model(models.config())
        with record(model, keep="attention") as run:
            model(self.hidden)
        self.assert_close(run.attention.sum(-1), torch.ones(2, 3, 4, 7))

    def test_left_padding(self):
        padding = torch.tensor([[1] * 7, [0] * 2 + [1] * 5])
        model = self.decoder(models.LlamaAttention)
        with record(model) as run:
            _, own = model(self.hidden, padding)
        self.assert_close(run.attention[:, :, :, 2:], torch.stack(own, 1)[:, :, :, 2:])
        self.assertEqual(float(run.attention[1, :, :, :2].abs().max()), 0)  # queries that see no key


class FusedTest(RecordTest):
    """Kernels that return no weights."""

    def test_weights_are_those_of_the_eager_model(self):
        kinds = (models.LlamaAttention, models.MistralAttention, models.Qwen2Attention, models.Gemma2Attention)
        for implementation in ("sdpa", "flash_attention_2"):
            for kind in kinds:
                for padding in (None, PADDING):
                    with self.subTest(kind.__name__, implementation=implementation, padding=padding is not None):
                        model = self.decoder(kind, sliding_window=3, query_pre_attn_scalar=5,
                                             attn_logit_softcapping=None if implementation == "sdpa" else 2.0)
                        _, own = model(self.hidden, padding)
                        model.model.config._attn_implementation = implementation
                        with self.transformers(), record(model) as run:
                            _, nothing = model(self.hidden, padding)
                        self.assertEqual(nothing, [None] * 3)
                        rows = slice(None) if padding is None else slice(0, 5)
                        self.assert_close(run.attention[..., rows, :], torch.stack(own, 1)[..., rows, :])
                        self.assertEqual(run.k.shape, (2, 3, 2, 7, 8))

    def test_new_gpt2_and_bert(self):
        for kind, implementation, padding in itertools.product(
                (models.NewGPT2Attention, models.NewBertSelfAttention), ("sdpa", "flash_attention_2", "eager"),
                (None, PADDING)):
            with self.subTest(kind.__name__, implementation=implementation, padding=padding is not None):
                module = kind(models.config()).eval()
                mask = models.additive_mask(7, 7, padding, causal=module.is_causal)
                own = module(self.hidden, attention_mask=mask)[1]
                module.config._attn_implementation = implementation
                with self.transformers(), record(module) as run:
                    module(self.hidden, attention_mask=padding if "flash" in implementation else mask)
                self.assert_close(run.attention, own.unsqueeze(1))
                self.assert_close(plain_weights(run.arrays()), own.unsqueeze(1))
                self.assertEqual("causal" in run.arrays(), module.is_causal and padding is None)

    def test_modules_that_call_the_fused_function_themselves(self):
        for padding in (None, PADDING):
            model = self.decoder(models.OldLlamaAttention)
            _, own = model(self.hidden, padding)
            model.model.config._attn_implementation = "sdpa"
            for layer in model.model.layers:
                layer.self_attn.__class__ = models.LlamaSdpaAttention
            with record(model) as run:
                model(self.hidden, padding)
            self.assert_weights(run, own)
            self.assertEqual(run.k.shape, (2, 3, 2, 7, 8))
            self.assertEqual(run.layers[0].causal, padding is None)

    def test_the_registry_is_as_before(self):
        before = dict(models.ALL_ATTENTION_FUNCTIONS)
        model = self.decoder(models.LlamaAttention)
        with self.assertRaises(ZeroDivisionError), self.transformers(), record(model):
            self.assertNotEqual(before, models.ALL_ATTENTION_FUNCTIONS)
            raise ZeroDivisionError
        self.assertEqual(before, models.ALL_ATTENTION_FUNCTIONS)

    def test_a_kernel_that_is_not_seen_is_named(self):
        model = self.decoder(models.LlamaAttention, _attn_implementation="flash_attention_2")
        with self.assertWarnsRegex(UserWarning, r'model\.layers\.0\.self_attn.*\(LlamaAttention\).*"sdpa" or "eager"'):
            with record(model) as run:
                model(self.hidden)
        with self.assertRaisesRegex(ValueError, "no attention was recorded"):
            run.q

    def test_masks_and_scales(self):
        class Attention(nn.Module):
            def forward(self, *args, **kwargs):
                return F.scaled_dot_product_attention(*args, **kwargs)

        q, k, v = torch.randn(2, 4, 3, 8), torch.randn(2, 4, 5, 8), torch.randn(2, 4, 5, 6)
        bias = torch.randn(1, 4, 3, 5)
        bias[..., 4] = -math.inf
        mask = torch.rand(2, 1, 3, 5) > 0.4
        mask[..., 0] = True
        for options in ({}, {"scale": 0.3}, {"attn_mask": bias}, {"attn_mask": mask}, {"attn_mask": mask[0, 0]},
                        {"is_causal": True}):
            with self.subTest(options=list(options)):
                model = Attention()
                with record(model) as run:
                    output = model(q, k, v, **options)
                self.assert_close(run.attention @ v.unsqueeze(1), output.unsqueeze(1))
                self.assert_close(torch.from_numpy(plain_weights(run.arrays())), run.attention)


class CacheTest(RecordTest):
    """Calls that continue a cache are one run."""

    def generate(self, model, cache, padding=None):
        for begin, end in ((0, 4), (4, 5), (5, 6), (6, 7)):
            model(self.hidden[:, begin:end], None if padding is None else padding[:, :end], past=cache)

    def test_steps_equal_the_whole(self):
        for kind, implementation, new_cache in (
            (models.OldLlamaAttention, "eager", dict), (models.LlamaAttention, "eager", models.DynamicCache),
            (models.MistralAttention, "eager", models.DynamicCache),
            (models.LlamaAttention, "sdpa", models.DynamicCache),
            (models.MistralAttention, "flash_attention_2", models.DynamicCache),
        ):
            for padding in (None, PADDING):
                with self.subTest(kind.__name__, implementation=implementation, padding=padding is not None):
                    model = self.decoder(kind, sliding_window=3, num_hidden_layers=1,
                                         _attn_implementation=implementation)
                    with self.transformers(), record(model) as whole:
                        model(self.hidden, padding)
                    cache = new_cache()
                    if kind is models.OldLlamaAttention:
                        cache[0] = (torch.empty(2, 2, 0, 8),) * 2
                    with self.transformers(), record(model) as run:
                        self.generate(model, cache, padding)
                    self.assertEqual(len(run.calls), 4)
                    self.assert_close(run.q, whole.q)
                    self.assert_close(run.k, whole.k)
                    self.assert_close(run.v, whole.v)
                    self.assertTrue(torch.equal(run.mask, whole.mask))
                    self.assert_close(run.attention, whole.attention)
                    self.assertEqual(sorted(run.arrays()), sorted(whole.arrays()))

    def test_a_step_by_itself(self):
        model = self.decoder(models.LlamaAttention, num_hidden_layers=1)
        cache = models.DynamicCache()
        model(self.hidden[:, :6], past=cache)
        with record(model) as run:
            _, own = model(self.hidden[:, 6:], past=cache)
        self.assertEqual((run.q.shape, run.k.shape), ((2, 1, 4, 1, 8), (2, 1, 2, 7, 8)))
        self.assert_weights(run, own)
        self.assertIsNone(run.mask)

    def test_several_new_tokens_on_a_cache(self):
        model = self.decoder(models.LlamaAttention)
        cache = models.DynamicCache()
        model(self.hidden[:, :4], past=cache)
        with record(model) as run:
            _, own = model(self.hidden[:, 4:], past=cache)
        self.assert_weights(run, own)
        self.assertTrue(torch.equal(run.mask, torch.ones(3, 7).bool().tril(4)))

    def test_keys_of_all_steps_are_in_memory_once(self):
        model = self.decoder(models.LlamaAttention)
        with record(model) as run:
            self.generate(model, models.DynamicCache())
        for name in ("k", "v"):
            storages = {storage(getattr(call.layers[1], name)) for call in run.calls}
            self.assertEqual(len(storages), 1, name)

    def test_weights_alone(self):
        model = self.decoder(models.LlamaAttention)
        with record(model, keep="attention") as whole:
            model(self.hidden)
        with record(model, keep="attention") as run:
            self.generate(model, models.DynamicCache())
        self.assert_close(run.attention, whole.attention)

    def test_calls_that_do_not_belong_together(self):
        model = self.decoder(models.LlamaAttention)
        with record(model) as run:
            _, first = model(self.hidden)
            _, second = model(self.hidden[:1, :3])
        self.assert_weights(run.calls[0], first)
        self.assert_weights(run.calls[1], second)
        for use in (lambda: run.q, lambda: run.attention, lambda: run.mask, lambda: run.arrays(), lambda: run.layers):
            with self.assertRaisesRegex(ValueError, r"2 forward calls .* run\.calls\[0\]\.q"):
                use()
        cache = models.DynamicCache()
        model(self.hidden.flip(0)[:, :4], past=cache)
        with record(model) as run:
            model(self.hidden[:, :4])
            model(self.hidden[:, 4:5], past=cache)  # the cache of another text
        with self.assertRaisesRegex(ValueError, "do not continue one cache"):
            run.q

    def test_one_sample_has_no_axis_of_samples(self):
        model = self.decoder(models.LlamaAttention)
        with record(model) as run:
            model(self.hidden[:1])
        self.assertEqual((run.q.shape, run.attention.shape), ((3, 4, 7, 8), (3, 4, 7, 7)))
        self.assertEqual(run.axes, {"q": ["layers", "heads", "queries", "features"],
                                    "k": ["layers", "heads", "keys", "features"],
                                    "v": ["layers", "heads", "keys", "features"],
                                    "attention": ["layers", "heads", "queries", "keys"], "mask": ["queries", "keys"]})


class WrittenOutTest(RecordTest):
    """Scores by einsum, and softmax by exponentials and their sums, as research code has them."""

    def tried(self, weigh, multiply=torch.matmul, heads=4, kind="Attention", mask=None):
        """Records a module whose weights are weigh(q, k), with q and k (samples, heads, rows, features)."""
        def forward(_, x):
            q, k = x.view(2, 7, heads, -1).transpose(1, 2), x.flip(-1).view(2, 7, heads, -1).transpose(1, 2)
            weights = weigh(q, k)
            return multiply(weights, q), weights

        model = type(kind, (nn.Module,), {"forward": forward})()
        with record(model) as run:
            _, own = model(self.hidden)
        return run, own

    def assert_seen(self, weigh, multiply=torch.matmul, **options):
        run, own = self.tried(weigh, multiply, **options)
        self.assertTrue(run.layers[0].exact)
        self.assert_weights(run, [own.flatten(1, -3)])
        value = self.hidden.view(2, 7, own.shape[1:-2].numel(), -1).transpose(1, 2)
        self.assert_close(run.v, value.unsqueeze(1))

    def test_einsum(self):
        for equation in ("bhid,bhjd->bhij", "b h i d, b h j d -> b h i j", "...id,...jd->...ij", "...aw,...bw"):
            with self.subTest(equation):
                self.assert_seen(lambda q, k: (torch.einsum(equation, q, k) / 8 ** 0.5).softmax(-1))
        self.assert_seen(lambda q, k: torch.einsum("bhij,bhdj->bhdi", k, q).softmax(-1))  # keys first
        self.assert_seen(lambda q, k: torch.einsum("bihd,bjhd->bhij", q.transpose(1, 2), k.transpose(1, 2)).softmax(-1))
        self.assert_seen(lambda q, k: torch.einsum("bhid,bhjd->bhij", [q, k]).softmax(-1))
        self.assert_seen(lambda q, k: torch.einsum(q, [0, 1, 2, 3], k, [0, 1, 4, 3], [0, 1, 2, 4]).softmax(-1))
        visible = torch.ones(7, 7).tril().bool()
        self.assert_seen(lambda q, k: torch.einsum("bhid,bhjd->bhij", q, k).masked_fill(~visible, -1e9).softmax(-1))

    def test_einsum_of_values(self):
        for equation in ("bhij,bhjd->bhid", "bhij,bhjd->bihd", "...ij,...jd->...id"):
            with self.subTest(equation):
                self.assert_seen(lambda q, k: (torch.matmul(q, k.mT) * 0.3).softmax(-1),
                                 lambda weights, v: torch.einsum(equation, weights, v))
        self.assert_seen(lambda q, k: (q @ k.mT).softmax(-1),
                         lambda weights, v: torch.einsum("bjhd,bhij->bihd", v.transpose(1, 2), weights))

    def test_groups_of_heads(self):
        run, own = self.tried(lambda q, k: torch.einsum("bghid,bgjd->bghij", q.unflatten(1, (2, 2)),
                                                        k[:, :2]).softmax(-1).flatten(1, 2))
        self.assert_weights(run, [own])
        run, own = self.tried(lambda q, k: (q.unflatten(1, (2, 2)) @ k[:, :2, None].mT).softmax(-1).flatten(1, 2))
        self.assert_weights(run, [own])
        hidden = torch.rand(2, 1, 1, 7, 7) < 0.3
        hidden[..., 0] = False
        run, own = self.tried(lambda q, k: (torch.einsum("bghid,bgjd->bghij", q.unflatten(1, (2, 2)), k[:, :2])
                                            .masked_fill(hidden, -math.inf)).softmax(-1).flatten(1, 2))
        self.assert_weights(run, [own])

    def test_softmax_written_out(self):
        visible = torch.ones(7, 7).tril().bool()

        def scores(q, k):
            return (q @ k.mT * 0.3).masked_fill(~visible, -math.inf)

        def plain(q, k):
            exponentials = torch.exp(scores(q, k))
            return exponentials / exponentials.sum(-1, keepdim=True)

        def with_largest(q, k):
            s = scores(q, k)
            exponentials = (s - s.max(dim=-1, keepdim=True)[0].detach()).exp()
            return exponentials / (exponentials.sum(dim=3)[..., None] + 1e-12)

        def einsum_and_amax(q, k):
            s = torch.einsum("bhid,bhjd->bhij", q, k) * 0.3
            exponentials = torch.exp(s - s.amax(-1).unsqueeze(-1)) * visible
            exponentials /= exponentials.sum(-1, keepdim=True)
            return exponentials

        def logarithms(q, k):
            s = scores(q, k)
            return torch.exp(s - torch.logsumexp(s, -1, keepdim=True))

        def log_softmax(q, k):
            return F.log_softmax(scores(q, k), dim=-1).exp()

        def filled(q, k):
            exponentials = torch.exp(q @ k.mT * 0.3).masked_fill(~visible, 0)
            return F.normalize(exponentials, p=1, dim=-1)

        for weigh in (plain, with_largest, einsum_and_amax, logarithms, log_softmax, filled):
            with self.subTest(weigh.__name__):
                self.assert_seen(weigh)

    def test_values_before_the_sums(self):
        def forward(_, x):
            q = x.view(2, 7, 4, 8).transpose(1, 2)
            exponentials = torch.exp(q @ q.mT * 0.1)
            return exponentials @ q / exponentials.sum(-1, keepdim=True)

        model = type("Attention", (nn.Module,), {"forward": forward})()
        with record(model) as run:
            out = model(self.hidden)
        self.assert_close(run.attention.squeeze(1) @ run.v.squeeze(1), out)

    def test_sums_of_columns_make_no_weights(self):
        """Sinkhorn's first step, and a sum of the keys' axis of a square map."""
        for weigh in (lambda q, k: (lambda e: e / e.sum(-2, keepdim=True))(torch.exp(q @ k.mT)),
                      lambda q, k: (lambda e: e / e.sum(-2)[..., None])(torch.exp(q @ k.mT))):
            with self.assertWarnsRegex(UserWarning, "no attention was seen"):
                self.tried(weigh)

    def test_exponentials_that_are_changed_otherwise(self):
        for change in (lambda e: e * 2, lambda e: e ** 2, lambda e: e + 1, lambda e: e * torch.rand(7, 7)):
            run, own = self.tried(lambda q, k: F.normalize(change(torch.exp(q @ k.mT * 0.1)), p=1, dim=-1))
            self.assertFalse(run.layers[0].exact)
            self.assert_weights(run, [own])

    def test_rows_divided_by_their_sums_are_weights_of_their_own(self):
        run, own = self.tried(lambda q, k: (lambda s: s / s.sum(-1, keepdim=True))((q @ k.mT).relu() + 1))
        self.assertFalse(run.layers[0].exact)
        self.assert_weights(run, [own])

    def test_what_is_not_seen_is_said(self):
        with self.assertWarnsRegex(UserWarning, r"no attention was seen in Attention \(Attention\). A softmax of shape "
                                                r"\(2, 4, 7, 7\) in Attention was not of a product"):
            run, _ = self.tried(lambda q, k: -torch.cdist(q, k).square().softmax(-1))
        with self.assertRaisesRegex(ValueError, "no attention was recorded: no attention was seen in Attention"):
            run.attention
        with self.assertWarnsRegex(UserWarning, r"the model ran, and no attention.*softmax of shape \(2, 4, 7, 7\)"):
            self.tried(lambda q, k: (q.unsqueeze(3) * k.unsqueeze(2)).sum(-1).softmax(-1), kind="Mixer")
        with self.assertWarnsRegex(UserWarning, "the model ran, and no attention was seen in it: neither"):
            with record(nn.Linear(32, 32)) as run:
                nn.Linear(32, 32)(self.hidden)
                run_model = nn.Linear(32, 32)
            with record(run_model) as run:
                run_model(self.hidden)

    def product_of_three_axes(self):
        def forward(_, x):
            q = x.view(2, 7, 4, 8).transpose(1, 2).reshape(8, 7, 8)
            weights = torch.bmm(q, q.transpose(1, 2)).softmax(-1)
            return torch.bmm(weights, q), weights

        return type("Attention", (nn.Module,), {"forward": forward})()

    def test_samples_and_heads_in_one_axis_are_said(self):
        model = self.product_of_three_axes()
        with self.assertWarnsRegex(UserWarning, "8 of Attention were taken as 2 samples of 4 heads; record"):
            with record(model) as run:
                _, own = model(self.hidden)
        self.assert_weights(run, [own.view(2, 4, 7, 7)])
        with record(model, heads=2) as run:
            model(self.hidden)
        self.assertEqual(run.layers[0].shape, (4, 2, 7, 7))
        with self.assertWarnsRegex(UserWarning, "taken as 8 samples of 1 heads"):
            with record(model) as run:
                model(x=self.hidden)  # the hook has no input to look at
        for named in (model, type("Mixer", (type(model),), {})()):
            named.heads = 4
            with record(named) as run:
                named(self.hidden)
            self.assertEqual(run.layers[0].shape, (2, 4, 7, 7))


class TorchModulesTest(RecordTest):
    """Modules of PyTorch, and modules without known names."""

    def test_multihead_attention(self):
        key_padding = PADDING == 0
        causal = torch.ones(7, 7).bool().triu(1)
        bias = torch.randn(8, 7, 7)
        cases = (
            ({}, {}), ({"batch_first": True}, {}), ({"batch_first": True}, {"key_padding_mask": key_padding}),
            ({}, {"attn_mask": causal}), ({}, {"attn_mask": bias}),
            ({"batch_first": True}, {"attn_mask": causal, "key_padding_mask": key_padding}),
            ({"add_bias_kv": True}, {"key_padding_mask": key_padding}),
            ({"add_zero_attn": True}, {"attn_mask": causal}), ({"bias": False}, {}), ({"kdim": 16, "vdim": 24}, {}),
        )
        for options, given in cases:
            with self.subTest(options=options, given=list(given)):
                module = nn.MultiheadAttention(32, 4, **options).eval()
                x = self.hidden if options.get("batch_first") else self.hidden.transpose(0, 1)
                key, value = x[..., :options.get("kdim", 32)], x[..., :options.get("vdim", 32)]
                own = module(x, key, value, average_attn_weights=False, **given)[1]
                with record(module) as run:
                    module(x, key, value, need_weights=False, **given)
                self.assert_weights(run, [own])

    def test_multihead_attention_without_samples(self):
        module = nn.MultiheadAttention(32, 4).eval()
        with record(module) as run:
            _, own = module(*[self.hidden[0]] * 3, average_attn_weights=False)
        self.assert_close(run.attention, own[None])

    def test_encoder_layers_that_would_take_the_fast_path(self):
        layer = nn.TransformerEncoderLayer(32, 4, 16, batch_first=True)
        model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
        expected = model(self.hidden, src_key_padding_mask=PADDING == 0)[PADDING.bool()]
        with record(model) as run:
            found = model(self.hidden, src_key_padding_mask=PADDING == 0)[PADDING.bool()]
        self.assert_close(found, expected, 1e-5)
        self.assertEqual([layer.name for layer in run.layers], ["layers.0.self_attn", "layers.1.self_attn"])
        self.assertFalse(run.mask[1, :, 5:].any())

    def test_encoder_and_decoder(self):
        model = nn.Transformer(32, 4, 2, 2, 16, batch_first=True).eval()
        with record(model) as run:
            model(self.hidden, self.hidden[:, :4])
        with self.assertRaisesRegex(ValueError, r"several kinds .*decoder\.layers\.\*\.multihead_attn"):
            run.q
        self.assertEqual(run.select("decoder.*.multihead_attn").attention.shape, (2, 2, 4, 4, 7))
        self.assertEqual(run.select("encoder.*", layers=[1]).attention.shape, (2, 1, 4, 7, 7))
        with self.assertRaisesRegex(ValueError, r"'x' with one of the numbers \[1\]: .*layers.0.multihead_attn \(0\)"):
            run.select("x", layers=[1])
        with record(model, modules="encoder.*.self_attn") as run:
            model(self.hidden, self.hidden[:, :4])
        self.assertEqual(run.attention.shape, (2, 2, 4, 7, 7))

    def test_a_model_without_attention_in_its_names(self):
        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.qkv = nn.Linear(32, 96)

            def forward(self, x):
                q, k, v = (part.view(*x.shape[:2], 4, 8).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
                scores = (q @ k.transpose(-2, -1)) * 8 ** -0.5
                hidden = torch.ones(x.shape[1], x.shape[1]).triu(1) == 1
                self.own = scores.masked_fill(hidden, float("-inf")).softmax(-1)
                output = self.own @ v
                return x + output.transpose(1, 2).reshape(x.shape)

        model = nn.Sequential(Block(), Block()).eval()
        with record(model) as run:
            model(self.hidden)
        self.assert_weights(run, [block.own for block in model])
        with record(model, modules="*", layers=[1]) as run:
            model(self.hidden)
        self.assertEqual([(layer.number, layer.name) for layer in run.layers], [(1, "1")])

    def test_one_head_without_an_axis(self):
        class SelfAttention(nn.Module):
            def forward(self, x):
                weights = torch.softmax(x @ x.transpose(1, 2) / math.sqrt(x.shape[-1]), dim=2)
                return torch.bmm(weights, x), weights

        model = SelfAttention()
        with record(model) as run:
            _, own = model(self.hidden)
        self.assert_weights(run, [own.unsqueeze(1)])
        with record(model) as run:  # the batch is not mistaken for heads
            model(self.hidden[:1])
        self.assertEqual(run.q.shape, (1, 1, 7, 32))

    def test_heads_behind_samples(self):
        class OPTAttention(nn.Module):
            num_heads = 4

            def forward(self, x):
                states = x.view(2, 7, 4, 8).transpose(1, 2).reshape(8, 7, 8)
                weights = torch.bmm(states * 8 ** -0.5, states.transpose(1, 2))
                mask = models.additive_mask(7, 7, PADDING)
                weights = weights.view(2, 4, 7, 7) + mask
                weights = nn.functional.softmax(weights.view(8, 7, 7), dim=-1)
                return torch.bmm(weights, states), weights.view(2, 4, 7, 7)

        model = OPTAttention()
        with record(model) as run:
            _, own = model(self.hidden)
        self.assert_weights(run, [own])
        self.assertEqual(run.v.shape, (2, 1, 4, 7, 8))

    def test_other_ways_to_write_it(self):
        """T5, BLOOM, GPT-NeoX, GPT-J, nanoGPT and older BERTs: q and k are (samples, heads, rows, features)."""
        visible = torch.ones(7, 7).bool().tril()[None, None]
        added = models.additive_mask(7, 7)
        bias = torch.randn(1, 4, 7, 7)
        slopes = (torch.arange(7) * torch.tensor([0.5, 0.25, 0.125, 0.1])[:, None]).view(1, 4, 1, 7).expand(2, -1, -1, -1)

        def in_place(q, k):
            scores = torch.matmul(q, k.transpose(3, 2))
            scores += bias + added
            return scores.float().softmax(dim=-1).type_as(scores)

        def alibi(q, k):
            scores = slopes.reshape(8, 1, 7).baddbmm(batch1=q.reshape(8, 7, 8), batch2=k.reshape(8, 7, 8).mT, beta=1.0,
                                                     alpha=8 ** -0.5)
            scores = scores.view(2, 4, 7, 7).masked_fill(~visible, torch.finfo(q.dtype).min)
            return F.softmax(scores, dim=-1, dtype=torch.float32)

        def replaced(q, k):
            scores = torch.matmul(q, k.transpose(-1, -2))
            scores = torch.where(visible, scores, torch.tensor(-1e9))
            return nn.Softmax(-1)(scores / 8 ** 0.5)

        def where_method(q, k):
            return (8 ** -0.5 * (q @ k.mT)).where(visible, torch.tensor(-math.inf)).softmax(3)

        def subtracted(q, k):
            scores = q.mul(0.3).matmul(k.transpose(2, 3))
            return torch.softmax(scores - 1e4 * (1 - visible.float()), -1)

        def swapped(q, k):
            return torch.softmax(torch.add(bias, torch.mul(0.3, torch.matmul(q, k.mT)), alpha=1), dim=-1)

        for weigh in (in_place, alibi, replaced, where_method, subtracted, swapped):
            class Attention(nn.Module):
                num_heads = 4

                def forward(self, x):
                    q, k = x.view(2, 7, 4, 8).transpose(1, 2), x.flip(-1).view(2, 7, 4, 8).transpose(1, 2)
                    weights = weigh(q, k)
                    return torch.matmul(weights, q), weights

            with self.subTest(weigh.__name__):
                model = Attention()
                with record(model) as run:
                    _, own = model(self.hidden)
                self.assertTrue(run.layers[0].exact)
                self.assert_weights(run, [own])
                self.assertEqual(run.v.shape, (2, 1, 4, 7, 8))

    def test_other_things_computed_of_scores(self):
        class Attention(nn.Module):
            def forward(self, x):
                scores = torch.matmul(x, x.transpose(1, 2)) * 0.2
                self.largest = float(scores[0, 0, 0]), scores.abs().max(), torch.isnan(scores).any()
                bias = torch.zeros_like(scores)
                bias.masked_fill_(torch.ones(7, 7).triu(1).bool(), -math.inf)
                weights = (scores + bias).clamp(min=-1e9).softmax(-1)
                self.least = float(weights[0, 0, 0]), (weights ** 2).sum()
                return torch.matmul(weights, x), weights

        model = Attention()
        with record(model) as run:
            _, own = model(self.hidden)
        self.assert_weights(run, [own.unsqueeze(1)])
        self.assertTrue(run.layers[0].exact and run.layers[0].causal)

    def test_scores_that_are_changed_otherwise(self):
        upper = torch.ones(7, 7).triu(1).bool()
        for change in (lambda scores: (scores * torch.rand(7, 7)).relu(), lambda scores: torch.rand(7, 7) - scores,
                       lambda scores: scores.clamp(-0.5, 0.5), lambda scores: scores.masked_fill(upper, 0.5),
                       lambda scores: 1 / scores, lambda scores: torch.where(upper, scores, torch.rand(7, 7))):
            class Attention(nn.Module):
                def forward(self, x):
                    weights = change(torch.matmul(x, x.transpose(1, 2))).softmax(-1)
                    return torch.matmul(weights, x), weights

            model = Attention()
            with record(model) as run:
                _, own = model(self.hidden)
            self.assertFalse(run.layers[0].exact)
            self.assert_weights(run, [own.unsqueeze(1)])

    def test_heads_that_share_one_matrix(self):
        class GPTBigCodeAttention(nn.Module):
            num_heads = 4

            def forward(self, x):
                q, k = x.view(2, 28, 8), x[..., :8]  # heads behind queries; keys for all heads
                weights = torch.bmm(q, k.transpose(1, 2)).view(2, 7, 4, 7).transpose(1, 2).softmax(-1)
                return weights @ k.unsqueeze(1), weights

        model = GPTBigCodeAttention()
        with record(model) as run:
            _, own = model(self.hidden)
        self.assert_weights(run, [own])

    def test_one_module_that_runs_several_times(self):
        class Shared(nn.Module):
            def __init__(self):
                super().__init__()
                self.attention = nn.MultiheadAttention(32, 4, batch_first=True)

            def forward(self, x):
                for _ in range(3):
                    x = self.attention(x, x, x)[0]
                return x

        model = Shared().eval()
        with record(model, layers=[0, 2]) as run:
            model(self.hidden)
        self.assertEqual([layer.number for layer in run.layers], [0, 2])

    def test_a_part_of_a_model(self):
        model = self.decoder(models.LlamaAttention)
        with record(model) as run:
            for layer in model.model.layers:
                layer.self_attn(self.hidden, None, None, position_ids=torch.arange(7)[None])
        self.assertEqual([layer.number for layer in run.layers], [0, 1, 2])
        with record(model.model.layers[2].self_attn) as run:
            for _ in range(2):
                model(self.hidden)
        self.assertEqual([call.layers[0].number for call in run.calls], [2, 2])


class KeepingTest(RecordTest):
    """Recorded tensors, and models that do not change."""

    def test_only_what_is_asked(self):
        model = self.decoder(models.LlamaAttention)
        with record(model, layers=[2, 1], keep=("q",)) as run:
            model(self.hidden)
        self.assertEqual([(layer.number, layer.k, layer.v, layer.weights) for layer in run.layers],
                         [(1, None, None, None), (2, None, None, None)])
        self.assertEqual(run.q.shape, (2, 2, 4, 7, 8))
        for use, message in ((lambda: run.k, 'k was not kept: record.model, keep="?.*"k"'),
                             (lambda: run.attention, 'need q and k, or record.*"attention"')):
            with self.assertRaisesRegex(ValueError, message):
                use()
        with record(model, layers=2, keep="attention") as run:
            _, own = model(self.hidden)
        self.assert_close(run.attention, own[2].unsqueeze(1))
        self.assertIsNone(run.layers[0].q)
        self.assertEqual(run.arrays()["layers"], [2])

    def test_masks_and_stacks_are_in_memory_once(self):
        model = self.decoder(models.LlamaAttention)
        with record(model) as run:
            model(self.hidden, PADDING)
        self.assertEqual(len({layer.mask.data_ptr() for layer in run.layers}), 1)
        for name in ("q", "k", "v"):
            stack = getattr(run, name)
            storages = {storage(getattr(layer, name)) for layer in run.layers}
            self.assertEqual(storages, {storage(stack)}, name)
            self.assertEqual(getattr(run, name).data_ptr(), stack.data_ptr())

    def test_wrong_requests(self):
        model = self.decoder(models.LlamaAttention)
        for options, message in (
            ({"keep": ()}, r"keep is \[\], expected some of q, k, v, attention"),
            ({"keep": ("q", "w")}, "keep is .*'w'"), ({"layers": []}, "layers is empty"),
            ({"layers": [3]}, r"layers are \[3\], and the model's 0 to 2"),
            ({"modules": "decoder.*"}, "no module of the model is 'decoder.*': there are .*"),
        ):
            with self.subTest(options), self.assertRaisesRegex(ValueError, message):
                with record(model, **options):
                    pass
        for wrong in (None, "gpt2", torch.zeros(2), types.SimpleNamespace()):
            with self.assertRaisesRegex(TypeError, "expected a torch.nn.Module"):
                with record(wrong):
                    pass
        with self.assertRaisesRegex(TypeError, "compiled"):
            with record(type("OptimizedModule", (nn.Module,), {})()):
                pass

    def test_nothing_recorded(self):
        with record(self.decoder(models.LlamaAttention)) as run:
            pass
        with self.assertRaisesRegex(ValueError, "call the model inside"):
            run.attention
        self.assertEqual(repr(run), "<nothing recorded>")
        with record(nn.Linear(32, 32)) as run:
            pass

    def test_the_model_is_as_before(self):
        for implementation in ("eager", "sdpa"):
            model = self.decoder(models.MistralAttention, sliding_window=3, _attn_implementation=implementation)
            expected, _ = model(self.hidden, PADDING)
            attributes = {name: sorted(vars(module)) for name, module in model.named_modules()}
            numbers = {name: tensor.clone() for name, tensor in model.state_dict().items()}
            with record(model) as run:
                output, _ = model(self.hidden, PADDING)
            self.assertTrue(torch.equal(output, expected))
            self.assert_no_hooks(model)
            self.assertEqual(attributes, {name: sorted(vars(module)) for name, module in model.named_modules()})
            self.assertTrue(all(torch.equal(numbers[name], tensor) for name, tensor in model.state_dict().items()))
            run.q.zero_()  # recorded tensors are copies
            self.assertTrue(torch.equal(model(self.hidden, PADDING)[0], expected))

    def assert_no_hooks(self, model):
        for module in model.modules():
            self.assertFalse(module._forward_hooks or module._forward_pre_hooks)
        self.assertEqual(torch.overrides._len_torch_function_stack()
                         if hasattr(torch.overrides, "_len_torch_function_stack") else 0, 0)

    def test_exceptions(self):
        model = self.decoder(models.LlamaAttention)
        kernel = models.eager_attention_forward
        calls = []

        def fails_in_the_second_layer(*args, **kwargs):
            calls.append(1)
            if len(calls) == 2:
                raise MemoryError("out of memory")
            return kernel(*args, **kwargs)

        with mock.patch.object(models, "eager_attention_forward", fails_in_the_second_layer):
            with record(model) as run:
                with self.assertRaises(MemoryError):
                    model(self.hidden)
                _, own = model(self.hidden)
        self.assert_weights(run, own)
        self.assert_no_hooks(model)
        with self.assertRaises(KeyboardInterrupt):
            with record(model):
                raise KeyboardInterrupt
        self.assert_no_hooks(model)

    def test_recordings_within_one_another(self):
        model = self.decoder(models.LlamaAttention)
        with record(model) as outer:
            with record(model, layers=[1]) as inner:
                model(self.hidden)
            model(self.hidden[:, :3])
        self.assertEqual([len(call.layers) for call in outer.calls], [3, 3])
        self.assertTrue(torch.equal(inner.q[:, 0], outer.calls[0].q[:, 1]))

    def test_types_of_numbers(self):
        decoder = self.decoder(models.MistralAttention, sliding_window=3)  # has its softmax in float32
        encoder = models.BertEncoder(models.config()).eval()
        for kind, model, tolerance in ((torch.bfloat16, decoder, 0.01), (torch.float64, encoder, 1e-12)):
            with self.subTest(kind):
                model.to(kind)
                with record(model, keep=("q", "k", "v")) as run:
                    _, own = model(self.hidden.to(kind))
                self.assertEqual((run.q.dtype, run.k.dtype, run.v.dtype), (kind,) * 3)
                self.assertEqual(run.attention.dtype, torch.float64 if kind == torch.float64 else torch.float32)
                self.assert_weights(run, own, tolerance)

    def test_half_precision(self):
        class Attention(nn.Module):
            def forward(self, *args, **kwargs):
                return F.scaled_dot_product_attention(*args, **kwargs)

        q, k = torch.randn(1, 4, 7, 8), torch.randn(1, 4, 7, 8)
        mask = models.additive_mask(7, 7, window=3, dtype=torch.float16)
        model = Attention()
        with record(model) as run:
            model(q.half(), k.half(), k.half(), attn_mask=mask)
        self.assertTrue(torch.equal(run.q[0], q[0].half()))
        self.assertTrue(torch.equal(run.mask, mask[0, 0] == 0))
        self.assertNotIn("bias", run.arrays())
        self.assertEqual(run.arrays()["q"].dtype, torch.float16)  # as it was: the scale is the usual one
        with record(model) as run:
            model(q, k, k)
        copy = q.clone()
        q.zero_()
        self.assertTrue(torch.equal(run.q[0], copy[0]))

    def test_gradients_inference_and_autocast(self):
        model = self.decoder(models.LlamaAttention)
        with torch.enable_grad(), record(model) as run:
            output, own = model(self.hidden)
            output.sum().backward()
        self.assertTrue(model.model.layers[0].self_attn.q_proj.weight.grad.abs().sum() > 0)
        self.assertFalse(run.q.requires_grad or run.attention.requires_grad)
        self.assert_weights(run, [weights.detach() for weights in own])
        with torch.inference_mode(), record(model) as run:
            _, own = model(self.hidden)
        run.layers[0].q.add_(0)  # an ordinary tensor
        self.assert_close(run.attention, torch.stack(own, 1).clone())
        with torch.autocast("cpu", dtype=torch.bfloat16):
            with record(model) as run:
                model(self.hidden)
            self.assertEqual((run.q.dtype, run.attention.dtype), (torch.bfloat16, torch.float32))

    def test_nothing_mixes_devices(self):
        """On the device "meta", where all may run, but nothing that needs the numbers, until they are copied."""
        arrived = []

        def copied(tensor):
            if tensor is None:
                return None
            arrived.append(tensor.device.type)
            return torch.zeros(tensor.shape, dtype=tensor.dtype)

        with mock.patch("attnscope.record._on_cpu", copied):
            for kind in (models.Gemma2Attention, models.Qwen2Attention):
                model = self.decoder(kind, sliding_window=3, attn_logit_softcapping=2.0).to("meta")
                with record(model, keep=("q", "k", "v", "attention")) as run:
                    model(self.hidden.to("meta"), PADDING.to("meta"))
                self.assertEqual(run.attention.shape, (2, 3, 4, 7, 7))
            module = nn.MultiheadAttention(32, 4, add_zero_attn=True, device="meta").eval()
            with record(module) as run:
                module(*[self.hidden.to("meta")] * 3, attn_mask=torch.ones(2, 2, device="meta").triu(1).bool(),
                       key_padding_mask=torch.zeros(7, 2, device="meta").bool())
        self.assertEqual(set(arrived), {"meta"})

    @unittest.skipUnless(torch.cuda.is_available(), "there is no other device than the CPU")
    def test_another_device(self):
        model = self.decoder(models.MistralAttention, sliding_window=3).cuda()
        with record(model) as run:
            model(self.hidden.cuda(), PADDING.cuda())
        self.assertEqual({tensor.device.type for tensor in (run.q, run.k, run.v, run.mask, run.attention)}, {"cpu"})

    def test_layers_that_differ(self):
        class Two(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.ModuleList([nn.MultiheadAttention(32, heads, batch_first=True) for heads in (2, 4)])

            def forward(self, x):
                for layer in self.layers:
                    x = layer(x, x, x)[0]
                return x

        model = Two().eval()
        with record(model) as run:
            model(self.hidden)
        with self.assertRaisesRegex(ValueError, r"layer 1 has .*\(2, 4, 7, 7\), layer 0 \(2, 2, 7, 7\).*run\.select"):
            run.attention
        self.assertEqual(run.select(layers=[1]).attention.shape, (2, 1, 4, 7, 7))
        self.assertEqual(run.layers[0].attention.shape, (2, 2, 7, 7))


class SavingTest(RecordTest):
    """Arguments of `save` and `show`."""

    def recorded(self, name, *args, **options):
        model = self.decoder(models.LlamaAttention)
        with record(model) as run:
            model(self.hidden[:1])
        with mock.patch.object(attnscope, name, create=True, return_value="path") as stub:
            self.assertEqual(getattr(run, name)(*args, **options), "path")
        return run, stub.call_args

    def test_save(self):
        run, (args, given) = self.recorded("save", "run.safetensors", tokens=list("abcdefg"), title="a title")
        self.assertEqual(args, ("run.safetensors",))
        self.assertEqual(sorted(given), ["axes", "causal", "k", "q", "title", "tokens", "v"])
        self.assertEqual(sorted(given["axes"]), ["k", "q", "v"])
        self.assertTrue(torch.equal(given["q"], run.q))

    def test_show(self):
        _, (args, given) = self.recorded("show", title="a title")
        self.assertEqual((args, given["title"], given["causal"]), ((), "a title", True))

    def test_a_scale_of_the_model_goes_into_the_queries(self):
        model = self.decoder(models.Gemma2Attention, query_pre_attn_scalar=3)
        with record(model) as run:
            model(self.hidden)
        self.assert_close(run.arrays()["q"], run.q * math.sqrt(8 / 3))

    def test_axes_are_those_of_the_arrays(self):
        model = self.decoder(models.Qwen2Attention, sliding_window=3)
        with record(model, layers=[1, 2]) as run:
            model(self.hidden, PADDING)
        arrays = run.arrays()
        self.assertEqual(arrays["layers"], [1, 2])
        extents = dict(samples=2, layers=2, queries=7, keys=7, features=8)
        for name, axes in arrays["axes"].items():
            heads = {"q": 4, "k": 2, "v": 2}.get(name)
            self.assertEqual(tuple(arrays[name].shape), tuple({**extents, "heads": heads}[axis] for axis in axes), name)
        self.assertEqual(arrays["axes"]["mask"], ["samples", "layers", "queries", "keys"])

    def test_torch_is_imported_by_others_only(self):
        code = ("import sys, attnscope\nassert 'torch' not in sys.modules\n"
                "try:\n    attnscope.record(1).__enter__()\n"
                "except TypeError as error:\n    print(error)")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              env={"PYTHONPATH": str(PACKAGE)})
        self.assertEqual(done.stdout, "record: the model is a int, expected a torch.nn.Module\n", done.stderr)


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
