"""Record a log of Inspect: `python record_inspect.py FILE`, in an environment with inspect-ai; no network, no key.

Events, model arguments and the revision, nine tenths of a log, are taken out: nothing is read from them.
"""
# pyright: reportMissingImports=false

import json
import sys
import tempfile
from pathlib import Path

import inspect_ai
import tiktoken
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import includes, match

ANSWERS = ["Paris", "Rome", "The answer is 4", "Paris", "Rome", "5"]


class Words:
    """Stands for an encoding, which would be downloaded."""

    def encode(self, text: str, **_: object) -> list[str]:
        return text.split()


tiktoken.get_encoding = tiktoken.encoding_for_model = lambda *_: Words()  # pyright: ignore[reportAttributeAccessIssue]


def main() -> None:
    samples = [
        Sample(id="france", input="What is the capital of France?", target="Paris", metadata={"label": 1}),
        Sample(id="italy", input="What is the capital of Italy?", target="Rome", metadata={"label": 1}),
        Sample(id="sum", input="What is 2 + 2?", target=["4", "four"], metadata={"label": 0}),
    ]
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in ANSWERS]
    model = get_model("mockllm/model", custom_outputs=outputs)
    epochs = inspect_ai.Epochs(2, "mean")
    task = inspect_ai.Task(dataset=samples, scorer=[match(), includes()], epochs=epochs, name="capitals")
    with tempfile.TemporaryDirectory() as folder:
        inspect_ai.eval(task, model=model, log_dir=folder, log_format="json", display="none", max_samples=1)
        (log,) = Path(folder).glob("*.json")
        found = json.loads(log.read_text())
    found["eval"] |= {"model_args": {}, "revision": None}
    for sample in found["samples"]:
        for name in ("events", "events_data", "attachments", "store"):
            sample.pop(name, None)
    Path(sys.argv[1]).write_text(json.dumps(found, indent=1) + "\n")


main()
