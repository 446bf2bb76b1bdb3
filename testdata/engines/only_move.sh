#!/bin/sh
# Answers any question about one position, 1k6/1b3n2/KQp5/3r4/8/8/8/8 with White to move, whose only move mates.
go() {
    for depth in 1 2 3 4; do
        echo "info depth $depth multipv 1 score mate 1 pv b6b7"
    done
    echo "bestmove b6b7"
}
. "${0%/*}/common.sh"
