/* Before the headers that are precompiled with the prelude: what comes behind it is theirs alone. */
