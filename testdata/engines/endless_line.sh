#!/bin/sh
# Never ends a line.
go() { while :; do printf "info depth 1 multipv 1 score cp 20 pv e2e4 "; done; }
. "${0%/*}/common.sh"
