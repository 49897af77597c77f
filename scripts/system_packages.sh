#!/bin/sh
# Install the system packages that the tests use and that are missing here. `make test` calls it.
#
# As root on Debian and Ubuntu they are installed with apt; elsewhere it says what is missing, and the tests that need it
# are left out and say so. What is there already stays as it is: a user's own may be newer. Everything else that the tests
# need comes from PyPI and npm, into this folder.
set -eu

missing=""

need() { # COMMAND PACKAGE
    command -v "$1" > /dev/null || missing="$missing $2"
}

# The browser that opens the web chat.
need chromium "chromium chromium-sandbox fonts-liberation"
# Shows which files and addresses a command in the sandbox reaches.
need strace strace
# Toolchains that build small projects inside the sandbox.
need go golang-go
need cargo cargo
need javac default-jdk-headless
# The terminal that the full screen is tried in.
need tmux tmux
# Stand in front of the server, as deploy/nginx.conf and deploy/Caddyfile have it.
need nginx nginx-light
need caddy caddy
# For the training code: Debian's build has no gigabytes for graphics cards.
/usr/bin/python3 -c 'import torch' 2> /dev/null || missing="$missing python3-torch"

[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
    echo "missing for all tests:$missing. Install them (on Debian and Ubuntu: sudo $0)"
    exit 0
fi
echo "installing for the tests:$missing"
export DEBIAN_FRONTEND=noninteractive
install() {
    # shellcheck disable=SC2086
    apt-get -qq install -y --no-install-recommends $missing > /dev/null
}
# A fresh machine has no package lists yet.
install 2> /dev/null || { apt-get -qq update && install; } || echo "apt could not install:$missing. The tests that need them are left out"
