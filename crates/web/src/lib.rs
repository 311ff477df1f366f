//! The HTML pages of the server: the room of the console and the storefront to come. No path has a page yet.

use pointbook_http_kernel::{Answering, PageRequest, Pages};

/// The pages of this server.
#[derive(Debug, Clone, Copy, Default)]
pub struct Web;

impl Pages for Web {
    fn answer<'r>(&'r self, _request: PageRequest<'r>) -> Option<Answering<'r>> {
        None
    }
}
