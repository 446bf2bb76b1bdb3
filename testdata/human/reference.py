"""Probabilities of moves by a network in the format of Lc0: a second implementation.

    reference.py NETWORK < LINES

A line is `FEN;moves in UCI`. Prints the legal moves with their probabilities, one line each. Shares
nothing with the crate: positions are mirrored by python-chess, moves are numbered by the attacks of
pieces on an empty board, and layers are computed in double precision by numpy.
"""

import gzip
import struct
import sys

import chess
import numpy


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    found, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 5:
            value, at = data[at : at + 4], at + 4
        else:
            assert key & 7 == 2
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
        found.setdefault(key >> 3, []).append(value)
    return found


def layer(data):
    parts = fields(data)
    least, greatest = (struct.unpack("<f", parts[number][0])[0] for number in (1, 2))
    share = numpy.frombuffer(parts[3][0], "<u2") / 65535
    return least * (1 - share) + greatest * share


def layers(data):
    return {number: layer(values[0]) for number, values in fields(data).items()}


def convolved(block, values):
    inputs = values.shape[0]
    outputs = len(block[2] if 2 in block else block[3])
    weights = block[1].reshape(outputs, inputs, -1)
    side = int(weights.shape[2] ** 0.5)
    wide = numpy.pad(values, ((0, 0), (side // 2,) * 2, (side // 2,) * 2))
    result = numpy.zeros((outputs, 8, 8))
    for place in range(side * side):
        row, column = divmod(place, side)
        window = wide[:, row : row + 8, column : column + 8].reshape(inputs, 64)
        result += (weights[:, :, place] @ window).reshape(outputs, 8, 8)
    of = lambda number, other: block.get(number, numpy.full(outputs, other))[:, None, None]
    result += of(2, 0.0)
    if 3 in block:
        scale = of(5, 1.0) / numpy.sqrt(of(4, 1.0) + 1e-5)
        result = (result - of(3, 0.0)) * scale + of(6, 0.0)
    return result


def logits(weights, values):
    """Logits as planes (80 x 8 x 8), or of the 1,858 moves."""
    relu = lambda values: numpy.maximum(values, 0)
    state = relu(convolved(layers(weights[1][0]), values))
    for block in map(fields, weights.get(2, [])):
        change = convolved(layers(block[1][0]), state)
        change = convolved(layers(block[2][0]), relu(change))
        if 3 in block:
            unit = layers(block[3][0])
            hidden, filters = len(unit[2]), len(change)
            squeezed = unit[1].reshape(hidden, filters) @ change.mean((1, 2)) + unit[2]
            both = unit[3].reshape(2 * filters, hidden) @ relu(squeezed) + unit[4]
            gains, offsets = both[:filters], both[filters:]
            change = change / (1 + numpy.exp(-gains))[:, None, None] + offsets[:, None, None]
        state = relu(state + change)
    if 4 in weights:
        flat = relu(convolved(layers(weights[3][0]), state)).reshape(-1)
        return layer(weights[4][0]).reshape(1858, -1) @ flat + layer(weights[5][0])
    state = relu(convolved(layers(weights[11][0]), state))
    return convolved(layers(weights[3][0]), state)


LABELS = []
for start in chess.SQUARES:
    empty = chess.Board(None)
    targets = chess.SquareSet()
    for piece in (chess.QUEEN, chess.KNIGHT):
        empty.set_piece_at(start, chess.Piece(piece, chess.WHITE))
        targets |= empty.attacks(start)
    LABELS += [chess.Move(start, target).uci() for target in targets]
for file in range(8):
    for target in range(max(file - 1, 0), min(file + 1, 7) + 1):
        name = chess.square_name(48 + file) + chess.square_name(56 + target)
        LABELS += [name + letter for letter in "qrb"]
PLACES = {label: number for number, label in enumerate(LABELS)}


def score(values, label):
    if values.ndim == 1:
        return values[PLACES[label]]
    file, rank = (ord(label[2]) - ord(label[0]), int(label[3]) - int(label[1]))
    steps = max(abs(file), abs(rank))
    clockwise = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
    knights = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    if len(label) == 5:
        plane = 64 + 3 * (file + 1) + "rbq".index(label[4])
    elif (file, rank) in knights:
        plane = 56 + knights.index((file, rank))
    else:
        plane = 7 * clockwise.index((file // steps, rank // steps)) + steps - 1
    return values[plane, int(label[1]) - 1, ord(label[0]) - ord("a")]


def planes(board):
    """112 x 8 x 8, seen by the side to move."""
    values = numpy.zeros((112, 8, 8))
    own, past = board.turn, board.copy()
    known = True
    for base in range(0, 104, 13):
        seen = past if own else past.mirror()
        men = seen.piece_map()
        if not known and past.ep_square is not None:
            # The pawn that has just gone two squares is back where it came from.
            step = 8 if seen.ep_square > 32 else -8
            men[seen.ep_square + step] = men.pop(seen.ep_square - step)
        for square, man in men.items():
            plane = base + man.piece_type - 1 + (0 if man.color else 6)
            values[plane, square // 8, square % 8] = 1
        values[base + 12] = known and past.is_repetition(2)
        known = bool(past.move_stack)
        if known:
            past.pop()
        elif past.fen() == chess.STARTING_FEN:
            break
    seen = board if own else board.mirror()
    for plane, colour in ((104, True), (106, False)):
        values[plane] = seen.has_queenside_castling_rights(colour)
        values[plane + 1] = seen.has_kingside_castling_rights(colour)
    values[108] = not own
    values[109] = board.halfmove_clock
    values[111] = 1
    return values


def label(board, move):
    if board.is_castling(move):
        rook = chess.H1 if board.is_kingside_castling(move) else chess.A1
        return "e1" + chess.square_name(rook)
    squares = (move.from_square, move.to_square)
    if not board.turn:
        squares = map(chess.square_mirror, squares)
    letter = {chess.QUEEN: "q", chess.ROOK: "r", chess.BISHOP: "b"}.get(move.promotion, "")
    return "".join(map(chess.square_name, squares)) + letter


def main():
    data = open(sys.argv[1], "rb").read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    weights = fields(fields(data)[10][0])
    for line in sys.stdin:
        fen, moves = line.rstrip("\n").split(";")
        board = chess.Board(fen)
        for word in moves.split():
            board.push_uci(word)
        values = logits(weights, planes(board))
        legal = list(board.legal_moves)
        scores = numpy.array([score(values, label(board, move)) for move in legal])
        chances = numpy.exp(scores - scores.max(initial=0))
        chances /= chances.sum()
        print(" ".join(f"{move.uci()}={chance:.9f}" for move, chance in zip(legal, chances)))


main()
