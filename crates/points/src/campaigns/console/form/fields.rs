//! All lines of the form.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_campaigns::Fault;
use pointbook_http::pages::Words;

use super::super::sentences::activity;
use super::lines::{Lines, fault_text, is_below};
use super::typed::{PERIODS, Typed, WEEKDAYS};

/// Empty rows that the form offers for hours, days and attributes.
const SPARE_ROWS: usize = 2;

/// The members of a definition that have a line. Faults of others stand above the form.
const MEMBERS: [&str; 11] = [
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

/// The form. `is_new` asks for an id.
pub(in super::super) fn fields(visit: &Visit<'_>, typed: &Typed, faults: &[Fault], is_new: bool) -> Markup {
    let lines = Lines { words: visit.words, typed, faults };
    let words = visit.words;
    let others: Vec<&Fault> = faults
        .iter()
        .filter(|fault| {
            fault.field != TAKES_OVER_AT && !MEMBERS.iter().any(|member| is_below(&fault.field, member))
        })
        .collect();
    html! {
        @for fault in others { (fault_text(words, fault)) }
        p .quiet { (words.say("form-empty-means")) }
        fieldset .part { legend { (words.say("form-what")) } (what(&lines, is_new)) }
        fieldset .part { legend { (words.say("form-when")) } (when(&lines)) }
        fieldset .part { legend { (words.say("form-whom")) } (whom(visit, &lines)) }
        fieldset .part { legend { (words.say("form-limits")) } (limits(&lines)) }
        fieldset .part { legend { (words.say("form-others")) } (others_part(&lines)) }
    }
}

fn what(lines: &Lines<'_>, is_new: bool) -> Markup {
    let units = [("percent", "form-unit-percent"), ("points", "form-unit-points")];
    html! {
        @if is_new { (lines.line("form-id", &[("id", lines.input("id", "text", "campaign-id", "id"))], &["id"])) }
        (lines.line("form-title", &[("title", lines.input("title", "text", "campaign-title", "title"))], &["title"]))
        (lines.line("form-reward", &[
            ("number", lines.input("number", "number", "label-number", "reward")),
            ("unit", lines.select("unit", &units)),
            ("most", lines.input("at_most", "number", "label-most", "reward.at_most")),
        ], &["reward"]))
        (lines.line("form-kind", &[("kind", lines.input("kind", "text", "label-name", "kind"))], &["kind"]))
        (lines.line("form-titles", &[("titles", lines.area(("titles", 0), "campaign-title", "title"))], &[]))
    }
}

fn when(lines: &Lines<'_>) -> Markup {
    let days: Vec<(String, String)> = WEEKDAYS
        .iter()
        .map(|day| ((*day).to_owned(), lines.words.say(&format!("campaign-on-{day}")).into_owned()))
        .collect();
    html! {
        (lines.line("form-run", &[
            ("starts", lines.input("starts_at", "datetime-local", "label-from", "starts_at")),
            ("ends", lines.input("ends_at", "datetime-local", "label-until", "ends_at")),
        ], &["starts_at", "ends_at"]))
        (lines.checks("form-weekdays", "weekdays", &days, "conditions.weekdays"))
        (rows(lines, "form-hours", ["hours_from", "hours_until"], "hour", "conditions.hours"))
        (rows(lines, "form-windows", ["windows_from", "windows_until"], "date", "conditions.windows"))
    }
}

/// The typed rows of a table of times, and some empty ones.
fn rows(lines: &Lines<'_>, id: &str, [from, until]: [&'static str; 2], kind: &str, member: &str) -> Markup {
    let count = lines.typed.rows([from, until]).len() + SPARE_ROWS;
    let row = |row: usize| {
        let of_row = format!("{member}.{row}");
        lines.line(
            id,
            &[
                ("from", lines.input_at((from, row), kind, "label-from", &of_row)),
                ("until", lines.input_at((until, row), kind, "label-until", &of_row)),
            ],
            &[&of_row],
        )
    };
    html! { @for place in 0..count { (row(place)) } @if lines.faults.iter().any(|fault| fault.field == member) { (lines.faults_of(&[member])) } }
}

