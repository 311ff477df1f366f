//! One activity of one user, and the campaigns of a tenant. Each decision is one of the engine and of the model.

use pointbook_campaigns::{Award, Campaign, RuleSet, Verdict, VerdictResult, parse};
use pointbook_domain::Timestamp;
use pointbook_domain::points::{MAX_POINTS, OutOfRange};
use pointbook_domain::zones::timestamp_text::parse_timestamp;
use serde_json::{Value, json};

use crate::counters::View;
use crate::naive::calendar::{MICROS_PER_DAY, MICROS_PER_MINUTE, date_of, parse_day, parse_instant};
use crate::naive::data::{ALWAYS, Event, Feb29, Member, Options, Step, Version};
use crate::naive::{Model, data};
use crate::parts::{Parts, locale, of_awards, of_verdicts, rules, timestamp};

/// The Wednesday on which most activities happen, at noon.
pub(crate) const AT: &str = "2026-11-25T12:00:00Z";

/// What the engine and the model decided.
pub(crate) struct Decision {
    /// An error when their sum is beyond the bounds of points.
    pub(crate) awards: Result<Vec<Award>, OutOfRange>,
    pub(crate) verdicts: Vec<Verdict>,
    expected: data::Outcome,
}

/// Panics unless the awards and the verdicts are those of the model, and the needs name all counters.
pub(crate) fn decide(rules: &RuleSet, model: &Model, step: &Step) -> Decision {
    let (parts, view) = (Parts::new(step), View::new(model, rules, step));
    let (event, member, now) = (parts.event(), parts.member(), step.now.map(timestamp));
    let awards = rules.evaluate(&event, &member, now, &view);
    let verdicts = rules.explain(&event, &member, now, &view);
    view.assert_asked_within(&rules.needs(&event));
    let expected = model.decide(step);
    assert_eq!(of_verdicts(&verdicts), expected.verdicts, "{step:?}");
    let is_refused = |verdict: &Verdict| matches!(verdict.result, VerdictResult::Not(_));
    assert!(verdicts.iter().all(|verdict| is_refused(verdict) || verdict.compared.is_none()));
    let total: i128 = expected.awards.iter().map(|award| i128::from(award.points)).sum();
    assert_eq!(awards.is_ok(), total <= i128::from(MAX_POINTS), "{step:?}");
    if let Ok(awards) = &awards {
        assert_eq!(of_awards(awards, step), expected.awards, "{step:?}");
    }
    Decision { awards, verdicts, expected }
}

/// Records a step, unless the sum of its awards is beyond the bounds of points.
pub(crate) fn record(model: &mut Model, step: &Step, decision: Decision) {
    if decision.awards.is_ok() {
        model.record(step, decision.expected.awards);
    }
}

/// What a decision needs. A test changes only the fields that it is about.
pub(crate) struct Scene {
    pub(crate) step: Step,
    pub(crate) model: Model,
    /// How far the tenant's zone is ahead of UTC.
    minutes_ahead: i64,
}

impl Scene {
    /// An activity of 100 points, and active campaigns that give 100 percent.
    pub(crate) fn new(campaigns: impl IntoIterator<Item = Value>) -> Self {
        let at = parse_instant(AT);
        let event = Event {
            kind: "code".to_owned(),
            source_id: "SPRING-1".to_owned(),
            points: 100,
            at,
            day: 0,
            minute: 0,
            attributes: [].into(),
        };
        let created_at = parse_instant("2026-01-01T00:00:00Z");
        let id = "aiko".to_owned();
        let member = Member { id, birth_date: None, set_at: None, created_at, locale: None };
        let options = Options {
            feb29: Feb29::Feb28,
            birth_date_days: 30,
            ceiling_factor: 10,
            max_age_days: 7,
            own_locale: "en".to_owned(),
            control: [].into(),
        };
        let model = Model::new(Vec::new(), options);
        let step = Step { event, member, now: Some(at) };
        let mut scene = Self { step, model, minutes_ahead: 0 };
        campaigns.into_iter().for_each(|fields| scene.add(fields));
        scene.set("");
        scene
    }

    /// With one campaign that has these conditions.
    pub(crate) fn with_conditions(conditions: &Value) -> Self {
        Self::new([json!({ "conditions": conditions })])
    }

