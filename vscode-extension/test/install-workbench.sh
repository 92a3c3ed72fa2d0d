#!/usr/bin/env bash
# Install a real VS Code workbench (code-server, from npm) into DIR, with nothing but npm and Debian's
# packages: code-server's own postinstall downloads a prebuilt ripgrep, so scripts are left out, native
# modules are built here, and Debian's ripgrep is linked in.
# Usage: install-workbench.sh DIR
set -euo pipefail
dir=${1:?usage: $0 DIR}
if [ -e "$dir/installed" ]; then exit 0; fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  libkrb5-dev libx11-dev libxkbfile-dev libsecret-1-dev pkg-config g++ make ripgrep chromium >/dev/null
mkdir -p "$dir"
cd "$dir"
npm install --ignore-scripts --no-audit --no-fund code-server@4.100.3
gyp=$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js
npm_config_nodedir=$(npm config get nodedir 2>/dev/null | tail -n 1)
[ -d "$npm_config_nodedir" ] || npm_config_nodedir=/usr # where Node's headers are
export npm_config_nodedir
export CFLAGS=-O0 CXXFLAGS=-O0 # it runs for a minute: to optimise it takes longer
binding=$PWD/node_modules/argon2/lib/binding/napi-v3
(cd node_modules/argon2 && node "$gyp" rebuild --module="$binding/argon2.node" --module_name=argon2 \
  --module_path="$binding" --napi_version=8 --napi_build_version=3 --node_napi_label=napi-v3)
cd node_modules/code-server/lib/vscode
npm install --ignore-scripts --no-audit --no-fund --omit=dev --legacy-peer-deps
(cd extensions && npm install --ignore-scripts --no-audit --no-fund --omit=dev --legacy-peer-deps)
for module in node-pty @vscode/spdlog native-watchdog @vscode/native-watchdog @parcel/watcher \
  @vscode/deviceid kerberos; do
  if [ -f "node_modules/$module/binding.gyp" ]; then
    (cd "node_modules/$module" && node "$gyp" rebuild)
  fi
done
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
node "$dir/node_modules/code-server/out/node/entry.js" --version
touch "$dir/installed"
