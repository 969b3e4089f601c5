"""Several processes with one PostgreSQL: members, owners of tables, forwarding, and notices between members."""
