#!/bin/sh
# Ends in the middle of a search.
go() {
    echo "info depth 1 multipv 1 score cp 20 pv e2e4"
    echo "out of luck" >&2
    exit 3
}
. "${0%/*}/common.sh"
