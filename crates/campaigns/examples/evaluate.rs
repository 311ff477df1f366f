//! Measures how long one activity takes with 50 running campaigns on this machine.
//!
//! Most campaigns fail on their type, window, attributes or weekday, as those of a real tenant do.
//!
//! `cargo run --release -p pointbook-campaigns --example evaluate`
#![expect(clippy::unwrap_used, reason = "an error fails the measurement")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use pointbook_campaigns::{
    BudgetLeft, CampaignId, CampaignVersion, Counters, Event, Member, Options, OrdinalOf, PeriodKey, RuleSet,
    Usage, VersionState, parse,
};
use pointbook_domain::{ActivityType, Attributes, Day, Locale, Points, SourceId, Timestamp, UserId};
use pointbook_time::time_zone::Zone;
use pointbook_time::timestamp_text::parse_timestamp;
use serde_json::{Value, json};

const CAMPAIGNS: u32 = 50;
/// A round is short, so that other programs leave most rounds alone.
const EVENTS_OF_ROUND: u32 = 1_000;
const ROUNDS: usize = 2_000;

/// A user without any earlier activity.
struct Empty;

impl Counters for Empty {
    fn ordinal(&self, _of: OrdinalOf) -> u64 {
        1
    }

    fn used(&self, _campaign: &CampaignId, _period: PeriodKey) -> Usage {
        Usage::default()
    }

    fn last_birthday(&self, _campaign: &CampaignId) -> Option<Day> {
        None
    }

    fn budget(&self, _campaign: &CampaignId) -> BudgetLeft {
        BudgetLeft::default()
    }

    fn is_control(&self, _campaign: &CampaignId, _percent: u8) -> bool {
        false
    }
}

fn main() {
    let rules = rules();
    let at = parse_timestamp("2026-11-25T12:00:00Z").unwrap();
    assert_eq!(rules.running_at(at), usize::try_from(CAMPAIGNS).unwrap());
    for (name, sku) in [("no award", "B0"), ("one award", "A0")] {
        let mut rounds: Vec<u128> = (0..ROUNDS)
            .map(|_| {
                let started = Instant::now();
                evaluate(&rules, at, sku);
                started.elapsed().as_nanos() / u128::from(EVENTS_OF_ROUND)
            })
            .collect();
        rounds.sort_unstable();
        let (fastest, median) = (rounds[0], rounds[ROUNDS / 2]);
        println!("{name}: {fastest} ns per activity, median {median} ns, {CAMPAIGNS} campaigns");
    }
}

/// Evaluates the activities of a round.
fn evaluate(rules: &RuleSet, at: Timestamp, sku: &str) {
    let kind = ActivityType::new("code").unwrap();
    let source_id = SourceId::new("SPRING-000001").unwrap();
    let pairs = [("channel", "app"), ("sku", sku), ("store", "tokyo")];
    let attributes = Attributes::new(pairs.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap();
    let user_id = UserId::new("aiko").unwrap();
    let local = Zone::UTC.local_time(at);
    let member =
        Member { id: &user_id, birth_date: None, birth_date_set_at: None, created_at: at, locale: None };
    for number in 0..EVENTS_OF_ROUND {
        let points = Points::new(i64::from(number % 100) + 1).unwrap();
        let event = Event { kind: &kind, source_id: &source_id, points, at, local, attributes: &attributes };
        black_box(rules.evaluate(black_box(&event), &member, Some(at), &Empty)).unwrap();
    }
}

fn rules() -> RuleSet {
    let own_locale = Locale::new("en").unwrap();
    let version = |number: u32| {
        let campaign = parse(&definition(number), &own_locale).unwrap();
        CampaignVersion {
            campaign: Arc::new(campaign),
            version: 1,
            state: VersionState::Active,
            from: Timestamp::MIN,
        }
    };
    let versions = (0..CAMPAIGNS).map(version).collect();
    RuleSet::new(versions, Options::new(own_locale.clone()))
}

/// Five kinds of campaigns. Only the first one of those with attributes can match.
fn definition(number: u32) -> Value {
    let conditions = match number % 5 {
        0 => json!({"attributes": {"sku": [format!("A{number}")], "store": ["tokyo", "osaka"]}}),
        1 => json!({"types": ["video", "quiz"]}),
        2 => json!({"types": ["code"], "windows": [{"from": "2026-12-01", "until": "2026-12-24"}]}),
        3 => json!({"weekdays": ["sat", "sun"], "hours": [{"from": "16:00", "until": "18:00"}]}),
        _ => json!({"birthday": {}}),
    };
    json!({
        "id": format!("campaign-{number:02}"),
        "title": {"en": "A campaign"},
        "conditions": conditions,
        "reward": {"percent": 100},
        "limits": {"per_user": [{"period": "day", "awards": 5}]},
    })
}
