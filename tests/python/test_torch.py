"""Tensors of PyTorch itself, where it is installed: types, gradients, devices, and no copy."""

import importlib.util
import unittest

import numpy as np

from support import FolderCase, plain_safetensors

import attnscope
from attnscope.arrays import to_numpy
from attnscope.document import document

if importlib.util.find_spec("torch"):
    import torch


@unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not installed (python3-torch)")
class TorchTest(FolderCase):
    def test_every_type_comes_back_bit_for_bit(self):
        bits = np.random.default_rng(1).integers(0, 255, (4, 32), np.uint8)
        for name in ("uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"):
            tensor = torch.from_numpy(bits.copy()).view(getattr(torch, name))
            attnscope.save(self.folder / "a.safetensors", tensor)
            found, _ = plain_safetensors(self.folder / "a.safetensors")
            self.assertEqual(found["attention"][1:], (tuple(tensor.shape), bits.tobytes()), name)
        attnscope.save(self.folder / "a.safetensors", torch.ones(2, 2, dtype=torch.bool))
        self.assertEqual(plain_safetensors(self.folder / "a.safetensors")[0]["attention"], ("BOOL", (2, 2), b"\1" * 4))

    def test_bfloat16_in_parts(self):
        layers = [torch.rand(2, 3, 4, 4).bfloat16().transpose(2, 3).requires_grad_() for _ in range(2)]
        attnscope.save(self.folder / "a.safetensors", layers)
        back = attnscope.load(self.folder / "a.safetensors")["attention"]
        np.testing.assert_array_equal(back, torch.stack(layers, 1).float().detach().numpy())
        with self.assertRaisesRegex(TypeError, "save it as .safetensors"):
            attnscope.save(self.folder / "a.npz", layers)

    def test_tensors_are_not_copied(self):
        tensor = torch.rand(3, 4, 4, requires_grad=True)
        self.assertTrue(np.shares_memory(to_numpy(tensor), tensor.detach().numpy()))

    def test_other_layouts(self):
        tensor = torch.eye(4)
        for given in (tensor.to_sparse(), tensor.t(), tensor[None].expand(3, 4, 4), torch.nn.Parameter(tensor)):
            array = document(given).arrays["attention"]
            self.assertEqual(array.parts[0]().tolist(), given.detach().to_dense().tolist() if given.is_sparse
                             else given.tolist())

    def test_tokenizers_mask(self):
        found = document(q=torch.rand(2, 4, 5, 8)[None], k=torch.rand(2, 2, 5, 8)[None], layers=[3],
                         mask=torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]))
        self.assertEqual(found.arrays["mask"].shape, (2, 5, 5))

    def test_types_that_files_do_not_have(self):
        with self.assertRaisesRegex(TypeError, "array of complex64, expected bool"):
            document(torch.ones(2, 2, dtype=torch.complex64))

    def test_attention_of_torch_nn(self):
        attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
        x = torch.rand(1, 5, 8)
        _, of_heads = attention(x, x, x, average_attn_weights=False)
        self.assertEqual(document(of_heads).arrays["attention"].axes, ("heads", "queries", "keys"))

    def test_recordings_are_arrays(self):
        attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
        x = torch.rand(2, 5, 8)
        with attnscope.record(attention) as run:
            _, expected = attention(x, x, x, average_attn_weights=False)
        attnscope.save(self.folder / "a.safetensors", run, tokens=list("abcde"))
        found = attnscope.load(self.folder / "a.safetensors")
        q, k = (torch.from_numpy(found[name].copy()) for name in "qk")
        self.assertEqual(found["axes"]["q"], ["samples", "layers", "heads", "queries", "features"])
        weights = torch.softmax(q @ k.transpose(-1, -2) / 2, -1)
        torch.testing.assert_close(weights[:, 0], expected)


if __name__ == "__main__":
    unittest.main()
