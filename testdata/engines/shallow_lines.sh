#!/bin/sh
# Lists two moves to a depth of two plies, and goes on with the first alone.
go() {
    echo "info depth 2 multipv 1 score cp 40 pv e2e4"
    echo "info depth 2 multipv 2 score cp 30 pv d2d4"
    for depth in 3 4 5 6 7 8 9 10; do
        echo "info depth $depth multipv 1 score cp 50 pv e2e4"
    done
    echo "bestmove e2e4"
}
. "${0%/*}/common.sh"
