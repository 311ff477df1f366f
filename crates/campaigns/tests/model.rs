//! The engine against a naive model that keeps a list of all that happened.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod naive;

#[path = "it/memory.rs"]
mod memory;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pointbook_campaigns::{
    Award, CampaignVersion, Event, Member, Options, RuleSet, Verdict, VerdictResult, VersionState, parse,
};
use pointbook_domain::{
    ActivityType, Attributes, CivilDate, Day, Feb29, LocalTime, Locale, Points, SourceId, Timestamp, UserId,
};
use proptest::prelude::*;
use serde_json::Value;

use self::memory::Memory;
use self::naive::generators::{Scenario, Step, scenario};
use self::naive::{Model, Outcome};

/// The engine, and its counters so far.
struct Engine {
    rules: RuleSet,
    memory: Memory,
}

impl Engine {
    fn new(campaigns: &[Value], options: &naive::Options, users: &BTreeSet<String>) -> Self {
        let own_locale = Locale::new(&options.own_locale).unwrap();
        let mut memory = Memory::default();
        let versions = campaigns.iter().map(|definition| {
            let campaign = parse(definition, &own_locale).unwrap();
            memory.fund(&campaign);
            let percent = campaign.control_percent().into();
            let is_control = |user: &&String| (options.is_control)(campaign.id().as_str(), user, percent);
            let control = users.iter().filter(is_control).map(|user| UserId::new(user.as_str()).unwrap());
            memory.control.extend(control.map(|user| (campaign.id().clone(), user)));
            let (state, from) = (VersionState::Active, Timestamp::MIN);
            CampaignVersion { campaign: Arc::new(campaign), version: 1, state, from }
        });
        let versions = versions.collect();
        Self { rules: RuleSet::new(versions, engine_options(options, own_locale)), memory }
    }

    fn record(&mut self, step: &Step) -> Outcome {
        let parts = Parts::new(step);
        let (event, member, now) = (parts.event(), parts.member(), step.now.map(timestamp));
        let counters = self.memory.view(&parts.user_id, &parts.kind);
        let awards = self.rules.evaluate(&event, &member, now, &counters).unwrap();
        let verdicts = self.rules.explain(&event, &member, now, &counters);
        counters.assert_asked_within(&self.rules.needs(&event));
        self.memory.record(&parts.user_id, (&parts.kind, parts.points), parts.local, &awards);
        outcome(&awards, &verdicts)
    }
}

fn engine_options(options: &naive::Options, own_locale: Locale) -> Options {
    let naive::Options { feb29, birth_date_days, ceiling_factor, max_age_days, .. } = *options;
    let feb29 = match feb29 {
        naive::Feb29::Feb28 => Feb29::Feb28,
        naive::Feb29::March1 => Feb29::March1,
    };
    Options { feb29, birth_date_days, ceiling_factor, max_age_days, own_locale }
}

/// An event and its user as the engine takes them.
struct Parts {
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
    fn new(Step { event, member, now: _ }: &Step) -> Self {
        let minute_of_day = u16::try_from(event.minute).unwrap();
        let local_day = Day::from_days(i32::try_from(event.day).unwrap()).unwrap();
        Self {
            kind: ActivityType::new(&event.kind).unwrap(),
            source_id: SourceId::new(event.source_id.as_str()).unwrap(),
            points: Points::new(event.points).unwrap(),
            at: timestamp(event.at),
            local: LocalTime { day: local_day, minute_of_day },
            attributes: Attributes::new(event.attributes.clone()).unwrap(),
            user_id: UserId::new(member.id.as_str()).unwrap(),
            birth_date: member.birth_date.map(day),
            birth_date_set_at: member.set_at.map(timestamp),
            created_at: timestamp(member.created_at),
            locale: member.locale.as_deref().map(|locale| Locale::new(locale).unwrap()),
        }
    }

    fn event(&self) -> Event<'_> {
        Event {
            kind: &self.kind,
            source_id: &self.source_id,
            points: self.points,
            at: self.at,
            local: self.local,
            attributes: &self.attributes,
        }
    }

    fn member(&self) -> Member<'_> {
        Member {
            id: &self.user_id,
            birth_date: self.birth_date,
            birth_date_set_at: self.birth_date_set_at,
            created_at: self.created_at,
            locale: self.locale.as_ref(),
        }
    }
}

fn timestamp(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap()
}

fn day((year, month, day): naive::calendar::Date) -> Day {
    let part = |number: i64| u32::try_from(number).unwrap();
    CivilDate { year: part(year), month: part(month), day: part(day) }.to_day().unwrap()
}

/// What the engine found, in the words of the model.
fn outcome(awards: &[Award], verdicts: &[Verdict]) -> Outcome {
    let bonuses = awards.iter().map(Award::to_bonus);
    let word = |verdict: &Verdict| match &verdict.result {
        VerdictResult::Applied { .. } => "applied".to_owned(),
        VerdictResult::Clipped { .. } => "clipped".to_owned(),
        VerdictResult::Not(reason) => reason.to_string(),
    };
    let verdicts = verdicts.iter().map(|verdict| (verdict.campaign.to_string(), word(verdict)));
    Outcome {
        awards: awards.iter().map(|award| (award.campaign.to_string(), award.points.get())).collect(),
        breakdown: bonuses.map(|bonus| (bonus.kind, bonus.points.get(), bonus.title)).collect(),
        verdicts: verdicts.collect::<BTreeMap<_, _>>(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_engine_decides_as_the_model_does(Scenario { campaigns, options, steps } in scenario()) {
        let users = steps.iter().map(|step| step.member.id.clone()).collect();
        let mut engine = Engine::new(&campaigns, &options, &users);
        let mut model = Model::new(campaigns, options);
        for step in &steps {
            let expected = model.record_at(&step.event, &step.member, step.now);
            prop_assert_eq!(engine.record(step), expected);
        }
    }
}
