#!/bin/sh
# Its moves are not legal.
go() {
    for n in 1 2 3 4; do echo "info depth 1 multipv $n score cp 20 pv e2e5"; done
    echo "bestmove e2e5"
}
. "${0%/*}/common.sh"
