//! All lines of the form. A condition that is not set has no line until a person adds it.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_campaigns::Fault;

use super::super::sentences::activity;
use super::lines::{Lines, fault_text, is_below};
use super::typed::{ALL, ATTRIBUTES, HOURS, LIMITS, PERIODS, Typed, WEEKDAYS, WINDOWS};

/// The members of a definition that have a line. Faults of others stand above the form.
const MEMBERS: [&str; 12] = [
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
    "takes_over_at",
];

/// What a person adds to the sentences that every campaign has, in the order of the menu: its name, and its fields, the first one of which
/// shows whether it is set. The text of the menu has the id `add-NAME`.
const PARTS: [(&str, &[&str]); 18] = [
    ("min-points", &["min_points"]),
    ("hours", &HOURS),
    ("windows", &WINDOWS),
    ("ordinal", &["ordinal", "ordinal_number", "ordinal_of"]),
    ("birthday", &["birthday", "birthday_pays"]),
    ("member-time", &["member_since", "member_before"]),
    ("members", &["members"]),
    ("prefixes", &["prefixes"]),
    ("attribute", &ATTRIBUTES),
    ("at-most", &["at_most"]),
    ("limit", &LIMITS),
    ("on-limit", &["on_points_limit"]),
    ("group", &["group", "wins"]),
    ("priority", &["priority"]),
    ("control", &["control_percent"]),
    ("kind", &["kind"]),
    ("titles", &["titles"]),
    ("takes-over", &["takes_over_at"]),
];
/// The parts that have a row for each time that they are added.
const TABLES: [&str; 4] = ["hours", "windows", "attribute", "limit"];
/// A new campaign takes over at once.
const TAKES_OVER: &str = "takes-over";

fn fields_of(part: &str) -> &'static [&'static str] {
    PARTS.iter().find(|(name, _)| *name == part).map_or(&[], |(_, fields)| fields)
}

/// Sets what a new part chooses, until a person chooses something else.
pub(in super::super) fn add(typed: &mut Typed, part: &str) {
    let chosen: &[(&'static str, &str)] = match part {
        "ordinal" => &[("ordinal", "first"), ("ordinal_of", "all")],
        "birthday" => &[("birthday", "day"), ("birthday_pays", "first")],
        "on-limit" => &[("on_points_limit", "skip")],
        _ => &[],
    };
    for (name, value) in chosen {
        typed.set(name, *value);
    }
}

/// Takes a part away, or a row of it, such as `hours.1`.
pub(in super::super) fn remove(typed: &mut Typed, part: &str) {
    let (part, row) = part.split_once('.').map_or((part, None), |(part, row)| (part, row.parse().ok()));
    typed.remove(fields_of(part), row);
}

/// What the form shows beside what is typed.
pub(in super::super) struct Form<'f> {
    pub(in super::super) visit: &'f Visit<'f>,
    pub(in super::super) typed: &'f Typed,
    pub(in super::super) faults: &'f [Fault],
    /// The campaign that it changes. `None` for a new one.
    pub(in super::super) id: Option<&'f str>,
    /// The address of the page that shows the form again and saves nothing.
    pub(in super::super) again: &'f str,
    /// A part that was just added.
    pub(in super::super) added: &'f str,
}

