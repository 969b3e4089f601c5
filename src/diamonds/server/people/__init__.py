"""Display names, relationships and sanctions of people."""
