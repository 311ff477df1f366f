//! Which compression a client takes.

use http::header::ACCEPT_ENCODING;
use http::{HeaderMap, HeaderValue};

/// A way to compress a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Coding {
    Zstd,
    Gzip,
}

/// The quality of what is listed without one, in thousandths.
const FULL: u16 = 1_000;

impl Coding {
    /// The one that the client likes best, and of equals the cheaper one; none where it wants none.
    pub(super) fn wanted(request: &HeaderMap) -> Option<Self> {
        Wishes::of(request).best()
    }

    /// The value of `Content-Encoding`.
    pub(super) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        })
    }
}

/// Whether the client takes gzip, however much it likes something else.
pub fn takes_gzip(request: &HeaderMap) -> bool {
    let wishes = Wishes::of(request);
    wishes.gzip.or(wishes.rest).is_some_and(|quality| quality > 0)
}

/// The qualities that a client gave, in thousandths; none to what it did not name.
#[derive(Default)]
struct Wishes {
    zstd: Option<u16>,
    gzip: Option<u16>,
    identity: Option<u16>,
    /// Of all that is not named.
    rest: Option<u16>,
}

impl Wishes {
    fn of(request: &HeaderMap) -> Self {
        let mut wishes = Self::default();
        for list in request.get_all(ACCEPT_ENCODING) {
            list.as_bytes().split(|&byte| byte == b',').for_each(|entry| wishes.add(entry));
        }
        wishes
    }

    /// One entry of the list, such as `gzip;q=0.5`. What cannot be read asks for nothing.
    fn add(&mut self, entry: &[u8]) {
        let mut parts = entry.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
        let name = parts.next().unwrap_or_default();
        let quality = parts.find_map(|part| part.strip_prefix(b"q=").or_else(|| part.strip_prefix(b"Q=")));
        let quality = quality.map_or(FULL, |text| thousandths(text).unwrap_or(0));
        let slot = match name {
            b"*" => &mut self.rest,
            _ if name.eq_ignore_ascii_case(b"zstd") => &mut self.zstd,
            _ if name.eq_ignore_ascii_case(b"gzip") || name.eq_ignore_ascii_case(b"x-gzip") => &mut self.gzip,
            _ if name.eq_ignore_ascii_case(b"identity") => &mut self.identity,
            _ => return,
        };
        *slot = Some(quality);
    }

    /// A star alone says that anything will do, and nothing done is cheapest.
    fn best(&self) -> Option<Coding> {
        let least = self.identity.map_or(1, |identity| identity.max(1));
        let rest = self.identity.filter(|&identity| identity == 0).and(self.rest);
        let codings = [(self.gzip.or(rest), Coding::Gzip), (self.zstd.or(rest), Coding::Zstd)];
        let wanted = codings.into_iter().filter_map(|(quality, coding)| Some((quality?, coding)));
        // Of equals the last one.
        wanted
            .filter(|&(quality, _)| quality >= least)
            .max_by_key(|&(quality, _)| quality)
            .map(|(_, coding)| coding)
    }
}

/// `0.5` as 500; at most three digits behind the point, as RFC 9110 has it.
fn thousandths(text: &[u8]) -> Option<u16> {
    let (whole, digits) = match text {
        [whole @ (b'0' | b'1')] => (whole, &[][..]),
        [whole @ (b'0' | b'1'), b'.', digits @ ..] if digits.len() <= 3 => (whole, digits),
        _ => return None,
    };
    let scale = [100, 10, 1];
    let mut quality = u16::from(whole - b'0') * FULL;
    for (digit, scale) in digits.iter().zip(scale) {
        quality += u16::from(digit.is_ascii_digit().then(|| digit - b'0')?) * scale;
    }
    (quality <= FULL).then_some(quality)
}

#[cfg(test)]
mod tests {
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
        for bad in
            ["gzip;q=", "gzip;q=2", "gzip;q=1.001", "gzip;q=0.1234", "gzip;q=-1", "gzip;q=.5", "gzip;q=0.x"]
        {
            assert_eq!(wanted(&[bad]), None, "{bad}");
        }
    }
}
