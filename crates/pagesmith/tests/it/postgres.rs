//! PostgreSQL: encrypted connections, several servers, poolers, transactions that conflict, migrators.

mod conflicts;
mod failover;
mod migrators;
mod pooler;
mod tls;
