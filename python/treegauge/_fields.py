"""Attributes of reports with their types: keys of the JSON, and tables of what is deeper in it.

A list of objects is a :class:`Table`. A key that is not always there is ``None`` where it is missing. So
are the keys that only some kinds of a class have: `search` with a player of alpha-beta and `difficulty` of
one position make reports of other kinds than without.

Four keys are read by ``report[key]`` only, since their names are taken by methods of reports or of
mappings: ``table``, ``values``, ``task`` and ``command``.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import UsageError
from ._games import Game
from ._reports import Report
from ._tables import Table

#: Measures of a gauge in the order of reports.
_MEASURES = (
    "draw_rate first_player completion plies capped branching decision_moves lead_changes drama "
    "decisiveness decided_ply tension clarity variety skill_depth"
).split()


class GaugeFields(Report):
    """Attributes of a gauge."""

    __slots__ = ()

    game: str
    canonical: str
    input: Optional[str]
    place: Optional[int]
    title: Optional[str]
    position: str
    moved: bool
    seed: int
    iterations: int
    cp: float
    expansion: Optional[str]
    merge: Optional[str]
    backup: Optional[str]
    counts: Optional[str]
    solver: Optional[bool]
    reuse: Optional[bool]
    games: int
    games_planned: int
    distinct_games: int
    opening_plies: int
    thresholds: Mapping[str, Any]
    shape_options: Mapping[str, Any]
    verdict: Mapping[str, Any]
    plies_max: Optional[int]
    solved: Optional[Mapping[str, Any]]
    solve_limit: int
    unsolved: Optional[Mapping[str, Any]]
    draw_rate: Mapping[str, Any]
    first_player: Mapping[str, Any]
    plies: Mapping[str, Any]
    completion: Mapping[str, Any]
    capped: Mapping[str, Any]
    branching: Mapping[str, Any]
    decision_moves: Mapping[str, Any]
    lead_changes: Mapping[str, Any]
    drama: Mapping[str, Any]
    decisiveness: Mapping[str, Any]
    decided_ply: Mapping[str, Any]
    tension: Mapping[str, Any]
    clarity: Mapping[str, Any]
    variety: Mapping[str, Any]
    skill_depth: Mapping[str, Any]
    skill_factor: int
    skill_games_planned: int
    skill_pairs: Mapping[str, Any]
    ladder: Table
    copying: Optional[Mapping[str, Any]]
    first_moves: Table
    highlights: Table
    tree: Mapping[str, Any]
    tree_by_player: Table
    lengths: Tuple[int, ...]
    branching_by_ply: Tuple[Any, ...]
    search_tree: Optional[Mapping[str, Any]]
    proved: Optional[Mapping[str, Any]]
    vetted: Optional[Mapping[str, Any]]
    model_unasked: Optional[Mapping[str, Any]]
    variants: Optional[str]

    @property
    def flags(self) -> Table:
        """A row for each flag of the verdict: its name, state and reason."""
        return self._rows_of(self["verdict"]["flags"])

    @property
    def measures(self) -> Table:
        """A row for each measure: its name, mean, 95% interval and number of observations."""
        names = ("mean", "low", "high", "n")
        return self._rows_of(
            [{"measure": measure, **{name: self[measure][name] for name in names}}
             for measure in _MEASURES if self.get(measure)]
        )  # fmt: skip

    @property
    def curves(self) -> Table:
        """A row for each ply of each game that was followed: the value for the first player."""
        rows, names = [], ("mean", "low", "high")
        for game in self["curves"]:
            for ply, values in enumerate(game["values"], game["first_ply"]):
                rows.append({"game": game["game"], "ply": ply, **dict(zip(names, values))})
        return self._rows_of(rows)


class CompareFields(Report):
    """Attributes of a comparison."""

    __slots__ = ()

    differences: Table
    games: Table
    sentences: Tuple[str, ...]

    @property
    def gauges(self) -> List[GaugeFields]:
        """The gauge of each game."""
        from ._operations import GaugeReport

        games = json.loads(self.to_json())["games"]
        return [GaugeReport(json.dumps(game), sources=self._sources) for game in games]


class VettingFields(Report):
    """Attributes of a vetting."""

    __slots__ = ()

    seed: int
    model: Mapping[str, Any]
    rows: Table
    families: Optional[Table]


class SearchFields(Report):
    """Attributes of a search."""

    __slots__ = ()

    game: str
    position: str
    last_cells: Optional[Tuple[str, ...]]
    turn: str
    seed: int
    iterations: int
    cp: float
    expansion: Optional[str]
    merge: Optional[str]
    backup: Optional[str]
    counts: Optional[str]
    solver: Optional[bool]
    threads: Optional[int]
    nodes: int
    memory_bytes: int
    stopped: str
    best_move: Optional[str]
    wins_at_once: Optional[bool]
    moves: Table
    features: Mapping[str, float]
    proved: Optional[Mapping[str, Any]]
    #: Of a search by alpha-beta.
    player: Optional[str]
    value: Optional[float]
    decided: Optional[str]
    plies_to_end: Optional[int]
    depth: Optional[int]
    principal_variation: Optional[Tuple[str, ...]]


class MatchFields(Report):
    """Attributes of a match."""

    __slots__ = ()

    game: str
    a: str
    b: str
    seed: int
    position: Optional[str]
    moves: Tuple[str, ...]
    opening_plies: int
    test: Optional[str]
    time_budget: Mapping[str, Any]
    missing: int
    missing_parts: Optional[Mapping[str, Any]]
    games: int
    a_wins: int
    draws: int
    b_wins: int
    verdict: Mapping[str, Any]
    score: Mapping[str, Any]
    elo: Mapping[str, Any]
    normalised_elo: Mapping[str, Any]
    likelihood_of_superiority: Optional[float]
    p_value: Optional[float]
    sprt: Optional[Mapping[str, Any]]
    pentanomial: Tuple[int, ...]
    first_mover: Mapping[str, Any]
    pairing: Mapping[str, Any]
    outcomes: Mapping[str, Any]
    distinct_games: int
    plies: Optional[float]
    effort: Table
    depth: Mapping[str, Any]
    nodes: Mapping[str, Any]
    time_ms: Mapping[str, Any]
    capped: int
    faults: Mapping[str, Any]
    fault_kinds: Table

    @property
    def pairs(self) -> Table:
        """A row for each pair of games of the record: the opening, then the outcome and the moves
        of the game that ``a`` begins, and of the one that ``b`` begins."""
        if self._record is None:
            raise UsageError("the games of a match are kept with record=FILE")
        pairs: Dict[int, Dict[str, Any]] = {}
        for line in _lines(self._record):
            if "opening" not in line:
                continue
            row = pairs.setdefault(line["game"] // 2, {"pair": line["game"] // 2})
            row["opening"] = " ".join(line["opening"])
            row[f"outcome_{line['first']}_first"] = line["outcome"]
            row[f"moves_{line['first']}_first"] = " ".join(line["moves"])
        return self._rows_of([pairs[number] for number in sorted(pairs)])


class PowerFields(Report):
    """Attributes of the power of a match."""

    __slots__ = ()

    gap: float
    spread: Mapping[str, Any]
    rows: Table
    smallest_gaps: Table
    measured_pairs: Optional[int]


class TournamentFields(Report):
    """Attributes of a tournament."""

    __slots__ = ()

    game: str
    players: Tuple[str, ...]
    seed: int
    position: Optional[str]
    moves: Tuple[str, ...]
    opening_plies: int
    games_per_match: int
    time_budget: Tuple[bool, ...]
    missing: int
    missing_parts: Optional[Mapping[str, Any]]
    verdict: Mapping[str, Any]
    games: int
    encounters: Table
    standings: Table
    bradley_terry: Optional[Mapping[str, Any]]
    unrated: Optional[bool]


class SolveFields(Report):
    """Attributes of a solve."""

    __slots__ = ()

    game: str
    position: str
    turn: str
    positions: int
    canonical_positions: Optional[int]
    stored_positions: int
    finished: int
    win: int
    lose: int
    tie: int
    draw: int
    endless: str
    endless_win: int
    endless_lose: int
    quiet_plies: Optional[int]
    beyond_quiet_plies: int
    start: Mapping[str, Any]
    margin: Optional[Mapping[str, Any]]
    digest: str
    file_bytes: Optional[int]
    peak_memory_bytes: Optional[int]
    cpu_s: Optional[float]


class ProbeFields(Report):
    """Attributes of a probe."""

    __slots__ = ()

    game: str
    position: str
    turn: str
    value: str
    remoteness: Optional[int]
    endless: str
    by_history: Optional[str]
    limit: Optional[Mapping[str, Any]]
    moves: Table


class LandscapeFields(Report):
    """Attributes of the values of all positions; their counts by remoteness are ``report["table"]``."""

    __slots__ = ()

    game: str
    positions: int
    win: int
    lose: int
    tie: int
    draw: int
    endless_win: int
    endless_lose: int


class VerifyFields(Report):
    """Attributes of a check of a solution."""

    __slots__ = ()

    game: str
    ok: bool
    positions: int
    moves: int
    fault_count: int
    faults: Table
    unseen: str


class InterestFields(Report):
    """Attributes of the interest of positions."""

    __slots__ = ()

    game: str
    form: str
    lose_children: str
    children: str
    draws: str
    ties: str
    endless: Optional[str]
    positions: int
    start: Mapping[str, Any]
    most_interesting: Optional[Mapping[str, Any]]
    by_remoteness: Table
    sweeps: int
    positions_in_loops: int
    draw: int
    #: Of one position.
    position: Optional[str]
    turn: Optional[str]
    value: Optional[str]
    remoteness: Optional[int]
    interestingness: Optional[float]
    terms: Optional[Mapping[str, Any]]
    quickest_wins: Optional[Tuple[str, ...]]


class PuzzlesFields(Report):
    """Attributes of puzzles."""

    __slots__ = ()

    game: str
    form: str
    lose_children: str
    children: str
    draws: str
    ties: str
    mate_in: Optional[int]
    mate_in_max: Optional[int]
    top: int
    count: Optional[int]
    unique_only: bool
    puzzles: Table
    from_play: Optional[Mapping[str, Any]]
    by_remoteness: Table


class DifficultyFields(Report):
    """Attributes of rated puzzles, of the difficulty of one position, and of graded puzzles."""

    __slots__ = ()

    measured: Optional[Mapping[str, Any]]
    networks: Optional[Tuple[float, ...]]
    model: Optional[Mapping[str, Any]]
    attributes: Tuple[str, ...]
    for_rating: Optional[float]
    set: Optional[Mapping[str, Any]]
    rows: Table
    bad_rows: Table
    #: Of one position and of graded puzzles.
    game: Optional[str]
    source: Optional[str]
    #: Of one position; the values of its attributes are ``report["values"]``.
    position: Optional[str]
    unit: Optional[str]
    guess_probability: Optional[float]
    words: Optional[str]
    solution: Optional[Tuple[str, ...]]
    completed: Optional[bool]
    without_solution: Optional[bool]
    soundness: Optional[str]
    note: Optional[str]
    difficulty: Optional[Mapping[str, Any]]
    reasons: Optional[Table]
    people: Optional[Table]
    tree: Optional[Mapping[str, Any]]


class TemplatesFields(Report):
    """Attributes of the list of texts to start from, and of one text."""

    __slots__ = ()

    games: Table
    without_text: Table
    #: Of one text.
    file: Optional[str]
    source: Optional[str]


class CheckFields(Report):
    """Attributes of a check of the text of a game."""

    __slots__ = ()

    file: str
    name: str
    errors: Table
    warnings: Table
    seed: int
    games: int
    random_games: Optional[Mapping[str, Any]]


class ShowFields(Report):
    """Attributes of a position."""

    __slots__ = ()

    game: str
    position: str
    last_cells: Optional[Tuple[str, ...]]
    turn: str
    outcome: Optional[str]
    ended_by: Optional[str]
    margin: Optional[int]
    moves: Tuple[str, ...]
    rules: Table
    board: Optional[Mapping[str, Any]]


class GamesFields(Report):
    """Attributes of the list of games, and of names of games."""

    __slots__ = ()

    games: Table
    library: Table
    evaluators: Tuple[str, ...]
    #: Of names.
    rows: Optional[Table]


class DatasetFields(Report):
    """Attributes of a collection."""

    __slots__ = ()

    iterations: int
    seed: int
    cp: float
    expansion: Optional[str]
    merge: Optional[str]
    backup: Optional[str]
    counts: Optional[str]
    solver: Optional[bool]
    reuse: Optional[bool]
    missing: int
    games: Table


class EvaluationFields(Report):
    """Attributes of an evaluation of learners."""

    __slots__ = ()

    seed: int
    draws: int
    permutations: int
    play_resamples: Optional[int]
    conditions: Optional[Mapping[str, Any]]
    games: Table
    datasets: Table
    quality: Table
    baselines: Optional[Table]
    trees_gain: Optional[Table]
    networks: Optional[Table]
    shapes: Optional[Table]
    trees: Table
    observed: Optional[Table]
    ratings: Optional[Table]
    rating_weights: Optional[Table]
    learning_curve: Optional[Table]
    #: Of a table of puzzles. Its number of ``games`` is an int.
    measured: Optional[Mapping[str, Any]]
    problems: Optional[int]
    other_problems: Optional[int]
    left_out: Optional[Table]
    missing_attributes: Optional[Tuple[str, ...]]
    rating: Optional[Tuple[float, ...]]
    extremes: Optional[Tuple[int, ...]]
    extreme_scores: Optional[Table]
    explosion: Optional[Table]
    tree_gain: Optional[Mapping[str, Any]]
    sampled: Optional[Tuple[int, ...]]
    class_scores: Optional[Table]
    rating_scores: Optional[Table]
    coverage: Optional[Mapping[str, Any]]
    interval_width: Optional[float]
    bands: Optional[Table]

    def _predicted(self) -> Iterator[Dict[str, Any]]:
        for result in self["datasets"]:
            of = {key: result[key] for key in ("iterations", "split", "shapes", "learner", "protocol")}
            for number, row in enumerate(result["predictions"]):
                is_alone = result["protocol"] == "leave_one_out"
                yield {**of, "fold": number if is_alone else row["group"], **row}

    @property
    def predictions(self) -> Table:
        """A row for each learner, protocol and held-out game: the fold in which it was held out, and
        the predicted probability that it is playable."""
        return self._rows_of(list(self._predicted()))

    @property
    def folds(self) -> Table:
        """A row for each dataset, protocol and game: the number of the fold in which the game is
        held out, so that any estimator can be tried under the same folds."""
        names = ("iterations", "split", "shapes", "protocol", "fold", "game", "group", "playable")
        rows = {tuple(row[name] for name in names): None for row in self._predicted()}
        return self._rows_of([dict(zip(names, row)) for row in rows])


class TrainedFields(Report):
    """Attributes of a model."""

    __slots__ = ()

    model: Mapping[str, Any]
    baselines: Optional[Table]
    trees_gain: Optional[Table]


class CorridorFields(Report):
    """Attributes of searches in the corridor."""

    __slots__ = ()

    seed: int
    cp: float
    points: Table


class ReplayFields(Report):
    """Attributes of a record, and of one of its games."""

    __slots__ = ()

    game: str
    holds: str
    seed: int
    position: Optional[str]
    moves: Tuple[str, ...]
    players: Tuple[Tuple[str, str], ...]
    games: Table
    #: Of one game.
    name: Optional[str]
    first: Optional[str]
    second: Optional[str]
    outcome: Optional[str]
    ended_by: Optional[str]
    plies: Optional[int]
    fault: Optional[str]
    opening_plies: Optional[int]
    positions: Optional[Table]


class TasksFields(Report):
    """Attributes of the list of tasks."""

    __slots__ = ()

    tasks: Table


class PerftFields(Report):
    """Attributes of counts of sequences of moves."""

    __slots__ = ()

    game: str
    position: str
    counts: Tuple[int, ...]
    distinct: Optional[Tuple[int, ...]]
    divide: Optional[Table]


class GenerationFields(Report):
    """Attributes of a generation of games."""

    __slots__ = ()

    seed: int
    candidates: int
    gates: Table
    generation: int
    parts: int
    part: Optional[int]
    axes: Tuple[str, str]
    cells: int
    model: Optional[Mapping[str, Any]]
    glance: Tuple[int, int]
    budgets: Mapping[str, Any]
    starts: Table
    kept: Mapping[str, Any]
    sound: Optional[Mapping[str, Any]]
    controls: Table
    map: Optional[Table]

    @property
    def best(self) -> List[Game]:
        """The best games, best first."""
        return [Game.from_rules(row["source"], f"best{n}") for n, row in enumerate(self["best"], 1)]


def _lines(path: str) -> Iterator[Dict[str, Any]]:
    with open(os.fspath(path), encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


class AttributesFields(Report):
    """Attributes of games. It is a table for any library with Arrow, and for `evaluate` and `train`."""

    __slots__ = ()
    columns: Sequence[str]

    @property
    def rows(self) -> Table:
        """A row for each game, with the columns by name; ``report["rows"]`` are lists."""
        names = self["columns"]
        return self._rows_of([dict(zip(names, row)) for row in self["rows"]])

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.rows.__arrow_c_stream__(requested_schema)

    def write_csv(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the rows as comma-separated values."""
        self.rows.write_csv(path)
