#!/bin/sh
# Declares ranges, and lists the moves of any other.
options="option name Hash type spin default 16 min 8 max 64"
go() {
    echo "info depth 10 multipv 1 score cp 40 pv e2e4"
    echo "info depth 10 multipv 2 score cp 30 pv d2d4"
    echo "bestmove e2e4"
}
. "${0%/*}/common.sh"
