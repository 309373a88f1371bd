"""What a command's flags and the configuration together ask of `evaluate`."""

from typing import Any

from ragstone.arguments import arguments
from ragstone.config import read_settings


def configured(**flags: Any) -> dict[str, Any]:  # noqa: ANN401  (settings by name, None where not given)
    """Return the arguments of `evaluate`: flags first, then environment, configuration file, defaults.

    Metrics or a preset given by hand take the place of both that are configured.

    Raises:
        UsageError: a key that there is not, or a value that makes no sense, with its source.
    """
    settings = read_settings(flags).settings
    if flags.get("metrics") or flags.get("preset"):
        chosen = {"metrics": tuple(flags.get("metrics") or ()), "preset": flags.get("preset")}
        settings = settings.model_copy(update=chosen)
    return arguments(settings)
