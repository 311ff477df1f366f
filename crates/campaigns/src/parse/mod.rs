//! Reads the definition of a campaign from JSON, and names every wrong field at once.

mod conditions;
mod fault;
mod field;
mod limits;
mod object;
mod reward;
mod rule;
mod shown;
pub mod sizes;
mod windows;

use pointbook_domain::{ActivityType, Locale};
use serde_json::Value;

pub use self::fault::{Fault, FaultCode, MAX_FAULTS};
pub use self::rule::FaultRule;

use self::conditions::read_conditions;
use self::fault::Faults;
use self::field::Field;
use self::limits::read_limits;
use self::object::Object;
use self::reward::read_reward;
use self::sizes::{MAX_CONTROL_PERCENT, MAX_PRIORITY, MAX_TITLE_CHARS, MAX_TITLES};
use crate::campaign::{Campaign, Group, GroupWins, RunTime, Titles};
use crate::names::{CampaignId, GroupName};

const MEMBERS: &[&str] = &[
    "id",
    "kind",
    "title",
    "starts_at",
    "ends_at",
    "conditions",
    "reward",
    "limits",
    "group",
    "priority",
    "control_percent",
];
const DEFAULT_KIND: &str = "campaign";

/// Reads a definition. The title must have the tenant's own locale.
///
/// # Errors
/// All wrong fields, in the documented order of the fields, at most [`MAX_FAULTS`].
pub fn parse(value: &Value, own_locale: &Locale) -> Result<Campaign, Vec<Fault>> {
    let faults = Faults::default();
    let campaign =
        read_campaign(&Field { path: String::new(), value: Some(value), faults: &faults }, own_locale);
    let faults = faults.into_vec();
    campaign.filter(|_| faults.is_empty()).ok_or(faults)
}

/// Reads a stored definition. Its title needs no certain locale, because the tenant may have another one now.
///
/// # Errors
/// The first wrong field, in words.
pub fn parse_stored(definition: &str) -> Result<Campaign, String> {
    let value: Value = serde_json::from_str(definition).map_err(|error| error.to_string())?;
    let titles = value.get("title").and_then(Value::as_object);
    let locale = titles.and_then(|titles| titles.keys().next()).ok_or("it has no title")?;
    let locale = Locale::new(locale).map_err(|error| error.to_string())?;
    parse(&value, &locale)
        .map_err(|faults| faults.first().map_or_else(|| "it has a fault".to_owned(), ToString::to_string))
}

/// `None` when a required field is absent or wrong. All fields are read in any case.
fn read_campaign(field: &Field<'_>, own_locale: &Locale) -> Option<Campaign> {
    let object = Object::read(field, MEMBERS)?;
    let id = object.required("id").form(CampaignId::new, |_, got| FaultRule::NotAName { got });
    let kind = read_kind(&object);
    let title = read_titles(&object.required("title"), own_locale);
    let run = read_run_time(&object);
    let conditions = read_conditions(&object.field("conditions"), run);
    let reward = read_reward(&object.required("reward"));
    let limits = read_limits(&object.field("limits"));
    let group = object.field("group");
    let group = group.value.and_then(|_| read_group(&group));
    let priority = object.field("priority").integer(-MAX_PRIORITY..=MAX_PRIORITY);
    let control_percent = object.field("control_percent").integer(0..=MAX_CONTROL_PERCENT);
    Some(Campaign {
        id: id?,
        kind: kind?,
        title,
        run,
        conditions,
        reward: reward?,
        limits,
        group,
        priority: priority.and_then(|number| i32::try_from(number).ok()).unwrap_or_default(),
        control_percent: control_percent.and_then(|number| u8::try_from(number).ok()).unwrap_or_default(),
    })
}

fn read_kind(object: &Object<'_>) -> Option<ActivityType> {
    let kind = object.field("kind");
    if kind.value.is_none() { ActivityType::new(DEFAULT_KIND).ok() } else { kind.activity_type() }
}

fn read_titles(field: &Field<'_>, own_locale: &Locale) -> Titles {
    let entries = field.entries(MAX_TITLES);
    let titles = entries.iter().filter_map(|(name, title)| {
        let locale = Locale::new(name);
        if locale.is_err() {
            title.refuse::<()>(FaultRule::LocaleName);
        }
        Some((locale.ok()?, title.line(MAX_TITLE_CHARS)?))
    });
    let mut titles: Vec<_> = titles.collect();
    titles.sort();
    // Too many titles are no entries, but the own one may be among them.
    let given = field.value.and_then(Value::as_object);
    if given.is_some_and(|titles| !titles.contains_key(own_locale.as_str())) {
        field.below(own_locale, None).refuse::<()>(FaultRule::OwnLocale);
    }
    Titles(titles)
}

fn read_run_time(object: &Object<'_>) -> RunTime {
    let (starts_at, ends) = (object.field("starts_at").timestamp(), object.field("ends_at"));
    let ends_at = ends.timestamp();
    if let (Some(starts_at), Some(ends_at)) = (starts_at, ends_at)
        && ends_at <= starts_at
    {
        ends.refuse::<()>(FaultRule::EndsBeforeStart);
        return RunTime::default();
    }
    RunTime { starts_at, ends_at }
}

fn read_group(field: &Field<'_>) -> Option<Group> {
    let object = Object::read(field, &["name", "wins"])?;
    let name = object.required("name").form(GroupName::new, |_, got| FaultRule::NotAName { got });
    let wins = object.field("wins").choice(GroupWins::ALL, GroupWins::as_str);
    Some(Group { name: name?, wins: wins.unwrap_or(GroupWins::First) })
}
