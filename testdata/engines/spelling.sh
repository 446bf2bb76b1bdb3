#!/bin/sh
# Writes castling as the king that takes its rook, once in each way, and promotions in capitals.
go() {
    case "$position" in
    *"/P6k/"*)
        echo "info depth 1 multipv 1 score cp 900 pv a7a8Q"
        echo "info depth 1 multipv 2 score cp 500 pv a7a8r"
        echo "info depth 2 multipv 1 score cp 900 pv a7a8q"
        echo "info depth 2 multipv 2 score cp 500 pv a7a8R"
        echo "bestmove a7a8Q"
        ;;
    *)
        echo "info depth 1 multipv 1 score cp 40 pv e1g1"
        echo "info depth 1 multipv 2 score cp 20 pv a1b1"
        echo "info depth 2 multipv 1 score cp 40 pv e1h1"
        echo "info depth 2 multipv 2 score cp 20 pv e1c1"
        echo "bestmove e1g1"
        ;;
    esac
}
. "${0%/*}/common.sh"
