#!/bin/sh
# Gives fewer moves than it was asked for.
go() {
    echo "info depth 1 multipv 1 score cp 20 pv e2e4"
    echo "bestmove e2e4"
}
. "${0%/*}/common.sh"
