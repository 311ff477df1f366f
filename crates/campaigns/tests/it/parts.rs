//! The data of the model as the engine takes it, and the decisions of the engine as the model has them.

use std::collections::BTreeMap;
use std::sync::Arc;

use pointbook_campaigns::{
    Award, CampaignVersion, Event, Member, Options, RuleSet, Verdict, VerdictResult, VersionState, parse,
};
use pointbook_domain::{
    ActivityType, Attributes, CivilDate, Day, Feb29, LocalTime, Locale, Points, SourceId, Timestamp, UserId,
};

use crate::naive::calendar::Date;
use crate::naive::{Model, data};

/// An activity and its user.
#[derive(Debug)]
pub(crate) struct Parts {
    kind: ActivityType,
    source_id: SourceId,
    points: Points,
    at: Timestamp,
    local: LocalTime,
    attributes: Attributes,
    user_id: UserId,
    birth_date: Option<Day>,
    birth_date_set_at: Option<Timestamp>,
    created_at: Timestamp,
    locale: Option<Locale>,
}

impl Parts {
    pub(crate) fn new(data::Step { event, member, now: _ }: &data::Step) -> Self {
        let minute_of_day = u16::try_from(event.minute).unwrap();
        let day = Day::from_days(i32::try_from(event.day).unwrap()).unwrap();
        Self {
            kind: ActivityType::new(&event.kind).unwrap(),
            source_id: SourceId::new(event.source_id.as_str()).unwrap(),
            points: Points::new(event.points).unwrap(),
            at: timestamp(event.at),
            local: LocalTime { day, minute_of_day },
            attributes: Attributes::new(event.attributes.clone()).unwrap(),
            user_id: UserId::new(member.id.as_str()).unwrap(),
            birth_date: member.birth_date.map(of_date),
            birth_date_set_at: member.set_at.map(timestamp),
            created_at: timestamp(member.created_at),
            locale: member.locale.as_deref().map(locale),
        }
    }

    pub(crate) fn event(&self) -> Event<'_> {
        let Self { kind, source_id, points, at, local, attributes, .. } = self;
        Event { kind, source_id, points: *points, at: *at, local: *local, attributes }
    }

    pub(crate) fn member(&self) -> Member<'_> {
        let Self { user_id, birth_date, birth_date_set_at, created_at, locale, .. } = self;
        Member {
            id: user_id,
            birth_date: *birth_date,
            birth_date_set_at: *birth_date_set_at,
            created_at: *created_at,
            locale: locale.as_ref(),
        }
    }
}

/// The campaigns of a model for the engine.
pub(crate) fn rules(Model { versions, options, .. }: &Model) -> RuleSet {
    let data::Options { birth_date_days, ceiling_factor, max_age_days, .. } = *options;
    let feb29 = match options.feb29 {
        data::Feb29::Feb28 => Feb29::Feb28,
        data::Feb29::March1 => Feb29::March1,
    };
    let own_locale = locale(&options.own_locale);
    let version = |version: &data::Version| CampaignVersion {
        campaign: Arc::new(parse(&version.definition, &own_locale).unwrap()),
        version: version.number,
        state: VersionState::parse(version.state).unwrap(),
        from: timestamp(version.from),
    };
    let versions = versions.iter().map(version).collect();
    RuleSet::new(versions, Options { feb29, birth_date_days, ceiling_factor, max_age_days, own_locale })
}

pub(crate) fn locale(tag: &str) -> Locale {
    Locale::new(tag).unwrap()
}

pub(crate) fn timestamp(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap()
}

fn of_date((year, month, day): Date) -> Day {
    let part = |number: i64| u32::try_from(number).unwrap();
    CivilDate { year: part(year), month: part(month), day: part(day) }.to_day().unwrap()
}

/// The awards for an event.
pub(crate) fn of_awards(awards: &[Award], step: &data::Step) -> Vec<data::Award> {
    let award = |award: &Award| data::Award {
        campaign: award.campaign.to_string(),
        version: award.version,
        user: step.member.id.clone(),
        day: step.event.day,
        kind: award.kind.to_string(),
        title: award.title.clone(),
        points: award.points.get(),
        is_clipped: award.clipped,
        birthday: award.birthday.map(|day| day.as_days().into()),
    };
    awards.iter().map(award).collect()
}

/// The verdicts by campaign. Panics unless they are sorted.
pub(crate) fn of_verdicts(verdicts: &[Verdict]) -> BTreeMap<String, (u32, String)> {
    assert!(verdicts.is_sorted_by(|one, other| one.campaign < other.campaign));
    let verdict =
        |verdict: &Verdict| (verdict.campaign.to_string(), (verdict.version, shown(&verdict.result)));
    verdicts.iter().map(verdict).collect()
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
