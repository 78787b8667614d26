"""The table: what was measured, what beside it, and whether the aim is met."""

import statistics
from dataclasses import dataclass, field


@dataclass
class Aim:
    """A bound of the ratio to what is beside it or, with a unit, of the figure itself."""

    bound: float
    at_least: bool = False
    unit: str = ""

    def __str__(self):
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {number(self.bound)} {self.unit or '×'}"

    def is_met(self, value):
        return value >= self.bound if self.at_least else value <= self.bound


def at_most(bound, unit=""):
    return Aim(bound, False, unit)


def at_least(bound, unit=""):
    return Aim(bound, True, unit)


@dataclass
class Row:
    """A line of the table; the two lists of figures were taken in turn, one of each in a round."""

    work: str
    measured: str
    unit: str
    ours: list
    beside: str = ""
    theirs: list = field(default_factory=list)
    aim: Aim | None = None

    @property
    def ratio(self):
        """The median of the rounds' own ratios: what slows a round down slows both."""
        if not self.theirs:
            return None
        return statistics.median(
            ours / theirs if theirs else float("inf")
            for ours, theirs in zip(self.ours, self.theirs, strict=True)
        )

    @property
    def is_met(self):
        if self.aim is None:
            return None
        return self.aim.is_met(statistics.median(self.ours) if self.aim.unit else self.ratio)

    def line(self, judged):
        met = "" if self.is_met is None or not judged else "yes" if self.is_met else "**no**"
        return "| " + " | ".join(
            [
                self.work,
                self.measured,
                spread(self.ours, self.unit),
                f"{self.beside} {spread(self.theirs, self.unit)}" if self.theirs else "",
                number(self.ratio) if self.theirs else "",
                str(self.aim) if self.aim else "",
                met,
            ]
        ) + " |"


HEAD = """\
| work | measured | Goalpost | beside it | × | aim | met |
| --- | --- | ---: | ---: | ---: | ---: | --- |"""


def spread(figures, unit):
    """The median and, in brackets, the least and the greatest."""
    middle = f"{number(statistics.median(figures))} {unit}".rstrip()
    if len(figures) == 1:
        return middle
    return f"{middle} ({number(min(figures))}–{number(max(figures))})"


def number(value):
    """Three digits that count."""
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.1 or value == 0 else f"{value:.2g}"
