"""The search provider that the settings of a run name."""

from __future__ import annotations

from ..settings import Environment, Settings
from .web_search import WebSearch


def web_search(settings: Settings, environment: Environment) -> WebSearch | None:
    """Return the provider that keys and addresses name, with its cache, or None where none is or all hosts are refused.

    Tavily comes first where both are configured.
    """
    if settings.offline:
        return None
    provider: WebSearch
    if environment.tavily_api_key:
        from .tavily import TavilySearch

        provider = TavilySearch(environment.tavily_api_key, base_url=environment.tavily_base_url)
    elif environment.searxng_url:
        from .searxng import SearxngSearch

        provider = SearxngSearch(environment.searxng_url)
    else:
        return None
    from .search_cache import CachedSearch

    return CachedSearch(provider, environment.home / "cache" / "searches.sqlite")
