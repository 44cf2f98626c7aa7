#!/bin/sh
# Writes patterns.txt and samples.txt anew from a version of the npm package crawler-user-agents.
set -eu
version=${1:?usage: renew.sh VERSION}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent "crawler-user-agents@$version" && tar xzf ./*.tgz)
cp "$work/package/LICENSE" "$here/LICENSE"
node -e '
  const fs = require("fs")
  const [from, to] = process.argv.slice(1)
  const list = JSON.parse(fs.readFileSync(from + "/crawler-user-agents.json"))
  const lines = (texts) => texts.filter((text) => !text.includes("\n")).join("\n") + "\n"
  fs.writeFileSync(to + "/patterns.txt", lines(list.map((one) => one.pattern)))
  fs.writeFileSync(to + "/samples.txt", lines(list.flatMap((one) => one.instances.slice(0, 2))))
' "$work/package" "$here"
sed -i "s/1*crawler-user-agents) [0-9.]*[0-9]/crawler-user-agents) $version/" "$here/README.md"
