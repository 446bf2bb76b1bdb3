#!/bin/sh
# Writes nonsense.
go() {
    printf "info depth \\377\\376 score cp\\n\\000\\001\\n"
    echo "info depth 99999999999999999999 multipv x score mate pv"
    echo "infodepth 1 multipv 1 score cp 20 pv e2e4"
    echo "bestmove"
}
. "${0%/*}/common.sh"
