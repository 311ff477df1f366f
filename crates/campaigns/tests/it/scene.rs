//! One activity of one user, and the campaigns of a tenant.

use std::sync::Arc;

use pointbook_campaigns::{
    Award, Campaign, CampaignVersion, Compared, Event, Fault, Member, Options, RuleSet, Verdict,
    VerdictResult, VersionState, parse,
};
use pointbook_domain::points::OutOfRange;
use pointbook_domain::{
    ActivityType, Attributes, Day, LocalTime, Locale, Points, SourceId, TimeZoneName, Timestamp, UserId,
};
use pointbook_time::time_zone::Zone;
use pointbook_time::timestamp_text::{parse_day, parse_timestamp};
use serde_json::{Value, json};

use crate::memory::Memory;

/// The Wednesday on which most activities happen, at noon.
pub(crate) const AT: &str = "2026-11-25T12:00:00Z";

/// What an evaluation needs. A test changes only the fields that it is about.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) kind: ActivityType,
    pub(crate) source_id: SourceId,
    pub(crate) points: Points,
    pub(crate) at: Timestamp,
    pub(crate) zone: Zone,
    pub(crate) attributes: Attributes,
    pub(crate) user_id: UserId,
    pub(crate) birth_date: Option<Day>,
    pub(crate) birth_date_set_at: Option<Timestamp>,
    pub(crate) created_at: Timestamp,
    pub(crate) locale: Option<Locale>,
    pub(crate) now: Option<Timestamp>,
    pub(crate) versions: Vec<CampaignVersion>,
    pub(crate) options: Options,
    pub(crate) memory: Memory,
}

impl Scene {
    /// An activity of 100 points and no campaign.
    pub(crate) fn new() -> Self {
        Self {
            kind: kind("code"),
            source_id: SourceId::new("SPRING-1").unwrap(),
            points: points(100),
            at: time(AT),
            zone: Zone::UTC,
            attributes: Attributes::NONE,
            user_id: UserId::new("aiko").unwrap(),
            birth_date: None,
            birth_date_set_at: None,
            created_at: time("2026-01-01T00:00:00Z"),
            locale: None,
            now: Some(time(AT)),
            versions: Vec::new(),
            options: Options::new(english()),
            memory: Memory::default(),
        }
    }

    /// With one campaign of 100 percent that has these conditions.
    pub(crate) fn with_conditions(conditions: &Value) -> Self {
        let mut scene = Self::new();
        scene.add(json!({ "conditions": conditions }));
        scene
    }

    /// Adds an active campaign.
    pub(crate) fn add(&mut self, fields: Value) {
        let campaign = Arc::new(campaign(fields));
        self.memory.fund(&campaign);
        self.versions.push(CampaignVersion {
            campaign,
            version: 1,
            state: VersionState::Active,
            from: Timestamp::MIN,
        });
    }

    pub(crate) fn at(&mut self, at: &str) {
        self.at = time(at);
        self.now = Some(self.at);
    }

    pub(crate) fn zone(&mut self, name: &str) {
        self.zone = Zone::find(&TimeZoneName::new(name).unwrap()).unwrap();
    }

    pub(crate) fn rules(&self) -> RuleSet {
        RuleSet::new(self.versions.clone(), self.options.clone())
    }

    pub(crate) fn local(&self) -> LocalTime {
        self.zone.local_time(self.at)
    }

