#!/usr/bin/env bash
# Proves the README's two commands on a machine that has nothing: makes a Debian 12 from the sources that
# this machine uses, puts a clean clone of HEAD into it, and runs tools/quickstart.sh and tests/run.sh there,
# twice. It must run as root. Mounts are in a namespace of their own, so none remains however the script ends.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} != inside-namespace ]]; then
  exec unshare --mount --pid --fork --kill-child "$0" inside-namespace
fi

root=$(mktemp -d "${TMPDIR:-/tmp}/heron-fresh.XXXXXX")
cleanup() {
  umount -l "$root/proc" "$root/dev/pts" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
chmod 755 "$root"

[[ -n $(ls -A /var/lib/apt/lists 2>/dev/null) ]] || apt-get -qq update
sources=$(apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
  'Created-By: Packages' 'Origin: Debian' | grep -E ' bookworm(-updates|-security)? main$' | sort -u)
echo "== fresh: making a Debian 12 in $root"
mmdebstrap --quiet --variant=minbase --include=git,ca-certificates bookworm "$root" - <<<"$sources"
cp /etc/resolv.conf "$root/etc/resolv.conf"
apt-config dump | grep -i '^Acquire::.*proxy' >"$root/etc/apt/apt.conf.d/90proxy" || true
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"  # who this machine trusts, pip there does
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -sf pts/ptmx "$root/dev/ptmx"
git clone --quiet "file://$PWD" "$root/root/heron"

inside() {  # runs a command inside and prints its time
  local start=$SECONDS
  echo "== fresh: $*"
  env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    chroot "$root" sh -c "cd /root/heron && $*"
  echo "== fresh: $* took $((SECONDS - start)) s"
}
inside tools/quickstart.sh
inside tools/quickstart.sh
inside tests/run.sh
inside tests/run.sh
