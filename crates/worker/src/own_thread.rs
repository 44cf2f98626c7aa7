//! A thread of its own for work that would keep requests waiting.

use std::time::Duration;

use tokio::sync::watch;

/// How long a stop may take: what is not handed back by then comes back when its lease ends.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(4);

/// Does the work on the caller's thread. It is given `stop`, ends soon after that has turned true, and is left where it stands if it does
/// not.
pub(crate) fn run<W: Future<Output = ()>>(
    name: &str,
    stop: watch::Receiver<bool>,
    work: impl FnOnce(watch::Receiver<bool>) -> W,
) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return tracing::error!(%error, work = name, "the worker thread did not start"),
    };
    runtime.block_on(async {
        let mut stopping = stop.clone();
        let too_long = async {
            drop(stopping.wait_for(|stop| *stop).await);
            tokio::time::sleep(SHUTDOWN_GRACE).await;
        };
        tokio::select! {
            () = work(stop) => {}
            () = too_long => {}
        }
    });
}
