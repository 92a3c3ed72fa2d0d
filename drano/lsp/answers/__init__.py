"""What an editor is answered: pure functions from an analysis to the protocol's types."""
