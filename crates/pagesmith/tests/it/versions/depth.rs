//! How much waits to be written, as an operator sees it.

use std::time::Duration;

use pagesmith_operations::versions::generations::{self, Depth};

use super::Scene;

#[tokio::test]
async fn an_operator_sees_how_many_versions_wait_and_for_how_long() {
    let scene = Scene::start().await;
    let depth = async || {
        let now = scene.app.platform.clock().now();
        scene.app.store.read(move |tx| generations::depth(tx, now)).await.unwrap()
    };
    assert_eq!(depth().await, Depth { waiting: 1, oldest: Duration::ZERO });
    scene.app.advance(Duration::from_secs(9));
    // The second one of an audience waits for its turn, and that is not what is counted here.
    scene.add().await;
    assert_eq!(depth().await, Depth { waiting: 1, oldest: Duration::from_secs(9) });
    scene.app.suspend("acme").await;
    assert_eq!(depth().await, Depth::default(), "nobody could write it now");
    scene.app.write_versions().await;
    scene.app.resume("acme").await;
    assert_eq!(depth().await.waiting, 1);
    scene.write().await;
    assert_eq!(depth().await, Depth::default());
}
