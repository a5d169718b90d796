"""Dense networks on the CPU by ONNX Runtime: the default backend."""

import onnxruntime

from milton.inference.evaluator import DenseEvaluator, Float32Array
from milton.nets import NetDescription
from milton.nets.inputs import Planes

ERRORS_ONLY = 3


class OnnxRuntimeEvaluator(DenseEvaluator):
    def __init__(self, model: bytes, description: NetDescription, threads: int) -> None:
        super().__init__(description, f"ONNX Runtime on the CPU, {threads} thread(s)")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = ERRORS_ONLY
        # Waiting threads that spin take the cores the search runs on: measured twice as slow on busy cores.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.add_session_config_entry("session.inter_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._outputs = [output.name for output in self._session.get_outputs()]

    def _run(self, planes: Planes) -> dict[str, Float32Array]:
        return dict(zip(self._outputs, self._session.run(self._outputs, {"planes": planes}), strict=True))
