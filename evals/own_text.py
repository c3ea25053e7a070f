"""Invented prose with figures, names and dates, made from patterns: text of our own to measure on."""

# ruff: noqa: SIM905 - word lists read better as running text

from __future__ import annotations

import random

_FIRMS = """
    Varga Brantholm Oskerby Lindqvist Tamarlo Quellmar Dunmora Fenwright Halvorsen Iremonger
""".split()
_KINDS = """
    Tools Foods Shipping Energy Glass Textiles Systems Mills Optics Timber
""".split()
_PEOPLE = [
    "Ada Brightwell",
    "Jonas Kerrick",
    "Mira Oduya",
    "Tomas Feld",
    "Ines Carvalho",
    "Ruth Abernethy",
    "Olaf Stenmark",
]
_TOWNS = ["Port Ellery", "Marden", "Kessel Bay", "Upper Lorne", "Westhaven", "Graymouth"]
_PATTERNS = (
    "{firm} reported revenue of ${m}.{d} million in {year}, {up} {p}% from {before}.",
    "In {year}, {firm} {rose} its workforce to {n} employees at its plant in {town}.",
    "{person} has led {firm} since {before}, when the board met in {town}.",
    "The dam near {town} holds {m} million cubic metres and was finished in {before}.",
    "Operating costs {fell} to €{m}.{d} million, because energy prices were {lower} than in {before}.",
    "{firm} shipped {n} tonnes of freight through {town} in the first half of {year}.",
    "The audit of {firm} was completed on {day} March {year} and found {few} errors.",
    "According to {person}, the share of exports {rose} from {p}% in {before} to {q}% in {year}.",
    "Patients in {town} waited {few} days on average, which is {lower} than the {q} days of {before}.",
    "The ferry between {town} and Marrowdale takes {few} hours and is operated by {firm}.",
    "{person} was born in {town} and has written {few} books about the coast.",
    "A new kiln was installed by {firm} in {year}, and its output was {higher} than planned.",
)


def own_passages(count: int, seed: int = 7) -> list[str]:
    """Return passages of five sentences each; the same for the same seed."""
    chance = random.Random(seed)
    return [" ".join(_sentence(chance) for _ in range(5)) for _ in range(count)]


def _sentence(chance: random.Random) -> str:
    year = chance.randint(2012, 2024)
    return chance.choice(_PATTERNS).format(
        firm=f"{chance.choice(_FIRMS)} {chance.choice(_KINDS)}",
        person=chance.choice(_PEOPLE),
        town=chance.choice(_TOWNS),
        m=chance.randint(12, 940),
        d=chance.randint(1, 9),
        p=chance.randint(3, 48),
        q=chance.randint(50, 95),
        n=f"{chance.randint(1, 48)},{chance.randint(100, 999)}",
        few=chance.randint(3, 29),
        day=chance.randint(1, 28),
        year=year,
        before=year - chance.randint(1, 4),
        up=chance.choice(("up", "down")),
        rose=chance.choice(("increased", "reduced")),
        fell=chance.choice(("fell", "rose")),
        lower=chance.choice(("lower", "higher")),
        higher=chance.choice(("higher", "lower")),
    )
