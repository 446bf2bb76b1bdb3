"""Measures one game of OpenSpiel; prints one JSON object.

    measure.py version
    measure.py rates GAME SIMULATIONS SECONDS   playouts and MCTS simulations a CPU second
    measure.py random GAME GAMES SEED           length and result of uniformly random games
"""

import json
import random
import sys
import time
from importlib.metadata import version

import pyspiel

# OpenSpiel adds c * sqrt(ln N / n) to values from -1 to 1. On values from 0 to 1 that is
# c / (2 sqrt 2) times sqrt(2 ln N / n), so 2 stands for C_p = 1 / sqrt 2.
UCT_C = 2.0
MEMORY_MB = 4_000


def search_seconds(game, rollouts, simulations):
    """CPU seconds of a search from the start."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, UCT_C, simulations, MEMORY_MB, False, 1, False)
    state = game.new_initial_state()
    before = time.process_time()
    bot.mcts_search(state)
    return time.process_time() - before


def rates(game, simulations, seconds):
    # A search of one simulation evaluates the root: random games, played in C++.
    rollouts = 16
    while (spent := search_seconds(game, rollouts, 1)) < seconds / 2:
        rollouts *= 2
    searches, searched = 0, 0.0
    while searched < seconds:
        searched += search_seconds(game, 1, simulations)
        searches += 1
    return {
        "playouts_per_s": rollouts / spent,
        "uct_iterations_per_s": searches * simulations / searched,
    }


def random_games(game, count, seed):
    rng = random.Random(seed)
    lengths, results = [], []
    for _ in range(count):
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        lengths.append(plies)
        results.append(state.returns()[0])
    points = [(1 + (r > 0) - (r < 0)) / 2 for r in results]
    draws = [float(r == 0) for r in results]
    return {"plies": estimate(lengths), "first_player": estimate(points), "draw_rate": estimate(draws)}


def estimate(values):
    n = len(values)
    mean = sum(values) / n
    variance = sum((value - mean) ** 2 for value in values) / (n - 1)
    return {"mean": mean, "se": (variance / n) ** 0.5}


def main():
    match sys.argv[1:]:
        case ["version"]:
            answer = version("open_spiel")
        case ["rates", game, simulations, seconds]:
            answer = rates(pyspiel.load_game(game), int(simulations), float(seconds))
        case ["random", game, count, seed]:
            answer = random_games(pyspiel.load_game(game), int(count), int(seed))
        case _:
            sys.exit(__doc__)
    print(json.dumps(answer))


main()