    pub(crate) fn event(&self) -> Event<'_> {
        Event {
            kind: &self.kind,
            source_id: &self.source_id,
            points: self.points,
            at: self.at,
            local: self.local(),
            attributes: &self.attributes,
        }
    }

    pub(crate) fn member(&self) -> Member<'_> {
        Member {
            id: &self.user_id,
            birth_date: self.birth_date,
            birth_date_set_at: self.birth_date_set_at,
            created_at: self.created_at,
            locale: self.locale.as_ref(),
        }
    }

    pub(crate) fn evaluate(&self) -> Result<Vec<Award>, OutOfRange> {
        let counters = self.memory.view(&self.user_id, &self.kind);
        self.rules().evaluate(&self.event(), &self.member(), self.now, &counters)
    }

    /// The verdicts, after they were compared with the awards and with the needs.
    pub(crate) fn explain(&self) -> Vec<Verdict> {
        let (rules, event) = (self.rules(), self.event());
        let counters = self.memory.view(&self.user_id, &self.kind);
        let verdicts = rules.explain(&event, &self.member(), self.now, &counters);
        counters.assert_asked_within(&rules.needs(&event));
        if let Ok(awards) = self.evaluate() {
            assert_agree(&verdicts, &awards);
        }
        verdicts
    }

    /// Each campaign and its result, such as `spring: applied 100`.
    pub(crate) fn results(&self) -> Vec<String> {
        let verdicts = self.explain();
        verdicts.iter().map(|verdict| format!("{}: {}", verdict.campaign, shown(&verdict.result))).collect()
    }

    /// The result of the only campaign.
    pub(crate) fn result(&self) -> String {
        let verdicts = self.explain();
        assert_eq!(verdicts.len(), 1);
        shown(&verdicts[0].result)
    }

    /// What the failed check of the only campaign compared.
    pub(crate) fn compared(&self) -> Option<Compared> {
        self.explain().pop().and_then(|verdict| verdict.compared)
    }

    /// Records the activity, and returns its awards, such as `spring 100`, in the order of the breakdown.
    pub(crate) fn record(&mut self) -> Vec<String> {
        let awards = self.evaluate().unwrap();
        self.memory.record(&self.user_id, (&self.kind, self.points), self.zone.local_time(self.at), &awards);
        awards.iter().map(|award| format!("{} {}", award.campaign, award.points)).collect()
    }
}

/// Panics unless the verdicts say exactly what the awards say.
pub(crate) fn assert_agree(verdicts: &[Verdict], awards: &[Award]) {
    assert!(verdicts.is_sorted_by(|one, other| one.campaign < other.campaign));
    let mut of_verdicts: Vec<_> = verdicts.iter().filter_map(points_of).collect();
    let mut of_awards: Vec<_> = awards.iter().map(points_of_award).collect();
    of_verdicts.sort();
    of_awards.sort();
    assert_eq!(of_verdicts, of_awards);
}

type AwardPoints = (String, u32, i64, bool);

fn points_of(verdict: &Verdict) -> Option<AwardPoints> {
    let (points, clipped) = match verdict.result {
        VerdictResult::Applied { points } => (points, false),
        VerdictResult::Clipped { points, would_be, .. } => {
            assert!(0 < points && points < would_be);
            (points, true)
        }
        VerdictResult::Not(_) => return None,
    };
    assert_eq!(verdict.compared, None);
    Some((verdict.campaign.to_string(), verdict.version, points, clipped))
}

fn points_of_award(award: &Award) -> AwardPoints {
    (award.campaign.to_string(), award.version, award.points.get(), award.clipped)
}

pub(crate) fn shown(result: &VerdictResult) -> String {
    match result {
        VerdictResult::Applied { points } => format!("applied {points}"),
        VerdictResult::Clipped { points, by, would_be } => {
            format!("clipped to {points} of {would_be} by {}", by.as_str())
        }
        VerdictResult::Not(reason) => reason.to_string(),
    }
}

/// A definition that is valid, with these fields instead of the usual ones.
pub(crate) fn definition(fields: Value) -> Value {
    let mut definition = json!({"id": "spring", "title": {"en": "Spring"}, "reward": {"percent": 100}});
    let Value::Object(fields) = fields else { panic!("{fields} is no object") };
    definition.as_object_mut().unwrap().extend(fields);
    definition
}

pub(crate) fn campaign(fields: Value) -> Campaign {
    let read = parse(&definition(fields), &english());
    read.unwrap_or_else(|faults: Vec<Fault>| panic!("{faults:?}"))
}

pub(crate) fn english() -> Locale {
    Locale::new("en").unwrap()
}

pub(crate) fn kind(name: &str) -> ActivityType {
    ActivityType::new(name).unwrap()
}

pub(crate) fn points(number: i64) -> Points {
    Points::new(number).unwrap()
}

pub(crate) fn time(text: &str) -> Timestamp {
    parse_timestamp(text).unwrap()
}

pub(crate) fn day(text: &str) -> Day {
    parse_day(text).unwrap()
}

pub(crate) fn attributes(pairs: &[(&str, &str)]) -> Attributes {
    Attributes::new(pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()))).unwrap()
}
