#!/bin/sh
# Writes no more.
go() { exec 1>&-; sleep 1000; }
. "${0%/*}/common.sh"
