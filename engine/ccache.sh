#!/bin/sh
# ccache.sh CCACHE COMPILER ARGUMENT...: compiles through ccache, precompiled headers without it.
#
# A compiler knows the headers in a precompiled one by their times: one that ccache made of another
# checkout, with equal texts, would not stop them from being included again. The sloppiness lets ccache
# keep the objects that are made with a precompiled header, whose bytes are part of their key.
ccache=$1
shift
case " $* " in
  *" -x c++-header "*) exec "$@" ;;
esac
CCACHE_SLOPPINESS=pch_defines,time_macros exec "$ccache" "$@"
