#!/bin/sh
# Gives a better move after a worse one.
go() {
    echo "info depth 1 multipv 1 score cp 20 pv e2e4"
    echo "info depth 1 multipv 2 score cp 30 pv d2d4"
    echo "info depth 1 multipv 3 score cp 10 pv c2c4"
    echo "info depth 1 multipv 4 score cp 0 pv g1f3"
    echo "bestmove e2e4"
}
. "${0%/*}/common.sh"