    pub(crate) fn add(&mut self, fields: Value) {
        self.model.versions.push(version(1, "active", "", fields));
    }

    /// Changes what the parts name, such as `points 9; at 2026-11-25T12:00:00Z`.
    pub(crate) fn set(&mut self, parts: &str) -> &mut Self {
        let Step { event, member, now } = &mut self.step;
        for part in parts.split("; ").filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once(' ').unwrap();
            let micros = || parse_instant(value);
            match name {
                "ahead" => self.minutes_ahead = value.parse().unwrap(),
                "at" => (event.at, *now) = (micros(), Some(micros())),
                "attributes" => {
                    let pairs = value.split(',').filter_map(|pair| pair.split_once('='));
                    event.attributes =
                        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                }
                "born" => member.birth_date = Some(date_of(parse_day(value))),
                "created" => member.created_at = micros(),
                "happened" => event.at = micros(),
                "locale" => member.locale = Some(value.to_owned()),
                "points" => event.points = value.parse().unwrap(),
                "set" => member.set_at = Some(micros()),
                "source" => value.clone_into(&mut event.source_id),
                "type" => value.clone_into(&mut event.kind),
                "user" => value.clone_into(&mut member.id),
                _ => panic!("{part}"),
            }
        }
        let local = event.at + self.minutes_ahead * MICROS_PER_MINUTE;
        event.day = local.div_euclid(MICROS_PER_DAY);
        event.minute = local.rem_euclid(MICROS_PER_DAY) / MICROS_PER_MINUTE;
        self
    }

    pub(crate) fn rules(&self) -> RuleSet {
        rules(&self.model)
    }

    pub(crate) fn decide(&self) -> Decision {
        decide(&self.rules(), &self.model, &self.step)
    }

    /// The awards of the activity, such as `spring 100`, in the order of the breakdown.
    pub(crate) fn awards(&self) -> Vec<String> {
        let awards = self.decide().awards.unwrap();
        awards.iter().map(|award| format!("{} {}", award.campaign, award.points)).collect()
    }

    /// Each campaign and its result, such as `spring: applied 100`.
    pub(crate) fn results(&self) -> Vec<String> {
        let verdicts = of_verdicts(&self.decide().verdicts);
        verdicts.into_iter().map(|(id, (_, result))| format!("{id}: {result}")).collect()
    }

    /// The result of the only campaign.
    pub(crate) fn result(&self) -> String {
        let results = self.results();
        let [result] = &results[..] else { panic!("{results:?}") };
        result.split_once(": ").unwrap().1.to_owned()
    }

    pub(crate) fn record(&mut self) {
        let decision = self.decide();
        record(&mut self.model, &self.step, decision);
    }

    /// The results of one activity after the other, each with these parts changed.
    pub(crate) fn sequence<'p>(&mut self, activities: impl IntoIterator<Item = &'p str>) -> Vec<String> {
        let results = activities.into_iter().map(|parts| {
            let result = self.set(parts).result();
            self.record();
            result
        });
        results.collect()
    }
}

/// Panics unless the only campaign has the result for each change of the scene.
pub(crate) fn assert_results(conditions: &Value, cases: &[(&str, &str)]) {
    for (parts, expected) in cases {
        let result = Scene::with_conditions(conditions).set(parts).result();
        assert_eq!(result, *expected, "{conditions} {parts}");
    }
}

/// A version of a campaign that takes over at a time, or has always been in force.
pub(crate) fn version(number: u32, state: &'static str, from: &str, fields: Value) -> Version {
    let from = if from.is_empty() { ALWAYS } else { parse_instant(from) };
    Version { definition: definition(fields), number, state, from }
}

/// A definition that is valid, with these fields instead of the usual ones.
pub(crate) fn definition(fields: Value) -> Value {
    let mut definition = json!({"id": "spring", "title": {"en": "Spring"}, "reward": {"percent": 100}});
    let Value::Object(fields) = fields else { panic!("{fields} is no object") };
    definition.as_object_mut().unwrap().extend(fields);
    definition
}

pub(crate) fn campaign(fields: Value) -> Campaign {
    parse(&definition(fields), &locale("en")).unwrap()
}

pub(crate) fn time(text: &str) -> Timestamp {
    parse_timestamp(text).unwrap()
}
