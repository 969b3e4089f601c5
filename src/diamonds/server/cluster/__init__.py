"""Several processes with one PostgreSQL: members, table owners, forwarding, and notices between members."""
