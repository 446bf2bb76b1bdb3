"""One function for each command of the program. `cargo xtask stubs` writes this file."""

from __future__ import annotations

from typing import Any, Dict, Literal, Optional, Sequence, Type, Union

from . import _fields, _treegauge
from ._call import GameLike, Listed, Listener, PathLike, PlayerLike, Source, Stop, call
from ._reports import Report
from ._results import Dataset, Model, Search, Solution, whole


class GaugeReport(_fields.GaugeFields):
    """Report of `gauge`, of the kind `gauge`."""

    __slots__ = ()


class CompareReport(_fields.CompareFields):
    """Report of `compare`, of the kind `compare`."""

    __slots__ = ()


class VetReport(_fields.VettingFields):
    """Report of `vet`, of the kind `vetting`."""

    __slots__ = ()


class SearchReport(_fields.SearchFields):
    """Report of `search`, of the kind `search`."""

    __slots__ = ()


class AlphabetaSearchReport(SearchReport):
    """Report of `search`, of the kind `alphabeta_search`."""

    __slots__ = ()


class MatchReport(_fields.MatchFields):
    """Report of `match`, of the kind `match`."""

    __slots__ = ()


class PowerReport(_fields.PowerFields):
    """Report of `match`, of the kind `power`."""

    __slots__ = ()


class TournamentReport(_fields.TournamentFields):
    """Report of `tournament`, of the kind `tournament`."""

    __slots__ = ()


class SolveReport(_fields.SolveFields):
    """Report of `solve`, of the kind `solve`."""

    __slots__ = ()


class ProbeReport(_fields.ProbeFields):
    """Report of `probe`, of the kind `probe`."""

    __slots__ = ()


class LandscapeReport(_fields.LandscapeFields):
    """Report of `landscape`, of the kind `landscape`."""

    __slots__ = ()


class VerifyReport(_fields.VerifyFields):
    """Report of `verify`, of the kind `verify`."""

    __slots__ = ()


class InterestReport(_fields.InterestFields):
    """Report of `interest`, of the kind `interest`."""

    __slots__ = ()


class InterestPositionReport(InterestReport):
    """Report of `interest`, of the kind `interest_position`."""

    __slots__ = ()


class PuzzlesReport(_fields.PuzzlesFields):
    """Report of `puzzles`, of the kind `puzzles`."""

    __slots__ = ()


class DifficultyReport(_fields.DifficultyFields):
    """Report of `difficulty`, of the kind `difficulty`."""

    __slots__ = ()


class ProblemReport(DifficultyReport):
    """Report of `difficulty`, of the kind `problem`."""

    __slots__ = ()


class GradedPuzzlesReport(DifficultyReport):
    """Report of `difficulty`, of the kind `graded_puzzles`."""

    __slots__ = ()


class NewReport(_fields.TemplatesFields):
    """Report of `new`, of the kind `templates`."""

    __slots__ = ()


class FormattedReport(NewReport):
    """Report of `new`, of the kind `formatted`."""

    __slots__ = ()


class CheckReport(_fields.CheckFields):
    """Report of `check`, of the kind `check`."""

    __slots__ = ()


class ShowReport(_fields.ShowFields):
    """Report of `show`, of the kind `show`."""

    __slots__ = ()


class GamesReport(_fields.GamesFields):
    """Report of `games`, of the kind `games`."""

    __slots__ = ()


class NamesReport(GamesReport):
    """Report of `games`, of the kind `names`."""

    __slots__ = ()


class GenerateReport(_fields.GenerationFields):
    """Report of `generate`, of the kind `generation`."""

    __slots__ = ()


class CollectReport(_fields.DatasetFields):
    """Report of `collect`, of the kind `dataset`."""

    __slots__ = ()


class AggregateReport(_fields.AttributesFields):
    """Report of `aggregate`, of the kind `attributes`."""

    __slots__ = ()


class EvaluateReport(_fields.EvaluationFields):
    """Report of `evaluate`, of the kind `evaluation`."""

    __slots__ = ()


class DifficultyEvaluationReport(EvaluateReport):
    """Report of `evaluate`, of the kind `difficulty_evaluation`."""

    __slots__ = ()


class TrainReport(_fields.TrainedFields):
    """Report of `train`, of the kind `trained`."""

    __slots__ = ()


class TrainedDifficultyReport(TrainReport):
    """Report of `train`, of the kind `trained_difficulty`."""

    __slots__ = ()


class CorridorReport(_fields.CorridorFields):
    """Report of `corridor`, of the kind `corridor`."""

    __slots__ = ()


class ReplayReport(_fields.ReplayFields):
    """Report of `replay`, of the kind `replay`."""

    __slots__ = ()


class ReplayedGameReport(ReplayReport):
    """Report of `replay`, of the kind `replayed_game`."""

    __slots__ = ()


class TasksReport(_fields.TasksFields):
    """Report of `tasks`, of the kind `tasks`."""

    __slots__ = ()


class PerftReport(_fields.PerftFields):
    """Report of `perft`, of the kind `perft`."""

    __slots__ = ()


#: The class of each kind of report.
REPORTS: Dict[str, Type[Report]] = {
    "gauge": GaugeReport,
    "compare": CompareReport,
    "vetting": VetReport,
    "search": SearchReport,
    "alphabeta_search": AlphabetaSearchReport,
    "match": MatchReport,
    "power": PowerReport,
    "tournament": TournamentReport,
    "solve": SolveReport,
    "probe": ProbeReport,
    "landscape": LandscapeReport,
    "verify": VerifyReport,
    "interest": InterestReport,
    "interest_position": InterestPositionReport,
    "puzzles": PuzzlesReport,
    "difficulty": DifficultyReport,
    "problem": ProblemReport,
    "graded_puzzles": GradedPuzzlesReport,
    "templates": NewReport,
    "formatted": FormattedReport,
    "check": CheckReport,
    "show": ShowReport,
    "games": GamesReport,
    "names": NamesReport,
    "generation": GenerateReport,
    "dataset": CollectReport,
    "attributes": AggregateReport,
    "evaluation": EvaluateReport,
    "difficulty_evaluation": DifficultyEvaluationReport,
    "trained": TrainReport,
    "trained_difficulty": TrainedDifficultyReport,
    "corridor": CorridorReport,
    "replay": ReplayReport,
    "replayed_game": ReplayedGameReport,
    "tasks": TasksReport,
    "perft": PerftReport,
}


