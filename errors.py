"""Every failure that citewell names: one root, facts as attributes, `transient` for the retry policy."""

from __future__ import annotations


class CitewellError(Exception):
    """Root of all errors raised by citewell.

    Attributes:
        transient: True where asking again may work; read by the retry policy.
        exit_code: What the command line exits with when the error reaches it.
    """

    transient: bool = False
    exit_code: int = 2


def cause(error: Exception) -> str:
    """Return what an error says, without the name of the file that the message around it has already."""
    return (error.strerror if isinstance(error, OSError) else None) or " ".join(str(error).split())


class UsageError(CitewellError):
    """The caller asked for something that cannot be done: a bad setting, no source, an unreadable folder."""


class ResearchError(CitewellError):
    """A step of a run failed."""


class SourceError(ResearchError):
    """A file or page could not be read.

    Attributes:
        uri: The file or page.
        reason: Why, in words for the report.
    """

    def __init__(self, uri: str, reason: str) -> None:
        super().__init__(f"{uri}: {reason}")
        self.uri, self.reason = uri, reason


class FetchRefused(SourceError):
    """A URL was refused before anything was asked of its host: scheme, address, robots.txt or offline mode."""


class FetchFailed(SourceError):
    """A host did not give the page in time or gave an error; asking again may work."""

    transient = True


class CorpusError(CitewellError):
    """A corpus folder cannot be opened or written."""


class EmbeddingMismatch(CorpusError):
    """A corpus holds vectors of another embedding model, or a model returned another number of rows than asked.

    Attributes:
        expected: What the corpus or the caller expects.
        found: What was there instead.
        hint: What to do about it, in words.
    """

    def __init__(self, expected: str, found: str, *, hint: str = "") -> None:
        super().__init__(f"expected embeddings of {expected}, found {found}" + (f"; {hint}" if hint else ""))
        self.expected, self.found, self.hint = expected, found, hint


class RetrievalUnavailable(ResearchError):
    """A retriever gave no answer in time; asking again may work.

    Attributes:
        query: What was asked, or what the retriever said.
    """

    transient = True

    def __init__(self, retriever: str, query: str, *, remedy: str = "") -> None:
        super().__init__(f"{retriever} did not answer {query!r}" if not remedy else f"{retriever}: {query}; {remedy}")
        self.retriever, self.query = retriever, query


class ProviderError(ResearchError):
    """A model or search provider refused or failed for good.

    Attributes:
        provider: Its name or address.
        setting: The setting or environment variable to change.
    """

    exit_code = 4

    def __init__(self, provider: str, message: str, *, setting: str | None = None) -> None:
        hint = f" (check {setting})" if setting else ""
        super().__init__(f"{provider}: {message}{hint}")
        self.provider, self.setting = provider, setting


class ProviderUnavailable(ProviderError):
    """A provider is throttled or down for the moment.

    Attributes:
        retry_after_s: Seconds the provider asked to wait, or None.
    """

    transient = True

    def __init__(
        self, provider: str, message: str, *, retry_after_s: float | None = None, setting: str | None = None
    ) -> None:
        super().__init__(provider, message, setting=setting)
        self.retry_after_s = retry_after_s


class MalformedReply(ResearchError):
    """A model's reply could not be read as the asked shape.

    Attributes:
        step: The step that asked.
        problem: What was wrong with the reply.
    """

    def __init__(self, step: str, problem: str) -> None:
        super().__init__(f"{step}: {problem}")
        self.step, self.problem = step, problem


class BudgetExhausted(ResearchError):
    """A reservation would exceed a budget.

    Attributes:
        budget: The stop reason that names it, e.g. `token_budget`.
    """

    def __init__(self, budget: str) -> None:
        super().__init__(f"the {budget.replace('_', ' ')} is spent")
        self.budget = budget


class ToolError(CitewellError):
    """A tool could not do what was asked; the message is for the model or person who called it.

    Attributes:
        tool: The tool's name.
    """

    def __init__(self, tool: str, message: str) -> None:
        super().__init__(message)
        self.tool = tool


class MemoryFolderError(CitewellError):
    """A memory folder, or one memory in it, cannot be opened, read or written."""
