//! Websites for tests: one that is always there, and those that a test serves.

use pagesmith_model::Timestamp;
use pagesmith_operations::brands::websites::{Reading, Website, Websites};
use pagesmith_worker::reading::WebsiteReader;

/// The address of a website that nobody asks the network for: that of examples.
const EXAMPLE: &str = "https://example.com/";

/// Reads what tests serve, and knows the example by heart.
pub(crate) struct TestWebsites(pub(crate) WebsiteReader);

impl Websites for TestWebsites {
    fn read<'a>(&'a self, address: &'a str, now: Timestamp) -> Reading<'a> {
        if address != EXAMPLE {
            return self.0.read(address, now);
        }
        let website = Website {
            url: EXAMPLE.to_owned(),
            name: Some("Example".to_owned()),
            accent: Some([0x2b, 0x55, 0xb8]),
            ..Website::default()
        };
        Box::pin(std::future::ready(Ok(website)))
    }
}
