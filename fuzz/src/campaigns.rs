//! Definitions of campaigns.

use std::sync::Arc;

use pointbook_campaigns::{
    BudgetLeft, Campaign, CampaignId, CampaignVersion, Counters, Event, MAX_FAULTS, Member, Options,
    OrdinalOf, PeriodKey, RuleSet, Usage, VersionState, parse, parse_stored, warnings,
};
use pointbook_domain::{
    ActivityType, Attributes, Day, LocalTime, Locale, Points, SourceId, TenantSettings, Timestamp, UserId,
};

/// The most characters of one fault.
const MAX_FAULT_CHARS: usize = 500;

/// A definition has few and short faults, or is a campaign. The campaign is the same in its canonical form, and decides about any
/// activity as it explains it.
pub(crate) fn read(definition: &[u8]) {
    let Ok(value) = serde_json::from_slice(definition) else { return };
    let locale = Locale::new("en").unwrap();
    match parse(&value, &locale) {
        Ok(campaign) => {
            let canonical = campaign.to_json();
            let again = parse(&serde_json::from_str(&canonical).unwrap(), &locale);
            assert_eq!(again.as_ref(), Ok(&campaign));
            assert_eq!(parse_stored(&canonical).as_ref(), Ok(&campaign));
            decide(campaign, locale);
        }
        Err(faults) => {
            assert!((1..=MAX_FAULTS).contains(&faults.len()));
            for fault in faults {
                assert!(fault.to_string().chars().count() <= MAX_FAULT_CHARS, "{fault}");
            }
        }
    }
}

fn decide(campaign: Campaign, locale: Locale) {
    let settings = TenantSettings::default();
    let at = |micros| Timestamp::from_micros(micros).unwrap();
    // 2026-11-25T12:00:00Z, a Wednesday.
    let now = at(1_795_608_000_000_000);
    for warning in warnings(&campaign, &[&campaign], now, &settings) {
        assert!(!warning.message.is_empty());
    }
    let (campaign, from) = (Arc::new(campaign), at(0));
    let version =
        |version| CampaignVersion { campaign: campaign.clone(), version, state: VersionState::Active, from };
    let rules = RuleSet::new(vec![version(1)], Options::of(&settings, locale));
    let attributes = [("store", "tokyo")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let attributes = Attributes::new(attributes).unwrap();
    for (kind, points, day, minute) in
        [("code", 100, now.day(), 17 * 60), ("video", i64::MAX >> 10, at(253_402_300_799_999_999).day(), 0)]
    {
        let event = Event {
            kind: &ActivityType::new(kind).unwrap(),
            source_id: &SourceId::new("SPRING-1").unwrap(),
            points: Points::new(points).unwrap(),
            at: day.start(),
            local: LocalTime { day, minute_of_day: minute },
            attributes: &attributes,
        };
        let member = Member {
            id: &UserId::new("aiko").unwrap(),
            birth_date: Some(day),
            birth_date_set_at: None,
            created_at: now,
            locale: None,
        };
        rules.needs(&event);
        for now in [None, Some(now)] {
            let awards = rules.evaluate(&event, &member, now, &Used);
            let verdicts = rules.explain(&event, &member, now, &Used);
            assert_eq!(verdicts.len(), 1);
            assert!(awards.is_err() || awards.is_ok_and(|awards| awards.len() <= 1));
        }
    }
}

/// A member with some awards.
struct Used;

impl Counters for Used {
    fn ordinal(&self, _: OrdinalOf) -> u64 {
        1
    }

    fn used(&self, _: &CampaignId, _: PeriodKey) -> Usage {
        Usage { awards: 1, points: 7 }
    }

    fn last_birthday(&self, _: &CampaignId) -> Option<Day> {
        Day::from_days(0)
    }

    fn budget(&self, _: &CampaignId) -> BudgetLeft {
        BudgetLeft { awards: Some(3), points: Some(5) }
    }

    fn is_control(&self, _: &CampaignId, percent: u8) -> bool {
        percent > 50
    }
}
