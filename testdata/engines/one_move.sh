#!/bin/sh
# Lists one move only.
multipv=""
go() {
    echo "info depth 10 score cp 20 pv e2e4"
    echo "bestmove e2e4"
}
. "${0%/*}/common.sh"
