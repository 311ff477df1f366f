//! Local times, and the names of time zones. `zones` has the zone data: it finds a zone by its name and computes local times.

use crate::Day;
use crate::id::{FormError, texts};

/// A moment on the calendar and the clock of a time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalTime {
    /// The local date. A zone may skip a date.
    pub day: Day,
    /// Minutes since local midnight, from 0 to 1439. A minute is missing or occurs twice when daylight saving begins or ends.
    pub minute_of_day: u16,
}

texts! {
    /// The IANA name of a time zone, such as `Europe/Berlin`. `zones` finds out whether the zone exists.
    TimeZoneName;
}

impl TimeZoneName {
    /// The most characters of a name.
    pub const MAX_CHARS: usize = 64;

    /// # Errors
    /// [`FormError`] with the rule.
    pub fn new(text: &str) -> Result<Self, FormError> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"/_+-".contains(&byte);
        if (1..=Self::MAX_CHARS).contains(&text.len()) && text.bytes().all(allowed) {
            Ok(Self(text.into()))
        } else {
            Err(FormError("a time zone is an IANA name such as Europe/Berlin or UTC"))
        }
    }

    /// `UTC`, the zone of a tenant that set none.
    pub fn utc() -> Self {
        Self("UTC".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_zone_has_the_form_of_an_iana_name() {
        for good in ["UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "America/Port-au-Prince"] {
            assert_eq!(TimeZoneName::new(good).unwrap().as_str(), good);
        }
        for bad in ["", "Europe/München", "Europe Berlin", "../zone", &"a".repeat(65)] {
            assert!(TimeZoneName::new(bad).is_err(), "{bad}");
        }
    }
}
