//! Prints the tables that all migrations together make; `cargo x gen` keeps the answer in `migrations/schema.sql`.

use std::io::Write;

use pagesmith_store::Store;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let store = Store::open_inline(&folder.path().join("schema.db"))?;
    store.migrate().await?;
    std::io::stdout().write_all(store.describe().await?.as_bytes())?;
    Ok(())
}
