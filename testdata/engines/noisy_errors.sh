#!/bin/sh
# Fills its error output, and answers well.
go() {
    n=0
    while [ $n -lt 3000 ]; do echo "a warning that nobody reads, number $n" >&2; n=$((n + 1)); done
    echo "info depth 1 multipv 1 score cp 20 pv e2e4"
    echo "info depth 1 multipv 2 score cp 10 pv d2d4"
    echo "info depth 1 multipv 3 score cp 5 pv c2c4"
    echo "info depth 1 multipv 4 score cp -90 pv g1f3"
    echo "bestmove e2e4"
}
. "${0%/*}/common.sh"
