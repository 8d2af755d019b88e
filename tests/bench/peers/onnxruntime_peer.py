"""ONNX Runtime: the products and the softmax as a graph, weights and outputs in bound buffers."""
import numpy
import onnxruntime
import timing
from onnx import TensorProto, helper

OPSET, IR_VERSION = 17, 8


def model(tokens):
    h, n, d = timing.HEADS, tokens, timing.WIDTH
    shapes = {"q": [1, h, n, d], "kt": [1, h, d, n], "v": [1, h, n, d],
              "weights": [1, h, n, n], "output": [1, h, n, d]}
    infos = {name: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
             for name, shape in shapes.items()}
    nodes = [helper.make_node("MatMul", ["q", "kt"], ["products"]),
             helper.make_node("Mul", ["products", "scale"], ["scores"]),
             helper.make_node("Softmax", ["scores"], ["weights"], axis=-1),
             helper.make_node("MatMul", ["weights", "v"], ["output"])]
    scale = helper.make_tensor("scale", TensorProto.FLOAT, [], [d ** -0.5])
    graph = helper.make_graph(nodes, "attention", [infos[name] for name in ("q", "kt", "v")],
                              [infos[name] for name in ("weights", "output")], [scale])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    made.ir_version = IR_VERSION
    return made.SerializeToString(), shapes


def reused(tokens):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = timing.THREADS
    text, shapes = model(tokens)
    session = onnxruntime.InferenceSession(text, options, providers=["CPUExecutionProvider"])
    random = numpy.random.default_rng(0)
    arrays = {name: random.standard_normal(shape, dtype=numpy.float32)
              for name, shape in shapes.items()}
    binding = session.io_binding()
    for name, array in arrays.items():
        bind = binding.bind_input if name in ("q", "kt", "v") else binding.bind_output
        bind(name, "cpu", 0, numpy.float32, array.shape, array.ctypes.data)

    def call():
        assert arrays  # the binding holds their addresses only
        session.run_with_iobinding(binding)

    return call


timing.serve("ONNX Runtime " + onnxruntime.__version__, {"reused": reused}, uses_blas=False)
