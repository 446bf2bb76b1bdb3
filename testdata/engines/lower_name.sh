#!/bin/sh
# Names an option in small letters, and knows it by that name only.
name=multipv
multipv="option name multipv type spin default 1 min 1 max 500"
go() {
    n=0
    for move in e2e4 d2d4 c2c4 g1f3; do
        n=$((n + 1))
        [ $n -gt "$lines" ] || echo "info depth 10 multipv $n score cp $((40 - n)) pv $move"
    done
    echo "bestmove e2e4"
}
. "${0%/*}/common.sh"
