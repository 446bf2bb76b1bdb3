#!/bin/sh
# Speaks another protocol.
while read -r line; do echo "Error (unknown command): $line"; done
