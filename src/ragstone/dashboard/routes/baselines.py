"""API of baselines: names such as `main` for the run that others are compared with."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Path
from pydantic import BaseModel, ConfigDict, Field

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.security.trail import TrailDep

router = APIRouter(prefix="/api/baselines", tags=["baselines"])
Name = Annotated[str, Path(min_length=1, max_length=200)]


class NamedBaseline(BaseModel):
    """A name and the id of its run."""

    model_config = ConfigDict(frozen=True)

    name: str
    run: str


class BaselineTarget(BaseModel):
    """The run that a name will refer to: its id, the beginning of it, its name, or `last`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: str = Field(min_length=1, max_length=200)


@router.get("")
def baselines(ctx: ContextDep) -> list[NamedBaseline]:
    """Return the baselines by name."""
    return [NamedBaseline(name=baseline.name, run=baseline.run) for baseline in ctx.store.baselines.all()]


@router.put(
    "/{name}",
    responses={400: {"description": "the name is not valid"}, 404: {"description": "there is no such run"}},
)
def put(name: Name, wanted: BaselineTarget, ctx: ContextDep, trail: TrailDep) -> NamedBaseline:
    """Make a run the baseline of that name."""
    stored = ctx.store.find(wanted.run)
    ctx.store.baselines.put(name, stored.number)
    trail.note(stored.run.id, name)
    return NamedBaseline(name=name, run=stored.run.id)


@router.delete("/{name}", status_code=204, responses={404: {"description": "there is no such baseline"}})
def remove(name: Name, ctx: ContextDep, trail: TrailDep) -> None:
    """Remove a baseline, but not its run."""
    if not ctx.store.baselines.remove(name):
        raise HTTPException(404, f"There is no baseline {name[:200]!r}.")
    trail.note("", f"removed {name}")
