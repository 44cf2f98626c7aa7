//! `[log]`: what is written to standard error, and in which form.

use tracing_subscriber::filter::Targets;

use super::{ConfigError, Settings};

/// The log.
#[derive(Debug, Clone)]
pub struct Log {
    /// Which lines.
    pub level: Targets,
    /// In which form.
    pub format: Format,
}

/// The form of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line.
    Json,
    /// For human eyes.
    Text,
    /// Text on a terminal, else JSON.
    Auto,
}

impl Log {
    /// Reads the section.
    pub fn read(settings: &Settings) -> Result<Log, ConfigError> {
        let format = match settings.text("log.format")? {
            "json" => Format::Json,
            "text" => Format::Text,
            "auto" => Format::Auto,
            _ => return Err(settings.refuse("log.format", "json, text or auto")),
        };
        let level = settings.parse("log.level", "a level such as info, or several as in info,request=off")?;
        Ok(Log { level, format })
    }
}
