//! PostgreSQL: encrypted connections, several servers, poolers, transactions that conflict, migrators.

mod citus;
mod conflicts;
mod failover;
mod lists;
mod migrators;
mod pooler;
mod tls;
