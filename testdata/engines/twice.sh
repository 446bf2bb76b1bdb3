#!/bin/sh
# Gives one move as two.
go() {
    for n in 1 2 3 4; do echo "info depth 1 multipv $n score cp 20 pv e2e4"; done
    echo "bestmove e2e4"
}
. "${0%/*}/common.sh"
