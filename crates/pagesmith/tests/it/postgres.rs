//! PostgreSQL: encrypted connections, several servers, poolers, transactions that conflict.

mod conflicts;
mod failover;
mod pooler;
mod tls;
