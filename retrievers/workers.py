"""Have other processes compute vectors: on this machine, or as workers of a Dask cluster on many."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit

from ..errors import ProviderUnavailable, UsageError
from ..settings import Environment, Settings
from .embeddings import Vectors, load_embedder

Item = TypeVar("Item")

CONNECT_S = 30
DASK_SCHEMES = ("tcp", "tls", "ucx", "ws", "wss")


def embed_texts(embeddings: str, texts: Sequence[str]) -> Vectors:
    """Compute vectors in a worker, which opens the model once and keeps it; keys are those of its environment."""
    return load_embedder(Settings(embeddings=embeddings), Environment.read()).embed(texts)


@contextmanager
def open_workers(where: str) -> Iterator[tuple[Executor, int]]:
    """Open workers and give them with their number.

    Args:
        where: A number of processes on this machine, or the address of a Dask scheduler, e.g. `tcp://10.0.0.5:8786`.
    Raises: UsageError for another text, and where Dask is not installed; ProviderUnavailable where no scheduler
        answers or it has no worker.
    """
    if where.isdecimal() and int(where) > 0:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        with ProcessPoolExecutor(int(where), mp_context=get_context("spawn")) as pool:
            yield pool, int(where)
    elif urlsplit(where).scheme in DASK_SCHEMES:
        with _dask(where) as client:
            threads = sum(client.nthreads().values())
            if not threads:
                raise ProviderUnavailable(f"the Dask cluster at {where}", "has no worker: start `dask worker`")
            yield client.get_executor(), threads
    else:
        raise UsageError(
            f"workers = {where!r}: give a number of processes or a Dask scheduler's address, e.g. tcp://host:8786"
        )


@contextmanager
def _dask(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError("workers at an address are those of Dask: install citewell[dask]") from error
    try:
        client = Client(address, timeout=CONNECT_S)  # type: ignore[no-untyped-call]
    except OSError as error:
        raise ProviderUnavailable(f"the Dask scheduler at {address}", f"cannot be reached ({error})") from error
    with client:
        yield client


def in_order(
    pool: Executor, work: Callable[..., Vectors], items: Iterable[Item], arguments: Callable[[Item], Any], ahead: int
) -> Iterator[tuple[Item, Vectors]]:
    """Give items with their results, in order, while at most so many further ones are under way."""
    under_way: deque[tuple[Item, Future[Vectors]]] = deque()
    try:
        for item in items:
            under_way.append((item, pool.submit(work, *arguments(item))))
            if len(under_way) > ahead:
                first, result = under_way.popleft()
                yield first, result.result()
        while under_way:
            first, result = under_way.popleft()
            yield first, result.result()
    finally:
        for _, result in under_way:
            result.cancel()
