"""Spans reach an OTLP endpoint where one is set, masked as they are on disk, and nobody where the run is offline."""

from __future__ import annotations

import pytest
from citewell.reports.traces.recording import recording
from citewell.settings import Environment, Settings
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from servers.loopback import Asked, LoopbackServer, Reply

SECRET = "sk-proj-0123456789abcdef"


class Collector(LoopbackServer):
    """Keeps what arrives before it answers, so that nothing is missing once the exporter has its reply."""

    def __init__(self) -> None:
        super().__init__(self._keep)
        self.arrived: list[Asked] = []

    def _keep(self, asked: Asked) -> Reply:
        self.arrived.append(asked)
        return Reply(headers={"content-type": "application/x-protobuf"})


@pytest.fixture
def collector():
    with Collector() as server:
        yield server


def record(collector: Collector, tmp_path, **settings: bool) -> None:
    environment = Environment(home=tmp_path, openai_api_key=SECRET, otlp_endpoint=f"{collector.url}/v1/traces")
    asked = {"thread_id": "t-1", "question": f"What is {SECRET}?"}
    with (
        recording(environment, Settings(**settings), **asked) as recorder,
        recorder.span("RETRIEVER", "retriever", "corpus", **{"input.value": f"key {SECRET}"}),
    ):
        pass


def test_finished_spans_arrive_with_their_resource_and_no_secret(collector, tmp_path):
    record(collector, tmp_path)
    bodies = [asked.body for asked in collector.arrived]
    assert {asked.path for asked in collector.arrived} == {"/v1/traces"}
    (spans,) = [ExportTraceServiceRequest.FromString(body).resource_spans[0] for body in bodies]
    assert {each.key: each.value.string_value for each in spans.resource.attributes}["service.name"] == "citewell"
    assert {span.name for scope in spans.scope_spans for span in scope.spans} == {"corpus", "research"}
    assert not any(SECRET.encode() in body for body in bodies)


def test_an_offline_run_exports_nothing(collector, tmp_path):
    record(collector, tmp_path, offline=True)
    assert collector.arrived == []