def gauge(
    game: GameLike,
    *,
    at: Optional[_treegauge.State] = None,
    model: Optional[PathLike] = None,
    budget: Optional[Literal["quick", "normal", "thorough"]] = None,
    games: Optional[int] = None,
    iterations: Optional[int] = None,
    skill_games: Optional[int] = None,
    ladder: Optional[Union[str, Sequence[str]]] = None,
    solve_limit: Optional[int] = None,
    opening_plies: Optional[int] = None,
    seed: Optional[int] = None,
    cp: Optional[float] = None,
    draw_rate_max: Optional[float] = None,
    share_max: Optional[float] = None,
    completion_min: Optional[float] = None,
    plies_min: Optional[float] = None,
    plies_max: Optional[float] = None,
    capped_max: Optional[float] = None,
    expansion: Optional[Literal["order", "random"]] = None,
    merge: Optional[Literal["none", "equal", "symmetric"]] = None,
    backup: Optional[Literal["single", "all"]] = None,
    counts: Optional[Literal["node", "edge"]] = None,
    solver: bool = False,
    reuse: bool = False,
    spread_third: Optional[Literal["up", "down", "nearest"]] = None,
    variance: Optional[Literal["population", "sample"]] = None,
    uct_nodes: Optional[Literal["strict", "non-leaf"]] = None,
    unvisited: Optional[Literal["zero", "skip"]] = None,
    fail_on: Optional[Union[str, Sequence[str]]] = None,
    position: Optional[str] = None,
    moves: Optional[str] = None,
    tree_features: bool = False,
    record: Optional[PathLike] = None,
    force: bool = False,
    threads: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> GaugeReport:
    """Judge a game by self-play: is it drawish, biased, too short?

    game: Game, as `games` lists it
    at: State of the game, instead of `position` and `moves`
    model: Model that predicts playability: a model file or `none` [default: built-in]
    budget: Amount of play; --games and --iterations override it. A game with many moves gets up
        to four times the iterations, if it needs them to be judged; a slow game is played less
        often [default: normal]
    games: Self-play games at each strength (a whole number from 1 to 1000000)
    iterations: Iterations per move of the players, which use UCT, a tree search (a whole number
        from 1 to 40000000)
    skill_games: Games in which one side searches with four times the iterations [default: as
        --games] (a whole number from 0 to 1000000)
    ladder: Strengths of the players, as parts and multiples of --iterations [default:
        1/16,1/4,1,4] (a whole number from 1 to 1000, or a fraction of two, like 1/4)
    solve_limit: Solve the game first if it has up to this many positions, and they fit into 1G
        and a quarter of the free memory; 0 never solves [default: 5000000, and 500000 if the
        budget is quick] (a whole number from 0 to 1000000000)
    opening_plies: Random plies at the beginning of each game [default: 0] (a whole number from
        0 to 1000000)
    seed: Random seed [default: 1] (a whole number, 0 or more)
    cp: Exploration constant C_p, for rewards from 0 to 1 [default: 0.7071067811865476] (a
        number from 0 to 1000)
    draw_rate_max: Drawish: a greater share of draws than this [default: 0.6] (a share from 0 to
        1)
    share_max: Biased: one player takes a greater share of the points than this [default: 0.75]
        (a share from 0 to 1)
    completion_min: Unfinished: a smaller share of games than this ended by the rules of the
        position [default: 0.5] (a share from 0 to 1)
    plies_min: Too short: a median length of fewer plies than this [default: 8] (a number of
        plies from 0 to 1000000)
    plies_max: Too long: a median length of more plies than this [default: 300] (a number of
        plies from 0 to 1000000)
    capped_max: Capped, and too long: a greater share of games ended by the ply cap than this
        [default: 0.1] (a share from 0 to 1)
    expansion: Order of the first visits to the moves of a position: `order` follows the move
        list of the game, `random` lets small searches see all parts of a wide board [default:
        order]
    merge: Positions that share a node; `equal` and `symmetric` turn the tree into a web
        [default: none]
    backup: Nodes of a web that receive the result of a playout [default: single]
    counts: Visits and results in a web that decide the choice among moves [default: node]
    solver: Prove values: skip moves that cannot be better than another, and end a search once
        its root is proved
    reuse: Keep the tree below the moves played from one move of a game to the next: each search
        adds all its iterations to the kept visits, and the features are those of the whole tree
    spread_third: Rounding of a third of the moves in `spread_third` [default: up]
    variance: Divisor of variances: the number of values (`population`), or one less (`sample`)
        [default: population]
    uct_nodes: Nodes that `uct_fraction` counts as fully expanded: those with more visits than
        legal moves (`strict`), or with as many or more (`non-leaf`) [default: strict]
    unvisited: Unvisited moves in `score_drift`: count them as 0 (`zero`), or leave them out
        (`skip`) [default: zero]
    fail_on: Exit with code 1 if the game has one of these flaws; `any` stands for all, `open`
        for a flaw that cannot be excluded, such as one that best play contradicts
    position: Position to begin at, as `show` prints it [default: the start of the game]
    moves: Moves to play first, separated by spaces
    tree_features: Print the features of the search trees too; JSON and the web page always have
        them
    record: Record each game in FILE, a line of JSON each; the same command continues an
        interrupted run, and a larger --games adds games
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "game": game,
        "model": model,
        "budget": budget,
        "games": games,
        "iterations": iterations,
        "skill_games": skill_games,
        "ladder": ladder,
        "solve_limit": solve_limit,
        "opening_plies": opening_plies,
        "seed": seed,
        "cp": cp,
        "draw_rate_max": draw_rate_max,
        "share_max": share_max,
        "completion_min": completion_min,
        "plies_min": plies_min,
        "plies_max": plies_max,
        "capped_max": capped_max,
        "expansion": expansion,
        "merge": merge,
        "backup": backup,
        "counts": counts,
        "solver": solver,
        "reuse": reuse,
        "spread_third": spread_third,
        "variance": variance,
        "uct_nodes": uct_nodes,
        "unvisited": unvisited,
        "fail_on": fail_on,
        "position": position,
        "moves": moves,
        "tree_features": tree_features,
    }
    report, _ = call("gauge", fields, at=at, kept=record, force=force, threads=threads, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def compare(
    names: Union[GameLike, Sequence[GameLike]],
    *,
    budget: Optional[Literal["quick", "normal", "thorough"]] = None,
    games: Optional[int] = None,
    iterations: Optional[int] = None,
    skill_games: Optional[int] = None,
    ladder: Optional[Union[str, Sequence[str]]] = None,
    solve_limit: Optional[int] = None,
    opening_plies: Optional[int] = None,
    seed: Optional[int] = None,
    cp: Optional[float] = None,
    draw_rate_max: Optional[float] = None,
    share_max: Optional[float] = None,
    completion_min: Optional[float] = None,
    plies_min: Optional[float] = None,
    plies_max: Optional[float] = None,
    capped_max: Optional[float] = None,
    expansion: Optional[Literal["order", "random"]] = None,
    merge: Optional[Literal["none", "equal", "symmetric"]] = None,
    backup: Optional[Literal["single", "all"]] = None,
    counts: Optional[Literal["node", "edge"]] = None,
    solver: bool = False,
    reuse: bool = False,
    spread_third: Optional[Literal["up", "down", "nearest"]] = None,
    variance: Optional[Literal["population", "sample"]] = None,
    uct_nodes: Optional[Literal["strict", "non-leaf"]] = None,
    unvisited: Optional[Literal["zero", "skip"]] = None,
    fail_on: Optional[Union[str, Sequence[str]]] = None,
    record: Optional[PathLike] = None,
    force: bool = False,
    threads: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> CompareReport:
    """Compare variants of a game: what does a change of the rules do?

    names: Games, 2 to 20: the first is the baseline; `cols=5..9` stands for one game per number
    budget: Amount of play; --games and --iterations override it. A game with many moves gets up
        to four times the iterations, if it needs them to be judged; a slow game is played less
        often [default: normal]
    games: Self-play games at each strength (a whole number from 1 to 1000000)
    iterations: Iterations per move of the players, which use UCT, a tree search (a whole number
        from 1 to 40000000)
    skill_games: Games in which one side searches with four times the iterations [default: as
        --games] (a whole number from 0 to 1000000)
    ladder: Strengths of the players, as parts and multiples of --iterations [default:
        1/16,1/4,1,4] (a whole number from 1 to 1000, or a fraction of two, like 1/4)
    solve_limit: Solve the game first if it has up to this many positions, and they fit into 1G
        and a quarter of the free memory; 0 never solves [default: 5000000, and 500000 if the
        budget is quick] (a whole number from 0 to 1000000000)
    opening_plies: Random plies at the beginning of each game [default: 0] (a whole number from
        0 to 1000000)
    seed: Random seed [default: 1] (a whole number, 0 or more)
    cp: Exploration constant C_p, for rewards from 0 to 1 [default: 0.7071067811865476] (a
        number from 0 to 1000)
    draw_rate_max: Drawish: a greater share of draws than this [default: 0.6] (a share from 0 to
        1)
    share_max: Biased: one player takes a greater share of the points than this [default: 0.75]
        (a share from 0 to 1)
    completion_min: Unfinished: a smaller share of games than this ended by the rules of the
        position [default: 0.5] (a share from 0 to 1)
    plies_min: Too short: a median length of fewer plies than this [default: 8] (a number of
        plies from 0 to 1000000)
    plies_max: Too long: a median length of more plies than this [default: 300] (a number of
        plies from 0 to 1000000)
    capped_max: Capped, and too long: a greater share of games ended by the ply cap than this
        [default: 0.1] (a share from 0 to 1)
    expansion: Order of the first visits to the moves of a position: `order` follows the move
        list of the game, `random` lets small searches see all parts of a wide board [default:
        order]
    merge: Positions that share a node; `equal` and `symmetric` turn the tree into a web
        [default: none]
    backup: Nodes of a web that receive the result of a playout [default: single]
    counts: Visits and results in a web that decide the choice among moves [default: node]
    solver: Prove values: skip moves that cannot be better than another, and end a search once
        its root is proved
    reuse: Keep the tree below the moves played from one move of a game to the next: each search
        adds all its iterations to the kept visits, and the features are those of the whole tree
    spread_third: Rounding of a third of the moves in `spread_third` [default: up]
    variance: Divisor of variances: the number of values (`population`), or one less (`sample`)
        [default: population]
    uct_nodes: Nodes that `uct_fraction` counts as fully expanded: those with more visits than
        legal moves (`strict`), or with as many or more (`non-leaf`) [default: strict]
    unvisited: Unvisited moves in `score_drift`: count them as 0 (`zero`), or leave them out
        (`skip`) [default: zero]
    fail_on: Exit with code 1 if the game has one of these flaws; `any` stands for all, `open`
        for a flaw that cannot be excluded, such as one that best play contradicts
    record: Record the games in this folder, one file per variant; the same command continues an
        interrupted run
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "names": names,
        "budget": budget,
        "games": games,
        "iterations": iterations,
        "skill_games": skill_games,
        "ladder": ladder,
        "solve_limit": solve_limit,
        "opening_plies": opening_plies,
        "seed": seed,
        "cp": cp,
        "draw_rate_max": draw_rate_max,
        "share_max": share_max,
        "completion_min": completion_min,
        "plies_min": plies_min,
        "plies_max": plies_max,
        "capped_max": capped_max,
        "expansion": expansion,
        "merge": merge,
        "backup": backup,
        "counts": counts,
        "solver": solver,
        "reuse": reuse,
        "spread_third": spread_third,
        "variance": variance,
        "uct_nodes": uct_nodes,
        "unvisited": unvisited,
        "fail_on": fail_on,
    }
    report, _ = call("compare", fields, kept=record, force=force, threads=threads, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def vet(
    games: Union[GameLike, Sequence[GameLike]],
    *,
    model: Optional[PathLike] = None,
    seed: Optional[int] = None,
    record: Optional[PathLike] = None,
    force: bool = False,
    threads: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> VetReport:
    """Predict by a model of known games which games are playable.

    games: Games, separated by commas, `all` (the 28 games of Williams 2010) or a FILE that
        lists them
    model: Model that `train` wrote [default: built-in]
    seed: Random seed of the self-play [default: 1] (a whole number, 0 or more)
    record: Record the games in this folder; the same command continues an interrupted run
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "games": games,
        "model": model,
        "seed": seed,
    }
    report, _ = call("vet", fields, kept=record, force=force, threads=threads, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def search(
    game: GameLike,
    iterations: Optional[int] = None,
    *,
    at: Optional[_treegauge.State] = None,
    player: Optional[str] = None,
    top: Optional[int] = None,
    seed: Optional[int] = None,
    cp: Optional[float] = None,
    nodes_max: Optional[int] = None,
    memory_max: Optional[Union[int, str]] = None,
    style: Optional[Literal["plain", "williams"]] = None,
    picture_children: Optional[int] = None,
    picture_nodes: Optional[int] = None,
    picture_depth: Optional[int] = None,
    picture_boards: Optional[int] = None,
    expansion: Optional[Literal["order", "random"]] = None,
    merge: Optional[Literal["none", "equal", "symmetric"]] = None,
    backup: Optional[Literal["single", "all"]] = None,
    counts: Optional[Literal["node", "edge"]] = None,
    solver: bool = False,
    trees: Optional[int] = None,
    spread_third: Optional[Literal["up", "down", "nearest"]] = None,
    variance: Optional[Literal["population", "sample"]] = None,
    uct_nodes: Optional[Literal["strict", "non-leaf"]] = None,
    unvisited: Optional[Literal["zero", "skip"]] = None,
    position: Optional[str] = None,
    moves: Optional[str] = None,
    dot: Optional[PathLike] = None,
    svg: Optional[PathLike] = None,
    tree_json: Optional[PathLike] = None,
    force: bool = False,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> Search:
    """Search one position: values of its moves, shape of the tree.

    game: Game, as `games` lists it
    iterations: Iterations of the search [default: 10000] (a whole number from 1 to 2147483647)
    at: State of the game, instead of `position` and `moves`
    player: Search as this player: alphabeta(eval=NAME,nodes=N), with depth=N or time_ms=N
        instead of nodes, or uct(iterations=N,cp=X,...), which equals --iterations N --cp X ...
    top: Moves that the text lists, the most visited first [default: 20] (a whole number from 0
        to 4294967295)
    seed: Random seed [default: 1] (a whole number, 0 or more)
    cp: Exploration constant C_p, for rewards from 0 to 1 [default: 0.7071067811865476] (a
        number from 0 to 1000)
    nodes_max: Stop before the tree exceeds this number of nodes (a whole number, 1 or more)
    memory_max: Stop before the tree exceeds this memory: bytes, or a size such as 500M or 6G
        (1G is 1024M) [default: 4G] (a size such as 2000000, 500M or 1.5G)
    style: Style of the pictures [default: plain]
    picture_children: Children of a node in a picture; the others are folded [default: 4] (a
        whole number, 1 or more)
    picture_nodes: Nodes in a picture [default: 44] (a whole number, 1 or more)
    picture_depth: Plies below the root in a picture [default: 6] (a whole number, 1 or more)
    picture_boards: Nodes with a small board in a picture: those of the best line first, then
        the most visited, or of alpha-beta the nearest to the root [default: 20; 44 for alpha-
        beta] (a whole number, 0 or more)
    expansion: Order of the first visits to the moves of a position: `order` follows the move
        list of the game, `random` lets small searches see all parts of a wide board [default:
        order]
    merge: Positions that share a node; `equal` and `symmetric` turn the tree into a web
        [default: none]
    backup: Nodes of a web that receive the result of a playout [default: single]
    counts: Visits and results in a web that decide the choice among moves [default: node]
    solver: Prove values: skip moves that cannot be better than another, and end a search once
        its root is proved
    trees: Grow N independent trees, which share --iterations and the limits, and add up their
        results for the moves; features and pictures are those of the first tree (a player has
        threads=N; the result depends on N) [default: 1] (a whole number from 1 to 1024)
    spread_third: Rounding of a third of the moves in `spread_third` [default: up]
    variance: Divisor of variances: the number of values (`population`), or one less (`sample`)
        [default: population]
    uct_nodes: Nodes that `uct_fraction` counts as fully expanded: those with more visits than
        legal moves (`strict`), or with as many or more (`non-leaf`) [default: strict]
    unvisited: Unvisited moves in `score_drift`: count them as 0 (`zero`), or leave them out
        (`skip`) [default: zero]
    position: Position to begin at, as `show` prints it [default: the start of the game]
    moves: Moves to play first, separated by spaces
    dot: Write the tree for GraphViz
    svg: Write a picture of the tree with boards and values; that of alpha-beta has its cuts
    tree_json: Write the whole tree as JSON
    force: Replace files that are not treegauge's own
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "game": game,
        "iterations": iterations,
        "player": player,
        "top": top,
        "seed": seed,
        "cp": cp,
        "nodes_max": nodes_max,
        "memory_max": memory_max,
        "style": style,
        "picture_children": picture_children,
        "picture_nodes": picture_nodes,
        "picture_depth": picture_depth,
        "picture_boards": picture_boards,
        "expansion": expansion,
        "merge": merge,
        "backup": backup,
        "counts": counts,
        "solver": solver,
        "trees": trees,
        "spread_third": spread_third,
        "variance": variance,
        "uct_nodes": uct_nodes,
        "unvisited": unvisited,
        "position": position,
        "moves": moves,
    }
    return Search._run(fields, at=at, files={"dot": dot, "svg": svg, "tree_json": tree_json}, force=force, stop=stop, progress=progress)


def match(
    game: Optional[GameLike] = None,
    a: Optional[PlayerLike] = None,
    b: Optional[PlayerLike] = None,
    *,
    at: Optional[_treegauge.State] = None,
    players: Optional[Union[str, Sequence[str]]] = None,
    games: Optional[int] = None,
    sprt: Optional[str] = None,
    opening_plies: Optional[int] = None,
    shard: Optional[str] = None,
    seed: Optional[int] = None,
    position: Optional[str] = None,
    moves: Optional[str] = None,
    power: bool = False,
    gap: Optional[float] = None,
    draw_rate: Optional[float] = None,
    correlation: Optional[float] = None,
    record: Optional[PathLike] = None,
    force: bool = False,
    threads: Optional[int] = None,
    strict: bool = False,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> MatchReport:
    """Play a match: which of two players is better, and by how much?

    game: Game, as `games` lists it
    a: Player A, if not given after the game: random, intuitive(temperature=X), uct(iterations=N
        ,cp=X,expansion=order|random,merge=none|equal|symmetric,backup=single|all,counts=node|ed
        ge,solver=true|false,reuse=true|false,threads=N),
        alphabeta(eval=NAME,nodes=N|depth=N|time_ms=N) or perfect(file=PATH)
    b: Player B, if not given after the game
    at: State of the game, instead of `position` and `moves`
    players: Players A and B; scores and Elo are reported from the point of view of A
    games: Games to play, in pairs with the same opening and swapped sides [default: 100] (a
        whole number from 1 to 100000000)
    sprt: Stop as soon as a sequential test (SPRT) decides, at the latest after --games:
        elo0=E,elo1=E
    opening_plies: Random plies at the beginning of each game; fewer if they would end it
        [default: 2] (a whole number from 0 to 1000000)
    shard: Play only part I of N of the pairs; `merge` combines the records of all parts (I/N
        with I from 1 to N: part I of N, at most 65536)
    seed: Random seed [default: 1] (a whole number, 0 or more)
    position: Position to begin at, as `show` prints it [default: the start of the game]
    moves: Moves to play first, separated by spaces
    power: Power analysis without playing: the games needed to detect a score gap, and the gap
        that a number of games detects; --record FILE estimates the variance from recorded games
    gap: Share of the points of the better player above one half, 0 to 0.5; 0.04 is a true score
        of 54% against 46% [default: 0.04] (a number from 0 to 0.5)
    draw_rate: Expected share of drawn games [default: 0] (a number from 0 to 1)
    correlation: Correlation of the points of a player in the two games of a pair; negative if
        openings favour a side [default: 0] (a number from -1 to 1)
    record: Record each game in FILE, a line of JSON each; the same command continues an
        interrupted run, and a larger --games adds games
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    strict: Let an exception of a player that is an object end the call; otherwise it forfeits
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "game": game,
        "players": players,
        "a": a,
        "b": b,
        "games": games,
        "sprt": sprt,
        "opening_plies": opening_plies,
        "shard": shard,
        "seed": seed,
        "position": position,
        "moves": moves,
        "power": power,
        "gap": gap,
        "draw_rate": draw_rate,
        "correlation": correlation,
    }
    report, _ = call("match", fields, at=at, kept=record, force=force, threads=threads, strict=strict, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def tournament(
    game: GameLike,
    players: Optional[Union[PlayerLike, Sequence[PlayerLike]]] = None,
    *,
    at: Optional[_treegauge.State] = None,
    player: Optional[Union[PlayerLike, Sequence[PlayerLike]]] = None,
    games: Optional[int] = None,
    opening_plies: Optional[int] = None,
    shard: Optional[str] = None,
    seed: Optional[int] = None,
    position: Optional[str] = None,
    moves: Optional[str] = None,
    record: Optional[PathLike] = None,
    force: bool = False,
    threads: Optional[int] = None,
    strict: bool = False,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> TournamentReport:
    """Play a round-robin tournament: Elo ratings of all players.

    game: Game, as `games` lists it
    players: Players, at least two, in the form that `match` takes
    at: State of the game, instead of `position` and `moves`
    player: Player, if not given after the game; repeat for each
    games: Games per pairing, in pairs with the same opening and swapped sides [default: 100] (a
        whole number from 1 to 100000000)
    opening_plies: Random plies at the beginning of each game; fewer if they would end it
        [default: 2] (a whole number from 0 to 1000000)
    shard: Play only part I of N of the pairs; `merge` combines the records of all parts (I/N
        with I from 1 to N: part I of N, at most 65536)
    seed: Random seed [default: 1] (a whole number, 0 or more)
    position: Position to begin at, as `show` prints it [default: the start of the game]
    moves: Moves to play first, separated by spaces
    record: Record each game in FILE, a line of JSON each; the same command continues an
        interrupted run, and a larger --games adds games
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    strict: Let an exception of a player that is an object end the call; otherwise it forfeits
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "game": game,
        "players": players,
        "player": player,
        "games": games,
        "opening_plies": opening_plies,
        "shard": shard,
        "seed": seed,
        "position": position,
        "moves": moves,
    }
    report, _ = call("tournament", fields, at=at, kept=record, force=force, threads=threads, strict=strict, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def solve(
    game: GameLike,
    *,
    at: Optional[_treegauge.State] = None,
    symmetry: bool = False,
    position: Optional[str] = None,
    moves: Optional[str] = None,
    output: Optional[PathLike] = None,
    resume: Optional[PathLike] = None,
    checkpoint_minutes: float = 10.0,
    force: bool = False,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> Solution:
    """Solve a game: the exact value of every position.

    game: Game, as `games` lists it
    at: State of the game, instead of `position` and `moves`
    symmetry: Store one position per symmetry class, which takes less memory
    position: Position to begin at, as `show` prints it [default: the start of the game]
    moves: Moves to play first, separated by spaces
    output: Write the solution to FILE, for `probe`, `verify`, `play --perfect` and others
    resume: Continue from the checkpoint of an interrupted run [default: FILE.checkpoint of -o
        FILE, if it exists]
    checkpoint_minutes: Minutes between two checkpoints; 0 writes one only when the work is
        ended early
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    memory_max: Most bytes for positions [default: a quarter of the free memory]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "game": game,
        "symmetry": symmetry,
        "position": position,
        "moves": moves,
    }
    return Solution._run(fields, at=at, files={"output": output}, kept=resume, checkpoint_minutes=checkpoint_minutes, force=force, threads=threads, memory_max=memory_max, stop=stop, progress=progress)


def probe(
    file: Source,
    *,
    at: Optional[_treegauge.State] = None,
    position: Optional[str] = None,
    moves: Optional[str] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> ProbeReport:
    """Look up a position of a solved game: the value of every move.

    file: File of a solved game, which `solve -o` wrote
    at: State of the game, instead of `position` and `moves`
    position: Position to begin at, as `show` prints it [default: the start of the game]
    moves: Moves to play first, separated by spaces
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "file": file,
        "position": position,
        "moves": moves,
    }
    report, _ = call("probe", fields, at=at, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def landscape(
    file: Source,
    *,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> LandscapeReport:
    """Count the positions of a solved game by value and plies.

    file: File of a solved game, which `solve -o` wrote
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "file": file,
    }
    report, _ = call("landscape", fields, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def verify(
    file: Source,
    *,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> VerifyReport:
    """Check the file of a solved game against the rules.

    file: File of a solved game, which `solve -o` wrote
    threads: Worker threads, which never affect the result [default: one per core]
    memory_max: Most bytes for positions [default: a quarter of the free memory]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "file": file,
    }
    report, _ = call("verify", fields, threads=threads, memory_max=memory_max, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def interest(
    source: Union[GameLike, PathLike],
    *,
    start: Optional[int] = None,
    form: Optional[Literal["clamped", "literal", "forcing"]] = None,
    lose_children: Optional[Literal["all", "fastest"]] = None,
    children: Optional[Literal["moves", "positions"]] = None,
    draws: Optional[Literal["tie", "skip"]] = None,
    ties: Optional[Literal["all", "late"]] = None,
    symmetry: bool = False,
    save: bool = False,
    play: bool = False,
    csv: Optional[PathLike] = None,
    force: bool = False,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> InterestReport:
    """Rate the positions of a game by how well their wins are hidden.

    source: Game, as `games` lists it, or a file that `solve` wrote
    start: Show the most interesting position that --save stored, or the most interesting win in
        N plies (a whole number, 1 or more)
    form: Immediate term of a win: at least 1%, as in the published program (`clamped`); as in
        the paper (`literal`); or at least 1%, with the weight 1 / (1 + moves left) for each
        move, as people look at forcing moves first (`forcing`) [default: clamped]
    lose_children: Winning moves over which a win averages [default: all]
    children: Unit of counting: moves, or distinct successor positions (moves to the same
        position count once) [default: moves]
    draws: Moves from a won position into endless play: count them as ties (`tie`), or skip them
        (`skip`) [default: tie]
    ties: Moves from a won position to a tie that count: all, or only those that end later than
        after one ply (`late`) [default: all]
    symmetry: Store one position per symmetry class, which takes less memory
    save: Save the summary, with the most interesting position of each remoteness, in the
        solution file
    play: With --start, play from that position against perfect play
    csv: Write every position with its interestingness and its terms, as CSV
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    memory_max: Most bytes for positions [default: a quarter of the free memory]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "source": source,
        "start": start,
        "form": form,
        "lose_children": lose_children,
        "children": children,
        "draws": draws,
        "ties": ties,
        "symmetry": symmetry,
        "save": save,
        "play": play,
    }
    report, _ = call("interest", fields, files={"csv": csv}, force=force, threads=threads, memory_max=memory_max, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def puzzles(
    source: Union[GameLike, PathLike],
    *,
    mate_in: Optional[str] = None,
    top: Optional[int] = None,
    count: Optional[int] = None,
    unique: bool = False,
    no_solutions: bool = False,
    from_play: bool = False,
    games: Optional[int] = None,
    iterations: Optional[int] = None,
    plies: Optional[int] = None,
    nodes: Optional[int] = None,
    seed: Optional[int] = None,
    form: Optional[Literal["clamped", "literal", "forcing"]] = None,
    lose_children: Optional[Literal["all", "fastest"]] = None,
    children: Optional[Literal["moves", "positions"]] = None,
    draws: Optional[Literal["tie", "skip"]] = None,
    ties: Optional[Literal["all", "late"]] = None,
    symmetry: bool = False,
    play: Optional[int] = None,
    practice: Optional[PathLike] = None,
    solution: Optional[PathLike] = None,
    force: bool = False,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> PuzzlesReport:
    """Find puzzles in a game: its most interesting wins, solved.

    source: Game, as `games` lists it, or a file that `solve` wrote
    mate_in: Only wins in N moves of the winner; N..M takes a range, and 1.. has wins in one
        move too [default: 2.., or 1 if the game has no longer wins] (a number of moves such as
        3, or 2..4, or 2..)
    top: Puzzles per remoteness (plies to the win), at most [default: 1] (a whole number, 1 or
        more)
    count: Puzzles in all, at most, spread over the lengths of the wins (a whole number, 1 or
        more)
    unique: Only puzzles with one winning move at every turn, whatever the defence
    no_solutions: Leave out the solutions, in the text and on the page
    from_play: Look for proven wins in games of the search against itself, without solving the
        game
    games: With --from-play, number of games [default: 20] (a whole number from 1 to 1000000)
    iterations: With --from-play, iterations of the search for each move [default: 1000] (a
        whole number from 1 to 2147483647)
    plies: With --from-play, most plies of a win; the last 2 N plies of each game are tried
        [default: 7] (a whole number from 1 to 99)
    nodes: With --from-play, most positions to search for the proofs of one win [default:
        2000000] (a whole number, 1 or more)
    seed: With --from-play, random seed of the games [default: 1] (a whole number, 0 or more)
    form: Immediate term of a win: at least 1%, as in the published program (`clamped`); as in
        the paper (`literal`); or at least 1%, with the weight 1 / (1 + moves left) for each
        move, as people look at forcing moves first (`forcing`) [default: clamped]
    lose_children: Winning moves over which a win averages [default: all]
    children: Unit of counting: moves, or distinct successor positions (moves to the same
        position count once) [default: moves]
    draws: Moves from a won position into endless play: count them as ties (`tie`), or skip them
        (`skip`) [default: tie]
    ties: Moves from a won position to a tie that count: all, or only those that end later than
        after one ply (`late`) [default: all]
    symmetry: Store one position per symmetry class, which takes less memory
    play: Play the first puzzle, or puzzle N, against perfect play (a whole number, 1 or more)
    practice: Write the first 50 puzzles to FILE, one HTML file in which they are solved without
        a server
    solution: Write the solution of the game to FILE, for `probe`, `play --perfect` and others
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    memory_max: Most bytes for positions [default: a quarter of the free memory]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "source": source,
        "mate_in": mate_in,
        "top": top,
        "count": count,
        "unique": unique,
        "no_solutions": no_solutions,
        "from_play": from_play,
        "games": games,
        "iterations": iterations,
        "plies": plies,
        "nodes": nodes,
        "seed": seed,
        "form": form,
        "lose_children": lose_children,
        "children": children,
        "draws": draws,
        "ties": ties,
        "symmetry": symmetry,
        "play": play,
    }
    report, _ = call("puzzles", fields, files={"practice": practice, "solution": solution}, force=force, threads=threads, memory_max=memory_max, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def difficulty(
    file: Optional[Source] = None,
    *,
    at: Optional[_treegauge.State] = None,
    show: Optional[str] = None,
    game: Optional[GameLike] = None,
    model: Optional[PathLike] = None,
    human_network: Optional[Union[Source, Sequence[Source]]] = None,
    solver_first: bool = False,
    for_rating: Optional[float] = None,
    set: Optional[int] = None,
    ratings: Optional[str] = None,
    out: Optional[Literal["csv", "jsonl", "parquet", "pgn"]] = None,
    attributes: Optional[Literal["tree", "all"]] = None,
    solved: Optional[Source] = None,
    iterations: Optional[int] = None,
    seed: Optional[int] = None,
    depth: Optional[int] = None,
    multipv: Optional[str] = None,
    settings: Optional[Literal["thesis-rescaled", "thesis-literal"]] = None,
    w: Optional[float] = None,
    m: Optional[float] = None,
    strict_mate: bool = False,
    nodes_max: Optional[int] = None,
    distances: Optional[Literal["per-move", "distinct"]] = None,
    position: Optional[str] = None,
    moves: Optional[str] = None,
    engine: Optional[PathLike] = None,
    engine_option: Optional[Union[str, Sequence[str]]] = None,
    engines: Optional[int] = None,
    timeout: Optional[int] = None,
    no_cache: bool = False,
    recover: bool = False,
    output: Optional[PathLike] = None,
    dot: Optional[PathLike] = None,
    svg: Optional[PathLike] = None,
    board: Optional[PathLike] = None,
    practice: Optional[PathLike] = None,
    worksheet: Optional[PathLike] = None,
    cache: Optional[PathLike] = None,
    force: bool = False,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> DifficultyReport:
    """Rate chess puzzles by how hard people find them, and say why.

    file: Chess puzzles: a table of the Lichess database or your own, EPD, PGN, or one FEN per
        line, also as .zst or .gz; `-` reads standard input
    at: State of the game, instead of `position` and `moves`
    show: Show the meaningful tree of one position: a FEN, whose solution --moves may give, or a
        game of the catalog with --position
    game: Show the meaningful tree of a position of this game, for the player to move
    model: Model that predicts ratings: a model file, or `none` to measure without rating
        [default: built-in]
    human_network: Network of people's moves, in the format of Lc0: its name says the rating of
        the people, as maia-1500.pb.gz does; may be repeated
    solver_first: Read the moves of a table as the solver's from the first on; in the Lichess
        database the opponent moves first
    for_rating: Sort the puzzles by the distance of their rating from R, the rating of a solver
        (a number from -10000 to 10000)
    set: Choose N puzzles of mixed difficulty for a class or an exam: their ratings rise in
        equal steps, and no two are of the same game (a whole number from 1 to 10000)
    ratings: Least and greatest rating of the set [default: those of the easiest and the hardest
        puzzle] (two ratings up to 4000, the smaller first, as in 1200..1800)
    out: Write a row for each puzzle instead of the report
    attributes: Attributes in a row: those of the tree, or all that a model learns from
        [default: tree]
    solved: Take the values of moves from this file of the solved game, which `solve -o` wrote
    iterations: Take the values of moves from UCT searches with this many iterations [default:
        10000] (a whole number from 1 to 1000000000)
    seed: Random seed of these searches [default: 1] (a whole number, 0 or more)
    depth: Depth of each search, in plies [default: 10] (a whole number from 1 to 99)
    multipv: Moves that a search lists; `adaptive` lists more until the worst is not meaningful
        [default: as --settings] (`adaptive` or a number from 1 to 256)
    settings: Named thresholds of the trees [default: thesis-rescaled]
    w: Least score that counts as won, in centipawns (for other games, a mean result from -1 to
        1) [default: as --settings] (a number from -100000 to 100000)
    m: Greatest loss of a meaningful answer against the best one, in centipawns (for other
        games, a mean result from 0 to 1) [default: as --settings] (a number from 0 to 100000)
    strict_mate: Keep answers that get mated only if every answer does
    nodes_max: Kept moves at which a tree is cut off [default: 60; 3000 in a table of chess
        puzzles] (a whole number from 1 to 100000)
    distances: Moves whose distances are added up [default: per-move]
    position: Position to begin at, as `show` prints it [default: the start of the game]
    moves: Moves to play first, separated by spaces
    engine: Engine: a program of the Universal Chess Interface that can list several moves, or
        `none`; a name without a slash is found as in a shell [default: stockfish, or `none` if
        it is not installed]
    engine_option: Set an option of the engine; may be repeated (NAME=VALUE)
    engines: Engines that work at once (never affects the result) [default: 1] (a whole number
        from 1 to 1024)
    timeout: Seconds that an engine may take for an answer; an engine that hangs twice in a row
        is given up [default: 60] (a whole number from 1 to 86400)
    no_cache: Do not keep the answers of engines
    recover: Exit with 0 even if the engine failed on some puzzles
    output: Write the rows to a file, in the format of its ending (`.csv`, `.jsonl`, `.parquet`
        or `.pgn`) [default: print them]
    dot: Write the tree for GraphViz
    svg: Write a picture as SVG: of one position its tree, of a file the ratings
    board: Write a picture of the board
    practice: Write the first 50 problems to FILE, the easiest first: one HTML file in which
        they are solved without a server
    worksheet: Write the first 60 problems with a solution to FILE, the easiest first: one HTML
        file to print, with boards, lines to write on, and the solutions on pages of their own
    cache: Keep the answers of engines in this file, so that nothing is searched twice [default:
        a file in the cache folder of the user]
    force: Replace files that are not treegauge's own
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "file": file,
        "show": show,
        "game": game,
        "model": model,
        "human_network": human_network,
        "solver_first": solver_first,
        "for_rating": for_rating,
        "set": set,
        "ratings": ratings,
        "out": out,
        "attributes": attributes,
        "solved": solved,
        "iterations": iterations,
        "seed": seed,
        "depth": depth,
        "multipv": multipv,
        "settings": settings,
        "w": w,
        "m": m,
        "strict_mate": strict_mate,
        "nodes_max": nodes_max,
        "distances": distances,
        "position": position,
        "moves": moves,
        "engine": engine,
        "engine_option": engine_option,
        "engines": engines,
        "timeout": timeout,
        "no_cache": no_cache,
        "recover": recover,
    }
    report, _ = call("difficulty", fields, at=at, files={"output": output, "dot": dot, "svg": svg, "board": board, "practice": practice, "worksheet": worksheet}, kept=cache, force=force, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def new(
    game: Optional[GameLike] = None,
    *,
    list: bool = False,
    output: Optional[PathLike] = None,
    force: bool = False,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> NewReport:
    """Print the text of a game, to start your own from.

    game: Game of the program, as `--list` lists it
    list: List the games with a text, and the reasons for those without
    output: Write the text to this file [default: print it]
    force: Replace files that are not treegauge's own
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "game": game,
        "list": list,
    }
    report, _ = call("new", fields, files={"output": output}, force=force, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def check(
    file: Source,
    *,
    format: bool = False,
    seed: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> CheckReport:
    """Check the text of a game for mistakes, also by random games.

    file: Text that describes a game, or a game of `new --list`; `-` reads standard input
    format: Print the text formatted; this checks only its parentheses
    seed: Seed of the random games [default: 1] (a whole number, 0 or more)
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "file": file,
        "format": format,
        "seed": seed,
    }
    report, _ = call("check", fields, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def show(
    game: GameLike,
    *,
    at: Optional[_treegauge.State] = None,
    cells: bool = False,
    position: Optional[str] = None,
    moves: Optional[str] = None,
    svg: Optional[PathLike] = None,
    force: bool = False,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> ShowReport:
    """Print a position, or draw it as a picture.

    game: Game, as `games` lists it; `-` reads the text of a game from standard input
    at: State of the game, instead of `position` and `moves`
    cells: Add the cells of the board, and the cells that each move touches, to the JSON report
    position: Position to begin at, as `show` prints it [default: the start of the game]
    moves: Moves to play first, separated by spaces
    svg: Write a picture of the position to this file, with the last of --moves marked
    force: Replace files that are not treegauge's own
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "game": game,
        "cells": cells,
        "position": position,
        "moves": moves,
    }
    report, _ = call("show", fields, at=at, files={"svg": svg}, force=force, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def games(
    names: Optional[Union[GameLike, Sequence[GameLike]]] = None,
    *,
    canonical: bool = False,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> GamesReport:
    """List the games and their parameters.

    names: Games to list, by any of their names [default: all]
    canonical: Print the canonical name of each game, in the order given
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "names": names,
        "canonical": canonical,
    }
    report, _ = call("games", fields, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def generate(
    from_: Optional[Union[Source, Sequence[Source]]] = None,
    *,
    games: Optional[int] = None,
    seed: Optional[int] = None,
    best: Optional[int] = None,
    iterations: Optional[int] = None,
    gauge_games: Optional[int] = None,
    generation: Optional[int] = None,
    control: Optional[float] = None,
    axes: Optional[str] = None,
    model: Optional[PathLike] = None,
    glance_iterations: Optional[int] = None,
    glance_games: Optional[int] = None,
    shard: Optional[str] = None,
    again: Optional[Union[Source, Sequence[Source]]] = None,
    output: Optional[PathLike] = None,
    force: bool = False,
    threads: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> GenerateReport:
    """Make games by changing and crossing others, and judge them.

    from_: Texts to start from: `mygame.rules`, `mygame.rules(option=value)` or a game of `new
        --list`; several texts are crossed [default: breakthrough, connect_four, alquerque,
        othello, isolation, tic_tac_toe]
    games: Candidate games to make and judge [default: 1000] (a whole number from 1 to 1000000)
    seed: Random seed; it decides a candidate together with its number and the earlier
        generations [default: 1] (a whole number, 0 or more)
    best: Number of best games to gauge thoroughly and to write to the folder [default: 10] (a
        whole number from 1 to 1000)
    iterations: Iterations per move of the thorough gauge; the quick gauge uses a quarter
        [default: 1000] (a whole number from 4 to 1000000)
    gauge_games: Self-play games of the thorough gauge, and as many between unequal searches;
        the quick gauge plays half [default: 40] (a whole number from 2 to 100000)
    generation: Candidates per generation; those of one generation descend from the same games
        [default: 50] (a whole number from 1 to 1000000)
    control: Share of candidates that pass every gate unconditionally, as a control of the gates
        [default: 0.05] (a share from 0 to 1)
    axes: Two measures of `gauge` or features of search trees that span the archive, which keeps
        the best game of each cell [default: plies,branching] (two axes like plies,branching or
        spread.variance,worst.mean)
    model: Model that predicts playability: a model file or `none` [default: built-in]
    glance_iterations: Iterations per move of the weak search that stands in for a model
        [default: 100] (a whole number from 2 to 1000000)
    glance_games: Games of the weak search that stands in for a model [default: 40] (a whole
        number from 2 to 100000)
    shard: Make only part I of N of the candidates, with an archive of their own; `merge`
        combines the folders of all parts (I/N with I from 1 to N: part I of N, at most 65536)
    again: Make candidate N of the run in DIR again, from its seed, and print its text
    output: Folder of the run: its journal, its report and the texts of the best games; the same
        command continues an interrupted run
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "from": from_,
        "games": games,
        "seed": seed,
        "best": best,
        "iterations": iterations,
        "gauge_games": gauge_games,
        "generation": generation,
        "control": control,
        "axes": axes,
        "model": model,
        "glance_iterations": glance_iterations,
        "glance_games": glance_games,
        "shard": shard,
        "again": again,
    }
    report, _ = call("generate", fields, kept=output, force=force, threads=threads, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def collect(
    games: Union[GameLike, PathLike, Sequence[GameLike]],
    *,
    iterations: Optional[int] = None,
    instances: Optional[int] = None,
    seed: Optional[int] = None,
    shard: Optional[str] = None,
    players: Optional[Union[PlayerLike, Sequence[PlayerLike]]] = None,
    cp: Optional[float] = None,
    expansion: Optional[Literal["order", "random"]] = None,
    merge: Optional[Literal["none", "equal", "symmetric"]] = None,
    backup: Optional[Literal["single", "all"]] = None,
    counts: Optional[Literal["node", "edge"]] = None,
    solver: bool = False,
    reuse: bool = False,
    spread_third: Optional[Literal["up", "down", "nearest"]] = None,
    variance: Optional[Literal["population", "sample"]] = None,
    uct_nodes: Optional[Literal["strict", "non-leaf"]] = None,
    unvisited: Optional[Literal["zero", "skip"]] = None,
    folder: Optional[PathLike] = None,
    force: bool = False,
    threads: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> Dataset:
    """Collect search trees from self-play of many games, as a dataset.

    games: Games, separated by commas, `all` (the 28 games of Williams 2010) or a FILE that
        lists them
    iterations: Iterations per move [default: 1000] (a whole number from 1 to 40000000)
    instances: Instances: games of self-play per game [default: 100] (a whole number from 1 to
        1000000)
    seed: Random seed; it decides an instance together with the game, the iterations and the
        instance number [default: 1] (a whole number, 0 or more)
    shard: Play only part I of N of the instances, without tables; `merge` combines the folders
        of all parts into the dataset (I/N with I from 1 to N: part I of N, at most 65536)
    players: Players, separated by commas, that play each other and themselves in every
        instance, once in each seat: `random,intuitive,uct(iterations=100)`; the results become
        a table and attributes of the game
    cp: Exploration constant C_p, for rewards from 0 to 1 [default: 0.7071067811865476] (a
        number from 0 to 1000)
    expansion: Order of the first visits to the moves of a position: `order` follows the move
        list of the game, `random` lets small searches see all parts of a wide board [default:
        order]
    merge: Positions that share a node; `equal` and `symmetric` turn the tree into a web
        [default: none]
    backup: Nodes of a web that receive the result of a playout [default: single]
    counts: Visits and results in a web that decide the choice among moves [default: node]
    solver: Prove values: skip moves that cannot be better than another, and end a search once
        its root is proved
    reuse: Keep the tree below the moves played from one move of a game to the next: each search
        adds all its iterations to the kept visits, and the features are those of the whole tree
    spread_third: Rounding of a third of the moves in `spread_third` [default: up]
    variance: Divisor of variances: the number of values (`population`), or one less (`sample`)
        [default: population]
    uct_nodes: Nodes that `uct_fraction` counts as fully expanded: those with more visits than
        legal moves (`strict`), or with as many or more (`non-leaf`) [default: strict]
    unvisited: Unvisited moves in `score_drift`: count them as 0 (`zero`), or leave them out
        (`skip`) [default: zero]
    folder: Folder of the dataset; the same command adds the instances that it lacks
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "games": Listed(games),
        "iterations": iterations,
        "instances": instances,
        "seed": seed,
        "shard": shard,
        "players": players,
        "cp": cp,
        "expansion": expansion,
        "merge": merge,
        "backup": backup,
        "counts": counts,
        "solver": solver,
        "reuse": reuse,
        "spread_third": spread_third,
        "variance": variance,
        "uct_nodes": uct_nodes,
        "unvisited": unvisited,
    }
    return Dataset._run(fields, kept=folder, force=force, threads=threads, stop=stop, progress=progress)


def aggregate(
    dataset: Source,
    *,
    split: Optional[Literal["none", "player", "both"]] = None,
    with_: Optional[Union[str, Sequence[str]]] = None,
    webs: Optional[Source] = None,
    output: Optional[PathLike] = None,
    force: bool = False,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> AggregateReport:
    """Summarise a dataset by game, as a table of attributes.

    dataset: Folder of a dataset that `collect` wrote, or a table that this command wrote
    split: Trees that an attribute covers: all trees of a game, or those of each player apart
        [default: both]
    with_: Further attributes, separated by commas
    webs: Add the attributes of search webs of the same games, from a dataset that `collect
        --merge equal` or `--merge symmetric` wrote with the same number of iterations
    output: Write the table to this file, as CSV (`.csv`) or Parquet (`.parquet`) [default:
        print it]
    force: Replace files that are not treegauge's own
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "dataset": dataset,
        "split": split,
        "with": with_,
        "webs": webs,
    }
    report, _ = call("aggregate", fields, files={"output": output}, force=force, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def evaluate(
    datasets: Union[Source, Sequence[Source]],
    *,
    corpus: Optional[Source] = None,
    conditions: Optional[Source] = None,
    ratings: Optional[Source] = None,
    permutations: Optional[int] = None,
    play_resamples: Optional[int] = None,
    networks: bool = False,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> EvaluateReport:
    """Evaluate how well search trees tell playable games from broken.

    datasets: Datasets that `collect` wrote or tables that `aggregate` wrote, one per number of
        iterations
    corpus: Labels of the games: labelled games in TOML or CSV, as `train --labels` takes them
        [default: the 28 games of Williams 2010]
    conditions: Label the games by the self-play in this dataset, made with another seed or
        other iterations: playable games are not drawish, not biased, not too short and not too
        long (the four conditions of Williams 2010); the groups remain those of the labels
    ratings: Predict ratings of people instead, from all datasets together: a CSV file with a
        column `game` (or `rows`, `cols` and `rule`), and `fun_mean`, `payoff_mean` or both
    permutations: Label permutations in the significance test of the learners of Williams 2010,
        `tree` and `svm`; 0 skips the test [default: 99] (a whole number from 0 to 100000)
    play_resamples: Resamples of the self-play of each game by which learners are trained and
        tested again, so that intervals also cover which games happened to be played; takes as
        many times as long, and each dataset must be a folder [default: 0] (a whole number from
        0 to 1000)
    networks: Train networks too: of seven shapes, ten of each, as Williams 2010 did, for
        playability and for ratings from 1 to 5; for a table of puzzles, one shape. This takes
        several times as long
    seed: Random seed [default: 1] (a whole number, 0 or more)
    threads: Worker threads, which never affect the result [default: one per core]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "datasets": datasets,
        "corpus": corpus,
        "conditions": conditions,
        "ratings": ratings,
        "permutations": permutations,
        "play_resamples": play_resamples,
        "networks": networks,
        "seed": seed,
    }
    report, _ = call("evaluate", fields, threads=threads, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def train(
    datasets: Union[Source, Sequence[Source]],
    *,
    output: PathLike,
    labels: Optional[Source] = None,
    join: Optional[str] = None,
    name: Optional[str] = None,
    date: Optional[str] = None,
    replicates: Optional[int] = None,
    seed: Optional[int] = None,
    force: bool = False,
    threads: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> Model:
    """Train a model of playable games, of ratings or of puzzles.

    datasets: Datasets that `collect` wrote, or one table of rated puzzles
    output: Model file, in JSON; compressed by zstd if its name ends with `.zst`
    labels: Labels to learn: labelled games in TOML, or in CSV with the columns `game` and
        `playable`; or ratings of people in CSV; a table of rated puzzles has its own
    join: Keep the predictors of MODEL that these labels do not train: the ratings with labelled
        games, the playability with ratings
    name: Name of the model [default: own]
    date: Date of the training, YYYY-MM-DD, for reports (a day as YYYY-MM-DD)
    replicates: Bootstrap samples of the families of games; more of them make intervals more
        exact and the file larger [default: 40] (a whole number from 10 to 1000)
    seed: Random seed [default: 1] (a whole number, 0 or more)
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "datasets": datasets,
        "labels": labels,
        "join": join,
        "name": name,
        "date": date,
        "replicates": replicates,
        "seed": seed,
    }
    return Model._run(fields, files={"output": output}, force=force, threads=threads, stop=stop, progress=progress)


def corridor(
    *,
    lengths: Optional[Union[int, Sequence[int]]] = None,
    iterations: Optional[Union[int, Sequence[int]]] = None,
    variant: Optional[Union[str, Sequence[str]]] = None,
    searches: Optional[int] = None,
    seed: Optional[int] = None,
    cp: Optional[float] = None,
    csv: Optional[PathLike] = None,
    svg: Optional[PathLike] = None,
    record: Optional[PathLike] = None,
    force: bool = False,
    threads: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> CorridorReport:
    """Test searches on corridors of boxes, which have one correct move.

    lengths: Lengths of corridors in boxes, 1 to 60, separated by commas; the probability to
        take all boxes needs every smaller length too [default: 1 to 24] (a whole number from 1
        to 60)
    iterations: Iterations per search, separated by commas [default: 100,1000,10000] (a whole
        number from 1 to 2147483647)
    variant: Variant of UCT: `tree`, or any of `merge=`, `backup=`, `counts=` and `solver=` as
        in a player, separated by commas; may be repeated [default: `tree`, `merge=equal`,
        `merge=equal,backup=all`, `solver=true` and `merge=equal,solver=true`] (`tree`, or any
        of `merge=equal`, `backup=all`, `counts=edge` and `solver=true`, separated by commas)
    searches: Searches per corridor; fewer give wider intervals in less time [default: 500] (a
        whole number from 1 to 1000000)
    seed: Random seed [default: 1] (a whole number, 0 or more)
    cp: Exploration constant C_p, for rewards from 0 to 1 [default: 0.7071067811865476] (a
        number from 0 to 1000)
    csv: Write all numbers as CSV
    svg: Write a chart of both figures for each variant
    record: Record each search in FILE, a line of JSON each; the same command continues an
        interrupted run, and more lengths, iterations, variants or searches add to it
    force: Replace files that are not treegauge's own
    threads: Worker threads, which never affect the result [default: one per core]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "lengths": lengths,
        "iterations": iterations,
        "variant": variant,
        "searches": searches,
        "seed": seed,
        "cp": cp,
    }
    report, _ = call("corridor", fields, files={"csv": csv, "svg": svg}, kept=record, force=force, threads=threads, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def merge(
    files: Union[Source, Sequence[Source]],
    *,
    games: Optional[int] = None,
    sprt: Optional[str] = None,
    instances: Optional[int] = None,
    output: Optional[PathLike] = None,
    force: bool = False,
    partial: bool = False,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> Report:
    """Merge the parts of a run that was split, and report on the whole.

    files: Records that `match --record` or `tournament --record` wrote, or folders that
        `collect --shard` or `generate --shard` wrote
    games: Planned games (per pairing in a tournament) [default: as in the records; for records
        of older versions, the highest game number] (a whole number from 1 to 100000000)
    sprt: Apply a sequential test (SPRT) to the merged pairs in order and ignore pairs after its
        decision: elo0=E,elo1=E, with alpha=A,beta=B for error rates other than 0.05
    instances: Planned instances per game of a dataset [default: as in the parts; for parts of
        older versions, the highest instance number] (a whole number from 1 to 1000000)
    output: Write the record or the dataset of the whole, as a single run would have written it;
        required for datasets and runs of `generate`
    force: Replace files that are not treegauge's own
    partial: Return the report although parts are missing, instead of an `IncompleteError`
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "files": files,
        "games": games,
        "sprt": sprt,
        "instances": instances,
    }
    report, _ = call("merge", fields, kept=output, force=force, stop=stop, progress=progress)
    return whole(report, partial)


def replay(
    file: Source,
    *,
    game: Optional[str] = None,
    svg_dir: Optional[PathLike] = None,
    force: bool = False,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> ReplayReport:
    """Show recorded games move by move, and check that they replay.

    file: Record that `match`, `tournament` or `gauge` wrote with --record
    game: Show this game position by position [default: list the games]
    svg_dir: With --game, write a picture of each position into this folder, with the last move
        marked
    force: Replace files that are not treegauge's own
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "file": file,
        "game": game,
    }
    report, _ = call("replay", fields, files={"svg_dir": svg_dir}, force=force, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def tasks(
    commands: Optional[Union[str, Sequence[str]]] = None,
    *,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> TasksReport:
    """List the commands that can be written as JSON, with their fields.

    commands: Commands to list [default: all]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "commands": commands,
    }
    report, _ = call("tasks", fields, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


def perft(
    game: GameLike,
    depth: int,
    *,
    at: Optional[_treegauge.State] = None,
    distinct: bool = False,
    divide: bool = False,
    position: Optional[str] = None,
    moves: Optional[str] = None,
    memory_max: Optional[int] = None,
    stop: Optional[Stop] = None,
    progress: Optional[Listener] = None,
) -> PerftReport:
    """Count the move sequences of a game, to check its rules.

    game: Game, as `games` lists it; `-` reads the text of a game from standard input
    depth: Number of plies (a whole number from 1 to 100)
    at: State of the game, instead of `position` and `moves`
    distinct: Also count the distinct positions after each number of plies
    divide: Count separately for each first move
    position: Position to begin at, as `show` prints it [default: the start of the game]
    moves: Moves to play first, separated by spaces
    memory_max: Most bytes for positions [default: a quarter of the free memory]
    stop: Event or function that ends the work early
    progress: `True`, a bar, or a function of a `Progress`
    """
    fields: Dict[str, Any] = {
        "game": game,
        "depth": depth,
        "distinct": distinct,
        "divide": divide,
        "position": position,
        "moves": moves,
    }
    report, _ = call("perft", fields, at=at, memory_max=memory_max, stop=stop, progress=progress)
    return report  # type: ignore[return-value]


__all__ = [
    "gauge",
    "compare",
    "vet",
    "search",
    "match",
    "tournament",
    "solve",
    "probe",
    "landscape",
    "verify",
    "interest",
    "puzzles",
    "difficulty",
    "new",
    "check",
    "show",
    "games",
    "generate",
    "collect",
    "aggregate",
    "evaluate",
    "train",
    "corridor",
    "merge",
    "replay",
    "tasks",
    "perft",
    "GaugeReport",
    "CompareReport",
    "VetReport",
    "SearchReport",
    "AlphabetaSearchReport",
    "MatchReport",
    "PowerReport",
    "TournamentReport",
    "SolveReport",
    "ProbeReport",
    "LandscapeReport",
    "VerifyReport",
    "InterestReport",
    "InterestPositionReport",
    "PuzzlesReport",
    "DifficultyReport",
    "ProblemReport",
    "GradedPuzzlesReport",
    "NewReport",
    "FormattedReport",
    "CheckReport",
    "ShowReport",
    "GamesReport",
    "NamesReport",
    "GenerateReport",
    "CollectReport",
    "AggregateReport",
    "EvaluateReport",
    "DifficultyEvaluationReport",
    "TrainReport",
    "TrainedDifficultyReport",
    "CorridorReport",
    "ReplayReport",
    "ReplayedGameReport",
    "TasksReport",
    "PerftReport",
]