impl<'f> Form<'f> {
    /// The sentences, and the menu of what can be added.
    pub(in super::super) fn markup(&self) -> Markup {
        let words = self.visit.words;
        let has_line = |fault: &&Fault| MEMBERS.iter().any(|member| is_below(&fault.field, member));
        let others = self.faults.iter().filter(|fault| !has_line(fault));
        let groups = [
            ("form-what", self.what()),
            ("form-when", self.when()),
            ("form-whom", self.lines().checks("form-types", "types", &self.types(), "conditions.types")),
            ("form-only-if", self.only_if()),
            ("form-limits", self.limits()),
            ("form-others", self.others()),
        ];
        html! {
            section .card {
                div .card-head { h2 { (words.say("form-rule")) } span .quiet .small { (words.say("form-empty-means")) } }
                @for fault in others { (fault_text(words, fault)) }
                (self.names())
                @for (name, lines) in groups.iter().filter(|(_, lines)| !lines.0.is_empty()) {
                    div .says role="group" aria-labelledby=(name) data-name=(words.say(name)) {
                        span .quiet .small #(name) { (words.say(name)) }
                        @if self.is_closed(name) { details { summary { (words.say(&format!("{name}-none"))) } div { (lines) } } } @else { div { (lines) } }
                    }
                }
                (self.menu())
            }
        }
    }

    /// Whether nothing of a group is set, so that its fields are behind what that means.
    fn is_closed(&self, group: &str) -> bool {
        let (fields, members, parts): (&[&str], &[&str], &[&str]) = match group {
            "form-when" => (
                &["weekdays", "starts_at", "ends_at"],
                &["conditions.weekdays", "conditions.hours", "conditions.windows", "starts_at", "ends_at"],
                &["hours", "windows", TAKES_OVER],
            ),
            "form-whom" => (&["types"], &["conditions.types"], &[]),
            "form-limits" => (&LIMITS[..1], &["limits"], &["limit", "on-limit"]),
            _ => return false,
        };
        let is_wrong = |fault: &Fault| members.iter().any(|member| is_below(&fault.field, member));
        fields.iter().all(|field| self.typed.all(field).iter().all(String::is_empty))
            && !parts.iter().any(|part| self.has(part))
            && !self.faults.iter().any(is_wrong)
    }

    fn menu(&self) -> Markup {
        let words = self.visit.words;
        let is_new = self.id.is_none();
        let addable = PARTS
            .iter()
            .map(|(name, _)| *name)
            .filter(|name| (TABLES.contains(name) || !self.has(name)) && !(is_new && *name == TAKES_OVER));
        html! {
            details .menu .left .additions {
                summary .button { (icon(Icon::Add)) (words.say("form-add")) }
                div { @for name in addable { button name="do" value={ "add " (name) } formaction=(self.again) { (words.say(&format!("add-{name}"))) } } }
            }
        }
    }