fn whom(visit: &Visit<'_>, lines: &Lines<'_>) -> Markup {
    let which = [("", "form-which-all"), ("first", "form-which-first"), ("every", "form-which-every")];
    let birthdays = [
        ("", "form-birthday-none"),
        ("day", "form-birthday-day"),
        ("week", "form-birthday-week"),
        ("month", "form-birthday-month"),
    ];
    html! {
        (lines.checks("form-types", "types", &types(visit, lines.typed), "conditions.types"))
        (lines.line("form-min-points", &[("points", lines.input("min_points", "number", "campaign-points", "conditions.min_points"))], &["conditions.min_points"]))
        (lines.line("form-birthday", &[
            ("window", lines.select("birthday", &birthdays)),
            ("pays", lines.select("birthday_pays", &[("first", "form-pays-first"), ("each", "form-pays-each")])),
        ], &["conditions.birthday"]))
        (lines.line("form-ordinal", &[
            ("of", lines.select("ordinal_of", &[("type", "form-of-type"), ("all", "form-of-all")])),
            ("which", lines.select("ordinal", &which)),
            ("number", lines.input("ordinal_number", "number", "label-number", "conditions.ordinal")),
        ], &["conditions.ordinal"]))
        (lines.line("form-member-time", &[
            ("since", lines.input("member_since", "datetime-local", "label-from", "conditions.member_since")),
            ("before", lines.input("member_before", "datetime-local", "label-until", "conditions.member_before")),
        ], &["conditions.member_since", "conditions.member_before"]))
        (lines.line("form-members", &[("members", lines.area(("members", 0), "column-members", "conditions.members"))], &["conditions.members"]))
        (lines.line("form-prefixes", &[("values", lines.area(("prefixes", 0), "label-values", "conditions.source_prefixes"))], &["conditions.source_prefixes"]))
        (attributes(lines))
    }
}

fn attributes(lines: &Lines<'_>) -> Markup {
    let count = lines.typed.rows(["attribute_name", "attribute_values"]).len() + SPARE_ROWS;
    let member = "conditions.attributes";
    html! {
        @for row in 0..count {
            (lines.line("form-attribute", &[
                ("name", lines.input_at(("attribute_name", row), "text", "label-name", member)),
                ("values", lines.area(("attribute_values", row), "label-values", member)),
            ], &[]))
        }
        (lines.faults_of(&[member]))
    }
}

/// The types that the tenant has, and those that the definition has already.
fn types(visit: &Visit<'_>, typed: &Typed) -> Vec<(String, String)> {
    let settings = &visit.served.tenant.settings;
    let known = pointbook_domain::activity::DOCUMENTED_ACTIVITY_TYPES.into_iter().map(str::to_owned);
    let own = settings.activity_types.iter().map(ToString::to_string);
    let mut all: Vec<String> = known.chain(own).filter(|kind| kind != "order").collect();
    for kind in typed.all("types") {
        if !all.contains(kind) {
            all.push(kind.clone());
        }
    }
    all.into_iter().map(|kind| (kind.clone(), activity(&kind, visit.words))).collect()
}

fn limits(lines: &Lines<'_>) -> Markup {
    let what = [("clip", "form-on-limit-clip"), ("skip", "form-on-limit-skip")];
    html! {
        @for (row, period) in PERIODS.iter().enumerate() {
            (lines.line(&format!("form-limit-{period}"), &[
                ("awards", lines.input_at(("limit_awards", row), "number", "label-awards", "limits.per_user")),
                ("points", lines.input_at(("limit_points", row), "number", "campaign-points", "limits.per_user")),
            ], &[]))
        }
        (lines.faults_of(&["limits.per_user"]))
        (lines.line("form-budget", &[
            ("awards", lines.input("budget_awards", "number", "label-awards", "limits.budget")),
            ("points", lines.input("budget_points", "number", "campaign-points", "limits.budget")),
        ], &["limits.budget"]))
        (lines.line("form-on-limit", &[("what", lines.select("on_points_limit", &what))], &["limits.on_points_limit"]))
        (lines.line("form-control", &[("percent", lines.input("control_percent", "number", "label-number", "control_percent"))], &["control_percent"]))
    }
}

fn others_part(lines: &Lines<'_>) -> Markup {
    let wins = [("first", "form-wins-first"), ("highest", "form-wins-highest")];
    html! {
        (lines.line("form-group", &[
            ("name", lines.input("group", "text", "label-name", "group")),
            ("wins", lines.select("wins", &wins)),
        ], &["group"]))
        (lines.line("form-priority", &[("number", lines.input("priority", "number", "label-number", "priority"))], &["priority"]))
    }
}

/// When the version takes over.
pub(in super::super) fn line_of_time(words: &Words, typed: &Typed, faults: &[Fault]) -> Markup {
    let lines = Lines { words, typed, faults };
    let at = lines.input("takes_over_at", "datetime-local", "step-at", TAKES_OVER_AT);
    lines.line("form-takes-over", &[("at", at)], &[TAKES_OVER_AT])
}

const TAKES_OVER_AT: &str = "takes_over_at";
