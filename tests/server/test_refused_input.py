"""A server tells its callers what is wrong with their input; its log then has a traceback, so it serves nobody else."""

from __future__ import annotations

import pytest
from langgraph_sdk import get_client
from servers.langgraph_process import langgraph_server

pytestmark = [pytest.mark.server, pytest.mark.slow]


async def test_a_diligence_run_is_told_which_folder_to_give(tmp_path):
    with langgraph_server(tmp_path) as running:
        nowhere = {"question": "What was ARR?", "dataroom": "/no/such/folder"}
        async with get_client(url=running.url) as client:
            with pytest.raises(Exception, match="`dataroom` is missing: name the folder"):
                await client.runs.wait(None, "diligence", input={"question": "What was ARR?", "docs": ["/etc"]})
            with pytest.raises(Exception, match="/no/such/folder"):
                await client.runs.wait(None, "diligence", input=nowhere)