    fn lines(&self) -> Lines<'f> {
        let added = fields_of(self.added).first().copied().unwrap_or_default();
        let Self { visit, typed, faults, again, .. } = *self;
        Lines { words: visit.words, typed, faults, again, added }
    }

    fn has(&self, part: &str) -> bool {
        self.added == part || fields_of(part).iter().any(|field| !self.typed.get(field).is_empty())
    }

    /// The rows of a table that the form shows: those that are typed, and the one that was just added.
    fn rows<const N: usize>(&self, part: &str, fields: [&str; N]) -> usize {
        self.typed.rows(fields).len() + usize::from(self.added == part)
    }

    /// A sentence of a part, when the campaign has it.
    fn part<const N: usize>(
        &self,
        part: &str,
        slots: impl FnOnce(&Lines<'f>) -> [(&'static str, Markup); N],
        members: &[&str],
    ) -> Markup {
        let lines = self.lines();
        html! { @if self.has(part) { (lines.line_without(&format!("form-{part}"), &slots(&lines), members, part)) } }
    }

    /// A sentence with one field of a part.
    fn field(&self, part: &str, kind: &str, label: &str, member: &str) -> Markup {
        let field = fields_of(part).first().copied().unwrap_or_default();
        self.part(part, |lines| [("value", lines.input(field, kind, label, member))], &[member])
    }

    /// A sentence with lines of text.
    fn area(&self, part: &str, label: &str, member: &str) -> Markup {
        let field = fields_of(part).first().copied().unwrap_or_default();
        self.part(part, |lines| [("values", lines.area((field, 0), label, member))], &[member])
    }

    /// How members see it, and its id.
    fn names(&self) -> Markup {
        let (lines, words) = (self.lines(), self.visit.words);
        html! {
            div .names {
                label .field { span { (words.say("form-title")) } (lines.input("title", "text", "form-title", "title")) (lines.faults_of(&["title"])) }
                @match self.id {
                    Some(id) => p .field { span { (words.say("campaign-id")) } code { (id) } },
                    None => label .field {
                        span { (words.say("campaign-id")) }
                        (lines.input("id", "text", "campaign-id", "id")) (lines.faults_of(&["id"]))
                        small .hint-text { (words.say("form-id-hint")) }
                    },
                }
            }
            (self.area("titles", "campaign-title", "title."))
        }
    }

    fn what(&self) -> Markup {
        let lines = self.lines();
        let units = [("percent", "form-unit-percent"), ("points", "form-unit-points")];
        html! {
            (lines.line("form-reward", &[
                ("number", lines.input("number", "number", "label-number", "reward")),
                ("unit", lines.select("unit", &units)),
            ], &["reward.percent", "reward.points"]))
            (self.field("at-most", "number", "label-most", "reward.at_most"))
            (self.field("kind", "text", "label-name", "kind"))
        }
    }

    fn when(&self) -> Markup {
        let lines = self.lines();
        let name = |prefix: &str, day: &str| lines.words.say(&format!("{prefix}-{day}")).into_owned();
        let days = WEEKDAYS.map(|day| (day.to_owned(), name("form-on", day)));
        html! {
            (lines.checks("form-weekdays", "weekdays", &days, "conditions.weekdays"))
            (lines.line("form-run", &[
                ("starts", lines.input("starts_at", "datetime-local", "label-from", "starts_at")),
                ("ends", lines.input("ends_at", "datetime-local", "label-until", "ends_at")),
            ], &["starts_at", "ends_at"]))
            (self.times("hours", HOURS, "hour", "conditions.hours"))
            (self.times("windows", WINDOWS, "date", "conditions.windows"))
            (self.field(TAKES_OVER, "datetime-local", "step-at", "takes_over_at"))
        }
    }

    /// The rows of a table of times.
    fn times(&self, part: &str, [from, until]: [&'static str; 2], kind: &str, member: &str) -> Markup {
        let lines = self.lines();
        let row = |row: usize| {
            let of_row = format!("{member}.{row}");
            let slots = [
                ("from", lines.input_at((from, row), kind, "label-from", &of_row)),
                ("until", lines.input_at((until, row), kind, "label-until", &of_row)),
            ];
            lines.line_without(&format!("form-{part}"), &slots, &[&of_row], &format!("{part}.{row}"))
        };
        html! {
            @for place in 0..self.rows(part, [from, until]) { (row(place)) }
            @if lines.faults.iter().any(|fault| fault.field == member) { (lines.faults_of(&[member])) }
        }
    }

    fn only_if(&self) -> Markup {
        let which = [("first", "form-which-first"), ("every", "form-which-every")];
        let of = [("all", "form-of-all"), ("type", "form-of-type")];
        let windows =
            [("day", "form-birthday-day"), ("week", "form-birthday-week"), ("month", "form-birthday-month")];
        let pays = [("first", "form-pays-first"), ("each", "form-pays-each")];
        html! {
            (self.field("min-points", "number", "campaign-points", "conditions.min_points"))
            (self.part("ordinal", |lines| [
                ("of", lines.select("ordinal_of", &of)),
                ("which", lines.select("ordinal", &which)),
                ("number", lines.input("ordinal_number", "number", "label-number", "conditions.ordinal")),
            ], &["conditions.ordinal"]))
            (self.part("birthday", |lines| [
                ("window", lines.select("birthday", &windows)),
                ("pays", lines.select("birthday_pays", &pays)),
            ], &["conditions.birthday"]))
            (self.part("member-time", |lines| [
                ("since", lines.input("member_since", "datetime-local", "label-from", "conditions.member_since")),
                ("before", lines.input("member_before", "datetime-local", "label-until", "conditions.member_before")),
            ], &["conditions.member_since", "conditions.member_before"]))
            (self.area("members", "column-members", "conditions.members"))
            (self.area("prefixes", "label-values", "conditions.source_prefixes"))
            (self.attributes())
        }
    }

    fn attributes(&self) -> Markup {
        let lines = self.lines();
        let member = "conditions.attributes";
        let [name, values] = ATTRIBUTES;
        let row = |row: usize| {
            let slots = [
                ("name", lines.input_at((name, row), "text", "label-name", member)),
                ("values", lines.area((values, row), "label-values", member)),
            ];
            lines.line_without("form-attribute", &slots, &[], &format!("attribute.{row}"))
        };
        html! { @for place in 0..self.rows("attribute", ATTRIBUTES) { (row(place)) } (lines.faults_of(&[member])) }
    }

    /// The types that the tenant has, and those that the definition has already.
    fn types(&self) -> Vec<(String, String)> {
        let settings = &self.visit.served.tenant.settings;
        let known = pointbook_domain::activity::DOCUMENTED_ACTIVITY_TYPES.into_iter().map(str::to_owned);
        let own = settings.activity_types.iter().map(ToString::to_string);
        let mut all: Vec<String> = known.chain(own).filter(|kind| kind != "order").collect();
        for kind in self.typed.all("types") {
            if !all.contains(kind) {
                all.push(kind.clone());
            }
        }
        all.into_iter().map(|kind| (kind.clone(), activity(&kind, self.visit.words))).collect()
    }

    /// The limits that are typed. Without any, an empty line for one of each member and for one of all.
    fn limits(&self) -> Markup {
        let lines = self.lines();
        let typed = self.typed.rows(LIMITS);
        let mut rows: Vec<[&str; 2]> = typed.iter().map(|[_, unit, per]| [*unit, *per]).collect();
        let empty = typed.is_empty();
        rows.extend(
            [("day", empty || self.added == "limit"), (ALL, empty)]
                .iter()
                .filter_map(|(per, is_there)| is_there.then_some(["points", *per])),
        );
        let units = [("points", "form-limit-points"), ("awards", "form-limit-awards")];
        let periods = PERIODS.iter().chain([&ALL]).map(|per| (*per, format!("form-per-{per}")));
        let periods: Vec<(&str, String)> = periods.collect();
        let periods: Vec<(&str, &str)> = periods.iter().map(|(per, text)| (*per, text.as_str())).collect();
        let [number, unit, per] = LIMITS;
        let row = |(row, [chosen_unit, chosen_per]): (usize, &[&str; 2])| {
            let slots = [
                ("number", lines.input_at((number, row), "number", "label-number", "limits")),
                ("unit", lines.select_at(unit, chosen_unit, &units)),
                ("period", lines.select_at(per, chosen_per, &periods)),
            ];
            let part = if row < typed.len() { format!("limit.{row}") } else { String::new() };
            lines.line_without("form-limit", &slots, &[], &part)
        };
        let what = [("skip", "form-on-limit-skip"), ("clip", "form-on-limit-clip")];
        html! {
            @for place in rows.iter().enumerate() { (row(place)) }
            (lines.faults_of(&["limits.per_user", "limits.budget"]))
            (self.part("on-limit", |lines| [("what", lines.select("on_points_limit", &what))], &["limits.on_points_limit"]))
        }
    }

    fn others(&self) -> Markup {
        let wins = [("first", "form-wins-first"), ("highest", "form-wins-highest")];
        html! {
            (self.part("group", |lines| [
                ("name", lines.input("group", "text", "label-name", "group")),
                ("wins", lines.select("wins", &wins)),
            ], &["group"]))
            (self.field("priority", "number", "label-number", "priority"))
            (self.field("control", "number", "label-number", "control_percent"))
        }
    }
}
