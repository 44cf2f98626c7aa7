//! The gateway as the page agent sees it.

use pagesmith_agent::llm::gateway::{Gateway, GatewayError, GatewayRequest};
use tokio::time::sleep;

use super::*;

fn ask(url: &str) -> GatewayRequest {
    let headers = vec![("authorization", "Bearer secret".to_owned())];
    GatewayRequest { url: url.to_owned(), headers, body: Bytes::from_static(b"{}") }
}

#[tokio::test(start_paused = true)]
async fn pieces_come_as_they_are_sent_and_may_be_more_than_a_delivery_reads() {
    let scene = Scene::new(|_, mut stream| {
        tokio::spawn(async move {
            let request = request_of(&mut stream).await.unwrap().to_ascii_lowercase();
            assert!(
                request.contains("authorization: bearer secret")
                    && request.contains("content-type: application/json")
            );
            stream.write_all(b"HTTP/1.1 200 OK\r\nretry-after: 7\r\n\r\n").await.unwrap();
            for _ in 0..100 {
                sleep(Duration::from_secs(10)).await;
                stream.write_all(&[b'a'; 1000]).await.unwrap();
            }
        });
    });
    let mut response = scene.egress.send_piecewise(ask("http://public.example/")).await.unwrap();
    assert_eq!((response.status, response.retry_after), (200, Some(Duration::from_secs(7))));
    let mut bytes = 0;
    while let Some(piece) = response.body.next().await.unwrap() {
        bytes += piece.len();
    }
    assert_eq!(bytes, 100_000);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_stops_coming_is_given_up_and_of_an_address_that_is_not_called_only_the_operator_learns()
 {
    let scene = Scene::new(|_, mut stream| {
        tokio::spawn(async move {
            request_of(&mut stream).await;
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nbegun").await.unwrap();
            sleep(Duration::from_secs(3600)).await;
        });
    });
    let mut response = scene.egress.send_piecewise(ask("http://public.example/")).await.unwrap();
    assert_eq!(response.body.next().await.unwrap().unwrap().as_ref(), b"begun");
    assert_eq!(response.body.next().await, Err(GatewayError::TimedOut));
    for url in ["http://127.0.0.1/", "http://nowhere.example/", "http://public.example:22/"] {
        let begun = tokio::time::Instant::now();
        let refused = scene.egress.send_piecewise(ask(url)).await;
        assert!(matches!(refused, Err(GatewayError::Unreachable)), "{url}");
        assert_eq!(begun.elapsed().as_secs(), 6, "{url}");
    }
}

impl Egress {
    /// [`Gateway::send`] by a name that deliveries do not use.
    async fn send_piecewise(
        &self,
        request: GatewayRequest,
    ) -> Result<pagesmith_agent::llm::gateway::GatewayResponse, GatewayError> {
        Gateway::send(self, request).await
    }
}
