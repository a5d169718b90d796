"""Dense networks on the CPU by OpenVINO, when it is installed (extra `openvino`)."""

import importlib.util
from threading import local
from typing import Any

import numpy as np

from milton.extras import missing_extra
from milton.inference.evaluator import DenseEvaluator, Float32Array
from milton.nets import NetDescription
from milton.nets.inputs import Planes


def is_installed() -> bool:
    return importlib.util.find_spec("openvino") is not None


class OpenVinoEvaluator(DenseEvaluator):
    def __init__(self, model: bytes, description: NetDescription, threads: int) -> None:
        super().__init__(description, f"OpenVINO on the CPU, {threads} thread(s)")
        if not is_installed():
            raise missing_extra("openvino", "the OpenVINO backend")
        import openvino

        core = openvino.Core()
        config = {
            "INFERENCE_NUM_THREADS": threads,
            # Half precision would move the priors; all backends are to agree.
            "INFERENCE_PRECISION_HINT": "f32",
        }
        self._compiled = core.compile_model(core.read_model(model), "CPU", config)
        self._outputs = [output.get_any_name() for output in self._compiled.outputs]
        self._per_thread = local()  # a request is not safe to share

    def _run(self, planes: Planes) -> dict[str, Float32Array]:
        results = self._request().infer({"planes": planes})
        return {name: np.array(results[name]) for name in self._outputs}

    def _request(self) -> Any:
        if not hasattr(self._per_thread, "request"):
            self._per_thread.request = self._compiled.create_infer_request()
        return self._per_thread.request
