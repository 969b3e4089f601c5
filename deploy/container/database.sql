-- Run once, when the database is made: only its owner may connect to it.
REVOKE CONNECT ON DATABASE diamonds FROM PUBLIC;
