"""What a command can begin before the rest of the program is loaded."""

from __future__ import annotations

from ..settings import Settings


def load_model_early(settings: Settings) -> None:
    """Load the bundled model, where the settings name it, while the rest of the program is imported."""
    if settings.embeddings == "minilm":
        from ..retrievers.embeddings import bundled

        bundled().load_early()
