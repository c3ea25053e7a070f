"""Work of our own beside a model's call: begun when the request has left, never lost, ended when nobody asks."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from citewell.errors import RetrievalUnavailable
from citewell.reasoners.beside import Beside, begin_when_sent, beside


async def test_what_no_request_began_is_done_when_its_outcome_is_asked_for():
    done: list[int] = []

    async def work() -> int:
        done.append(1)
        return 7

    with beside(work) as working:
        await asyncio.sleep(0)
        assert done == []
        assert (await working.outcome(), await working.outcome()) == (7, 7)
    assert done == [1]


async def test_an_error_of_the_work_reaches_who_asks_for_it_and_nobody_else():
    async def work() -> int:
        raise RetrievalUnavailable("dense search", "rent")

    with beside(work) as working, pytest.raises(RetrievalUnavailable):
        await working.outcome()
    with beside(work) as working:
        working.begin()
        await asyncio.sleep(0)


async def test_what_nobody_asks_for_is_ended():
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    with beside(work) as working:
        working.begin()
        await asyncio.sleep(0)
        assert not ended.is_set()
    await asyncio.wait_for(ended.wait(), 30)
    assert ended.is_set()


async def test_what_is_for_the_meantime_ends_when_the_reply_comes_and_all_else_goes_on():
    ended = asyncio.Event()

    async def policy() -> int:
        await asyncio.sleep(0.01)
        return 7

    async def ahead(policing: Beside[int]) -> None:
        try:
            await policing.outcome()
            await asyncio.sleep(3600)
        finally:
            ended.set()

    with beside(policy) as policing, beside(lambda: ahead(policing), meanwhile=True):
        request = httpx.Request("POST", "http://model.test")
        await begin_when_sent(request)
        await request.extensions["trace"]("http11.send_request_body.complete", {})
        await asyncio.sleep(0)
        assert not ended.is_set()
        await request.extensions["trace"]("http11.receive_response_headers.complete", {})
        await asyncio.wait_for(ended.wait(), 30)
        assert await policing.outcome() == 7
