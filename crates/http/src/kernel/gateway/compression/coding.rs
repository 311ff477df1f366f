//! The ways to compress a body, and which of them a client takes.

use std::cell::RefCell;

use http::header::ACCEPT_ENCODING;
use http::{HeaderMap, HeaderValue};
use libdeflater::{CompressionLvl, Compressor as Deflater};
use zstd::bulk::Compressor as Zstd;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Coding {
    Zstd,
    Gzip,
}

/// JSON that repeats its keys shrinks to a fifth or so by the cheapest level; the next ones take half as long again for
/// a tenth of that.
const ZSTD_LEVEL: i32 = 1;
/// Level 0 compresses nothing.
const GZIP_LEVEL: i32 = 1;

const GZIP: [&str; 2] = ["gzip", "x-gzip"];

thread_local! {
    static ZSTD_COMPRESSOR: RefCell<Option<Zstd<'static>>> = RefCell::new(Zstd::new(ZSTD_LEVEL).ok());
    static DEFLATER: RefCell<Deflater> = RefCell::new(Deflater::new(CompressionLvl::new(GZIP_LEVEL).unwrap_or_default()));
}

impl Coding {
    /// The one that the client likes best, and of equals zstd, which is cheaper. `None` when it likes `identity` more
    /// than both. A star alone says that anything will do, and nothing done is cheapest.
    pub(super) fn wanted(request: &HeaderMap) -> Option<Self> {
        if !request.contains_key(ACCEPT_ENCODING) {
            return None;
        }
        let identity = quality(request, &["identity"]);
        let star =
            if identity.is_some_and(|quality| quality <= 0.0) { quality(request, &["*"]) } else { None };
        let [zstd, gzip] =
            [&["zstd"][..], &GZIP].map(|names| quality(request, names).or(star).unwrap_or(0.0));
        let (best, coding) = if gzip > zstd { (gzip, Self::Gzip) } else { (zstd, Self::Zstd) };
        (best > 0.0 && best >= identity.unwrap_or(0.0)).then_some(coding)
    }

    pub(super) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        })
    }

    /// Compresses bytes. `None` where there is no memory for it.
    pub(super) fn compress(self, bytes: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Zstd => ZSTD_COMPRESSOR.with_borrow_mut(|zstd| zstd.as_mut()?.compress(bytes).ok()),
            Self::Gzip => DEFLATER.with_borrow_mut(|gzip| {
                let mut compressed = vec![0; gzip.gzip_compress_bound(bytes.len())];
                let length = gzip.gzip_compress(bytes, &mut compressed).ok()?;
                compressed.truncate(length);
                compressed.shrink_to_fit();
                Some(compressed)
            }),
        }
    }
}

/// Whether the client takes gzip, however much it likes something else.
pub fn takes_gzip(request: &HeaderMap) -> bool {
    let quality = quality(request, &GZIP).or_else(|| quality(request, &["*"]));
    quality.is_some_and(|quality| quality > 0.0)
}

/// How much a client likes a coding with one of these names, from 0 to 1. The last entry counts, such as `gzip;q=0.5`;
/// one that cannot be read asks for nothing. `None` without one.
fn quality(request: &HeaderMap, names: &[&str]) -> Option<f32> {
    let lists = request.get_all(ACCEPT_ENCODING).iter().filter_map(|list| list.to_str().ok());
    let mut of_names = lists.flat_map(|list| list.split(',')).filter_map(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let name = parts.next()?;
        names.iter().any(|known| known.eq_ignore_ascii_case(name)).then_some(parts)
    });
    let written = of_names.next_back()?.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
    let quality = written.map_or(Some(1.0), |written| written.parse().ok());
    quality.filter(|quality| (0.0..=1.0).contains(quality)).or(Some(0.0))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn wanted(lists: &[&'static str]) -> Option<Coding> {
        let mut request = HeaderMap::new();
        for list in lists {
            request.append(ACCEPT_ENCODING, HeaderValue::from_static(list));
        }
        Coding::wanted(&request)
    }

    #[test]
    fn the_best_liked_coding_is_taken_and_of_equals_zstd() {
        for (list, coding) in [
            ("gzip, deflate, br, zstd", Coding::Zstd),
            ("gzip", Coding::Gzip),
            ("GZIP;q=0.8, br", Coding::Gzip),
            ("x-gzip", Coding::Gzip),
            ("zstd;q=0.5, gzip;q=0.501", Coding::Gzip),
            ("zstd ; q=1.000 , gzip", Coding::Zstd),
            ("identity;q=0.5, gzip", Coding::Gzip),
            ("*, identity;q=0", Coding::Zstd),
            ("*, zstd;q=0, identity;q=0", Coding::Gzip),
        ] {
            assert_eq!(wanted(&[list]), Some(coding), "{list}");
        }
        assert_eq!(wanted(&["br", "gzip"]), Some(Coding::Gzip));
    }

    #[test]
    fn what_is_not_asked_for_is_not_done() {
        for list in [
            "",
            "br",
            "identity",
            "gzip;q=0",
            "gzip;q=0.000",
            "*",
            "*;q=0",
            "gzip;q=0.5, identity",
            "gzipped",
        ] {
            assert_eq!(wanted(&[list]), None, "{list}");
        }
        assert_eq!(wanted(&[]), None);
    }

    #[test]
    fn a_quality_that_is_none_asks_for_nothing() {
        for bad in ["gzip;q=", "gzip;q=2", "gzip;q=1.001", "gzip;q=-1", "gzip;q=nan", "gzip;q=0.x"] {
            assert_eq!(wanted(&[bad]), None, "{bad}");
        }
    }

    #[test]
    fn what_was_compressed_is_what_it_was() {
        let long: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
        for bytes in [&b""[..], b"{}", &[b'x'; 5_000], &long] {
            let zstd = Coding::Zstd.compress(bytes).unwrap();
            assert_eq!(zstd::bulk::decompress(&zstd, bytes.len()).unwrap(), bytes);
            let mut unpacked = Vec::new();
            GzDecoder::new(&*Coding::Gzip.compress(bytes).unwrap()).read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked, bytes);
        }
    }
}
