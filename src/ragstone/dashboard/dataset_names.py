"""What people call a dataset: one that was sent here by the name it came with, never by a path of the server."""

from pathlib import Path

from ragstone.dashboard.services.uploads import Uploads


def dataset_name(dataset: str | None, folder: Path) -> str | None:
    """Return the name of a run's dataset; `folder` is where those are kept that were sent here."""
    if dataset is None:
        return None
    uploads = Uploads(folder)
    own = uploads.known(dataset)
    if own is None:
        return dataset
    return next(
        (upload.name for upload in uploads.list() if upload.id == own), "a dataset that was sent here"
    )
