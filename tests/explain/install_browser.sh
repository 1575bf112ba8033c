#!/usr/bin/env bash
# Is there a browser for the tests of the report page? Installs Debian's chromium where that is allowed (as root, with
# apt-get), and otherwise says how to. It never fails: without a browser those tests are skipped, visibly.
set -uo pipefail

for name in "${LINPOINT_BROWSER:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$name" ] && command -v "$name" >/dev/null && exit 0
done

if [ "${EUID:-1}" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "Installing chromium for the tests of the report page ..."
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    install() { apt-get install -y --no-install-recommends chromium fonts-dejavu-core; }
    { install || { apt-get update && install; }; } >"$log" 2>&1 || { echo "apt-get could not install it:"; tail -n 5 "$log"; } >&2
    rm -f "$log"
fi

if ! command -v chromium >/dev/null; then
    echo "There is no browser: the tests of the report page are skipped. Install one (apt-get install chromium) or name it in LINPOINT_BROWSER." >&2
fi
exit 0
