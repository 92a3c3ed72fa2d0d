"""``drano fix``: edits of the source that mend findings, each proved before it is offered."""
