//! The schema of a definition of a campaign.

use pointbook_campaigns::{Period, Weekday, sizes};
use pointbook_domain::attributes::MAX_ATTRIBUTE_NAME_CHARS;
use pointbook_domain::points::MAX_POINTS;
use pointbook_http::describe::{Field, Schema, optional, required};

const HOUR: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]$";
const HOUR_OR_END: &str = "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$";

pub(super) fn definition_schema() -> Schema {
    let takes_over_at = "When the version takes over: not in the past. Default: a second after the request, which is the earliest. A \
                         response has it in `valid_from`.";
    let priority = Schema::integer(-sizes::MAX_PRIORITY..=sizes::MAX_PRIORITY);
    let control = Schema::integer(0..=sizes::MAX_CONTROL_PERCENT);
    let definition = Schema::closed([
        optional("id", name().or_null().describe("The id of the campaign, as the path has it.")),
        optional("kind", kind().or_null().describe("The `type` of the bonus. Default: `campaign`.")),
        required("title", titles()),
        optional("starts_at", time("The first instant of the campaign.")),
        optional("ends_at", time("The first instant after the campaign.")),
        optional("conditions", conditions()),
        required("reward", reward()),
        optional("limits", limits()),
        optional("group", group()),
        optional("priority", priority.or_null().describe("Greater comes first. Default: 0.")),
        optional("control_percent", control.or_null().describe("How many percent of the users get nothing.")),
        optional("takes_over_at", time(takes_over_at)),
    ]);
    definition.describe(
        "The definition of a campaign. The reference of campaigns in the manual explains each member.",
    )
}

/// The id of a campaign, or the name of a group.
fn name() -> Schema {
    Schema::matching("^[a-z0-9_-]{1,64}$")
}

/// The type of a bonus or of an activity.
fn kind() -> Schema {
    Schema::matching("^[a-z0-9_-]{1,32}$")
}

fn time(text: &str) -> Schema {
    Schema::any_date_time().or_null().describe(text)
}

fn number() -> Schema {
    Schema::integer(1..=MAX_POINTS).or_null()
}

fn titles() -> Schema {
    let titles = Schema::map(Schema::text(), Schema::title_to(sizes::MAX_TITLE_CHARS));
    let text = format!(
        "The title of the bonus by language tag, at most {}. The language of the tenant is required.",
        sizes::MAX_TITLES
    );
    titles.describe(&text)
}

fn conditions() -> Schema {
    let types = list(kind(), sizes::MAX_TYPES);
    let windows = list(window(Schema::date(), Schema::date()), sizes::MAX_WINDOWS);
    let prefix = Schema::title_to(sizes::MAX_SOURCE_PREFIX_CHARS);
    let weekdays = list(words(Weekday::ALL, Weekday::as_str), Weekday::ALL.len());
    let hours = window(Schema::matching(HOUR), Schema::matching(HOUR_OR_END));
    Schema::closed([
        optional("types", types.describe("One of these types. Default: every type except `order`.")),
        optional("windows", windows.describe("Local days from `from` on and before `until`.")),
        optional("source_prefixes", list(prefix, sizes::MAX_SOURCE_PREFIXES)),
        optional("attributes", attributes()),
        optional("weekdays", weekdays),
        optional("hours", list(hours, sizes::MAX_HOUR_WINDOWS).describe("Local times.")),
        optional("min_points", number().describe("The least base points.")),
        optional("ordinal", ordinal()),
        optional("member_since", time("pointbook created the user at this instant or later.")),
        optional("member_before", time("pointbook created the user before this instant.")),
        optional("members", list(Schema::id(), sizes::MAX_MEMBERS).describe("One of these users.")),
        optional("birthday", birthday()),
    ])
    .or_null()
    .describe("All of them must hold.")
}

fn list(item: Schema, most: usize) -> Schema {
    Schema::list(item).at_least(1).at_most(most).or_null()
}

fn words<T: Copy>(all: &[T], as_str: fn(T) -> &'static str) -> Schema {
    Schema::one_of(all.iter().map(|word| as_str(*word)))
}

/// One of these words. Null is the first one, as if the member was absent, and no enumeration has null.
fn choice(words: &[&str]) -> Schema {
    let text = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    let choice = Schema::matching(&format!("^({})$", words.join("|"))).or_null();
    choice.describe(&format!("One of {text}. The first one is the default."))
}

fn window(from: Schema, until: Schema) -> Schema {
    Schema::closed([required("from", from), required("until", until)])
}

fn attributes() -> Schema {
    let name = Schema::matching(&format!("^[a-z0-9_-]{{1,{MAX_ATTRIBUTE_NAME_CHARS}}}$"));
    let values = Schema::list(Schema::text()).at_least(1).at_most(sizes::MAX_ATTRIBUTE_VALUES);
    let attributes = Schema::map(name, values).or_null();
    attributes.describe("For each name, one of the values. At most 16 names.")
}

fn ordinal() -> Schema {
    let every = Schema::integer(1..=sizes::MAX_ORDINAL).or_null().describe("Each n-th one.");
    Schema::closed([
        optional("first", Schema::boolean().or_null().describe("`true`: the first one.")),
        optional("every", every),
        optional("of", choice(&["type", "all"])),
    ])
    .or_null()
    .describe("Which of the activities of the user: either `first` or `every`.")
}

fn birthday() -> Schema {
    Schema::closed([
        optional("window", choice(&["day", "week", "month"])),
        optional("pays", choice(&["first", "each"])),
    ])
    .or_null()
    .describe("The local day is in this window around the birthday of the user.")
}

fn reward() -> Schema {
    let percent = Schema::integer(1..=sizes::MAX_PERCENT.into()).or_null();
    Schema::closed([
        optional("percent", percent.describe("Percent of the base points, rounded down.")),
        optional("points", number()),
        optional("at_most", number().describe("The most points of one award.")),
    ])
    .describe("Either `percent` or `points`.")
}

fn limits() -> Schema {
    let period = required("period", words(Period::ALL, Period::as_str));
    let per_user = Schema::list(Schema::closed([period].into_iter().chain(awards_and_points())));
    Schema::closed([
        optional("per_user", per_user.at_most(Period::ALL.len()).or_null()),
        optional("budget", Schema::closed(awards_and_points()).or_null().describe("For all users together.")),
        optional("on_points_limit", choice(&["clip", "skip"])),
    ])
    .or_null()
}

fn awards_and_points() -> [Field; 2] {
    [optional("awards", number()), optional("points", number())]
}

fn group() -> Schema {
    let group = Schema::closed([required("name", name()), optional("wins", choice(&["first", "highest"]))]);
    group.or_null().describe("Of the campaigns of a group, one gives its bonus.")
}
