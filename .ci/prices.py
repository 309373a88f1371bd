# ruff: noqa: INP001  (a script beside the sources)
"""Write the packaged prices, `src/ragstone/providers/prices.json`, from the price data that genai-prices keeps.

    make prices     in an environment of its own: ragstone itself does not depend on genai-prices

Taken are the standard tier's prices of text, before any surcharge for very long prompts, of the vendors below.
"""

import json
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import ModelInfo

_VENDORS = ("openai", "anthropic", "google", "mistral")
_TARGET = Path(__file__).parents[1] / "src" / "ragstone" / "providers" / "prices.json"


def main() -> None:
    """Write the file, one model a line."""
    now = datetime.now(UTC)
    models: dict[str, list[float | None]] = {}
    for provider in get_snapshot().providers:
        if provider.id in _VENDORS:
            for model in provider.models:
                price = _price(model, now)
                if price is not None:
                    models.setdefault(model.id, price)
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(models[name])}" for name in sorted(models))
    source = f"genai-prices {version('genai-prices')}, MIT, https://github.com/pydantic/genai-prices"
    _TARGET.write_text(
        f'{{\n  "source": {json.dumps(source)},\n  "date": "{now:%Y-%m-%d}",\n'
        f'  "models": {{\n{lines}\n  }}\n}}\n',
        encoding="utf-8",
    )


def _price(model: ModelInfo, now: datetime) -> list[float | None] | None:
    """Return input, cached, output and written, or None for a model that is not paid by tokens of text."""
    price = model.get_prices(now)
    sent, received = _base(price.input_mtok), _base(price.output_mtok)
    if not sent:
        return None
    cached = _base(price.cache_read_mtok)
    return [sent, sent if cached is None else cached, received or 0.0, _base(price.cache_write_mtok)]


def _base(price: object) -> float | None:
    return None if price is None else float(str(getattr(price, "base", price)))


if __name__ == "__main__":
    main()
