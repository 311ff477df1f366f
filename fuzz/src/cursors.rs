//! Cursors of the event feed, and the other texts that say a place in time.

use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::zones::timestamp_text::{local_text, parse_day, parse_local, parse_timestamp};
use pointbook_domain::{Cursor, Feed, TimeZoneName};

/// A text that is read has one meaning, and what it says is read again as the same.
pub(crate) fn read(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    if let Some(cursor) = Cursor::parse(text) {
        assert_eq!(cursor.to_string(), text);
        for feed in [Feed::EMPTY, Feed { generation: 1, last_position: 9, removed_position: 3 }] {
            assert!(feed.count_after(cursor) <= feed.last_position);
            let is_within = cursor.position <= feed.last_position && cursor.generation == feed.generation;
            assert!(is_within || !feed.has_events_after(cursor));
        }
    }
    if let Some(at) = parse_timestamp(text) {
        assert_eq!(parse_timestamp(&at.to_string()), Some(at));
        assert_eq!(at.day().start().day(), at.day());
        assert!(at.day().start() <= at && at <= at.day().end());
    }
    if let Some(day) = parse_day(text) {
        assert_eq!(day.to_string(), text);
    }
    for name in ["UTC", "Europe/Berlin", "Asia/Tokyo"] {
        let zone = Zone::find(&TimeZoneName::new(name).unwrap()).unwrap();
        if let Some(at) = parse_timestamp(text) {
            assert!(zone.local_time(at).minute_of_day < 24 * 60);
            local_text(at, &zone);
        }
        if let Some(at) = parse_local(text, &zone) {
            // Of two moments with the same local time, the text may mean either.
            let shown = local_text(at, &zone);
            let again = parse_local(&shown, &zone).unwrap_or_else(|| panic!("{shown}"));
            assert_eq!(local_text(again, &zone), shown);
        }
    }
    if let Ok(name) = TimeZoneName::new(text)
        && let Ok(zone) = Zone::find(&name)
    {
        // The name is found in any case of its letters.
        assert!(zone.name().to_string().eq_ignore_ascii_case(&name.to_string()));
    }
}
