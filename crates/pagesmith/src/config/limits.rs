//! `[limits]`: what one client may cost the others, and how long a stop may take.

use std::time::Duration;

use super::{ConfigError, Settings};

const MIB: usize = 1024 * 1024;

/// Bounds on connections and on time.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Open connections.
    pub max_connections: usize,
    /// Open connections of one address, and requests in flight of one behind a trusted proxy.
    pub connections_per_address: usize,
    /// Streams of events that a tenant may have open.
    pub streams_per_tenant: usize,
    /// From the first byte of a request to the end of its headers.
    pub header_timeout: Duration,
    /// From the end of the headers to the end of the body.
    pub body_timeout: Duration,
    /// From the whole request to its answer.
    pub request_timeout: Duration,
    /// Bytes of answers that are made and not yet sent.
    pub answers_in_memory: usize,
    /// How long a client may take nothing of an answer.
    pub write_timeout: Duration,
    /// From the signal to stop until what still runs is cut off.
    pub shutdown_timeout: Duration,
}

impl Limits {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Limits, ConfigError> {
        Ok(Limits {
            max_connections: settings.number("limits.max_connections", 1..=1_000_000)?,
            connections_per_address: settings.number("limits.connections_per_address", 1..=1_000_000)?,
            streams_per_tenant: settings.number("limits.streams_per_tenant", 1..=1_000_000)?,
            header_timeout: settings.duration("limits.header_timeout")?,
            body_timeout: settings.duration("limits.body_timeout")?,
            request_timeout: settings.duration("limits.request_timeout")?,
            answers_in_memory: settings.number("limits.answers_in_memory_mib", 64..=1_048_576)? * MIB,
            write_timeout: settings.duration("limits.write_timeout")?,
            shutdown_timeout: settings.duration("limits.shutdown_timeout")?,
        })
    }
}
