//! SIGTERM and SIGINT: the first asks for a clean stop, the second ends the process at once.
//!
//! What a clean stop is, is decided by those who wait for [`Shutdown::requested`]; here is only the notification.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// The notification that a signal arrived; clones share it.
#[derive(Clone)]
pub struct Shutdown(watch::Receiver<bool>);

impl Shutdown {
    /// Listens for signals from now on. Must be called within the runtime.
    pub fn listen() -> io::Result<Shutdown> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let (sender, receiver) = watch::channel(false);
        tokio::spawn(async move {
            let name = next(&mut terminate, &mut interrupt).await;
            tracing::info!(signal = name, "stopping");
            // Nobody listens any more when the server has ended by itself.
            let _ = sender.send(true);
            next(&mut terminate, &mut interrupt).await;
            std::process::exit(1);
        });
        Ok(Shutdown(receiver))
    }

    /// Returns when the first signal has arrived.
    pub async fn requested(mut self) {
        // The sender lives as long as the process; were it gone, stopping would be right too.
        let _ = self.0.wait_for(|stop| *stop).await;
    }
}

async fn next(terminate: &mut Signal, interrupt: &mut Signal) -> &'static str {
    tokio::select! {
        _ = terminate.recv() => "SIGTERM",
        _ = interrupt.recv() => "SIGINT",
    }
}
