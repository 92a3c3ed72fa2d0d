/* Behind the headers that are precompiled with the prelude: clang wants an input. */
