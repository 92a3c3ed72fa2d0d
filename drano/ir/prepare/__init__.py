"""From a compiler's device IR to the IR that is read: inlined, in SSA form, without inline PTX."""
