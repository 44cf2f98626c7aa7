//! Connections to PostgreSQL: encryption, several servers, poolers.

mod failover;
mod pooler;
mod tls;
