#!/bin/sh
#===- setup.sh - prepare this machine and configure the build --------------===#
#
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# utils/setup.sh LEVEL, where LEVEL is
#   build   what compiling and running needs
#   test    and what the tests need (PyTorch among it)
#   asan    and what the sanitizers need
#
# On Debian 12 it installs the missing packages (through sudo where it is not
# root); elsewhere it lists what is missing and stops. Then it makes .venv. All
# of it is announced first, and nothing is done twice.
#
# Environment:
#   HYENA_PYTHON          the Python that .venv is made from (python3)
#   HYENA_NO_INSTALL=1    on Debian 12 too, only list what is missing
#   LLVM_PREFIX           where LLVM 22 is installed (/usr/lib/llvm-22)

set -eu
cd "$(dirname "$0")/.."
level=${1:-build}
PYTHON=${HYENA_PYTHON:-python3}
. utils/packages.sh

say() { printf '==> %s\n' "$*"; }

case $level in
build) levels="build" ;;
test) levels="build test" ;;
asan) levels="build test asan" ;;
*) say "unknown level '$level': expected build, test or asan" >&2; exit 2 ;;
esac

# ---- System packages ----------------------------------------------------
is_debian_12() {
  [ -r /etc/os-release ] &&
    (. /etc/os-release && [ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ])
}

install_debian() {
  missing=""
  for package in $(needs $levels | cut -d ';' -f 1); do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || :)
    [ "$status" = installed ] || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  say "Installing these Debian packages:$missing"
  sudo=""
  if [ "$(id -u)" != 0 ]; then
    if ! have sudo >/dev/null; then
      say "Neither root nor sudo: install them and run this again." >&2
      exit 1
    fi
    sudo=sudo
  fi
  $sudo apt-get update -qq
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends -o DPkg::Lock::Timeout=300 $missing >/dev/null
}

check_other() {
  report=$(needs $levels | while IFS=';' read -r package check words; do
    (eval "$check") >/dev/null 2>&1 ||
      printf '  %-52s (in Debian: %s)\n' "$words" "$package"
  done)
  [ -z "$report" ] && return 0
  {
    say "This machine lacks:"
    printf '%s\n' "$report"
    say "Install these and run the command again. LLVM is looked for in" \
      "$LLVM_PREFIX; the variable LLVM_PREFIX names another place."
  } >&2
  exit 1
}

if is_debian_12 && [ -z "${HYENA_NO_INSTALL:-}" ]; then
  install_debian
else
  check_other
fi

# ---- Python environment -------------------------------------------------
# install_requirements FILE: unless this very file is installed already.
install_requirements() {
  stamp=".venv/installed-$(basename "$1")"
  cmp -s "$1" "$stamp" && return 0
  say "Installing into .venv:" $(grep -v '^#' "$1")
  .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$1"
  cp "$1" "$stamp"
}

if ! .venv/bin/python -c pass 2>/dev/null; then
  say "Making the Python environment .venv with $("$PYTHON" --version)"
  rm -rf .venv
  "$PYTHON" -m venv .venv
fi
install_requirements utils/requirements-build.txt
if [ "$level" != build ]; then
  install_requirements utils/requirements-test.txt
fi
