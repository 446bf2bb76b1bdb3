#!/bin/sh
# Lists four moves of the first position, then one line of a greater depth, and plays another move.
go() {
    for depth in 1 2 3 4 5 6 7 8 9 10; do
        rank=1
        for played in e2e4 d2d4 c2c4 g1f3; do
            [ "$rank" -gt "$lines" ] || echo "info depth $depth multipv $rank score cp $((50 - 10 * rank + depth)) pv $played"
            rank=$((rank + 1))
        done
    done
    echo "info depth 99 multipv 1 score cp 33 pv a2a3"
    echo "bestmove h2h3"
}
. "${0%/*}/common.sh"
