"""Uses of the package whose types mypy checks; nothing runs it."""

from typing import List, Optional

import treegauge as tg

report: tg.GaugeReport = tg.gauge("connect_four", budget="quick", ladder=["1/4", "1", "4"])
text: str = report.text()
search: tg.Search = tg.search(tg.Game("othello"), 1000, at=tg.Game("othello").new_initial_state())
best: Optional[str] = search.best
table: tg.Table = search.tree()
names: List[str] = table.column_names
solution: tg.Solution = tg.solve("achi", output="achi.tgs")
dataset: tg.Dataset = tg.collect(["achi", tg.Game("forms")], instances=3)
compared: tg.CompareReport = tg.compare(["achi", "forms"])
differences: tg.Table = compared.differences
measures: tg.Table = report.measures
flags: tg.Table = report.flags
games: int = report.games
pairs: tg.Table = tg.match("achi", "random", "uct(iterations=9)", record="games.jsonl").pairs
made: List[tg.Game] = tg.generate("achi", output="run").best
folds: tg.Table = tg.evaluate(dataset).folds
words: tg.Table = tg.rules_words()
counts: tuple[int, ...] = tg.perft("achi", 3).counts
moves: tuple[str, ...] = tg.show("achi").moves
rated: tg.Table = tg.difficulty("puzzles.csv").rows
unit: Optional[str] = tg.problem("chess", "8/8/8/8/8/8/8/8 w - - 0 1").unit
gap: tg.Table = tg.replay("games.jsonl").games
elo: float = tg.match("achi", "random", "random").elo["mean"]


class Last:
    """A player."""

    def choose(self, state: tg.State) -> str:
        return state.moves()[-1]


won: int = tg.match(tg.Game("achi"), Last(), "random", strict=True).a_wins
