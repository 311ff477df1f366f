//! The products with a URL of a picture that contains a string, such as the path of all pictures of a server.
//!
//! It looks at the end of each rendered JSON, where the URLs are. The time grows with the number of products, so callers use a
//! thread of the background.

use std::borrow::Cow;

use memchr::memmem::{Finder, FinderRev};
use serde::Deserialize;

use crate::index::segment::Segment;
use crate::index::snapshot::Snapshot;

/// Begins the URLs in the JSON of a product. A string in JSON has a backslash before each quote, so no string contains this.
const URLS: &[u8] = br#""thumbnail":""#;

/// A product with such a URL, whether customers see it or not.
#[derive(Debug)]
pub struct Pictured<'s> {
    pub id: &'s str,
    /// The thumbnail, and then the gallery in its order. Empty strings are left out.
    pub urls: Vec<String>,
    json: &'s [u8],
}

impl Pictured<'_> {
    pub fn title(&self) -> String {
        #[derive(Deserialize)]
        struct Title<'j> {
            #[serde(borrow)]
            title: Cow<'j, str>,
        }
        let read = serde_json::from_slice::<Title<'_>>(self.json);
        read.map(|read| read.title.into_owned()).unwrap_or_default()
    }
}

impl Snapshot {
    /// Calls `see` with each product that has a URL of a picture with this part, in no particular order. The part has no character
    /// that JSON escapes.
    pub fn each_pictured<'s>(&'s self, part: &str, mut see: impl FnMut(Pictured<'s>)) {
        let (begin, has_part) = (FinderRev::new(URLS), Finder::new(part));
        let (base, recent) = self.segments();
        let mut look = |segment: &'s Segment, number: u32| {
            let products = segment.products();
            let Some(json) = products.fragment(number).map(|fragment| fragment.json) else { return };
            let urls = begin.rfind(json).and_then(|at| json.get(at..)).unwrap_or_default();
            if has_part.find(urls).is_none() {
                return;
            }
            let (id, urls) = (str::from_utf8(products.id(number as usize)), read(urls));
            // The part may also be that of a name in the JSON.
            if let (Ok(id), Some(urls)) = (id, urls.filter(|urls| urls.iter().any(|url| url.contains(part))))
            {
                see(Pictured { id, urls, json });
            }
        };
        let shown = base.products().numbers().filter(|number| !self.is_hidden(*number));
        shown.for_each(|number| look(base, number));
        recent.products().numbers().for_each(|number| look(recent, number));
    }
}

/// The URLs at the end of the JSON of a product.
fn read(end: &[u8]) -> Option<Vec<String>> {
    #[derive(Deserialize)]
    struct Urls {
        thumbnail: String,
        gallery: Vec<String>,
    }
    let Urls { thumbnail, gallery } = serde_json::from_slice(&[b"{", end].concat()).ok()?;
    Some(std::iter::once(thumbnail).chain(gallery).filter(|url| !url.is_empty()).collect())
}
