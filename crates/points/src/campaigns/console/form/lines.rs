//! A line of the form: a sentence with fields in it, and what is wrong with them.

use maud::{Markup, html};
use pointbook_access::console_kit::components::filled;
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_campaigns::Fault;
use pointbook_http::pages::Words;

use super::typed::Typed;

/// What fields need to be drawn.
pub(super) struct Lines<'l> {
    pub(super) words: &'l Words,
    pub(super) typed: &'l Typed,
    pub(super) faults: &'l [Fault],
    /// The address of the page that shows the form again and saves nothing.
    pub(super) again: &'l str,
    /// The first field of a condition that was just added.
    pub(super) added: &'static str,
}

impl Lines<'_> {
    /// The sentence of this id with fields in the places of its values, and the faults of these members of the definition.
    pub(super) fn line<const N: usize>(
        &self,
        id: &str,
        slots: &[(&'static str, Markup); N],
        members: &[&str],
    ) -> Markup {
        self.line_without(id, slots, members, "")
    }

    /// The same with a button that takes the condition away, or a row of it, such as `hours.1`. Without a button when `part` is empty.
    pub(super) fn line_without<const N: usize>(
        &self,
        id: &str,
        slots: &[(&'static str, Markup); N],
        members: &[&str],
        part: &str,
    ) -> Markup {
        html! {
            div .sentence {
                p {
                    (filled(self.words, id, slots))
                    @if !part.is_empty() {
                        button .bare .square name="do" value={ "remove " (part) } formaction=(self.again) {
                            (icon(Icon::Close)) span .unseen { (self.words.say("form-remove")) }
                        }
                    }
                }
                (self.faults_of(members))
            }
        }
    }

    /// What is wrong with these members.
    pub(super) fn faults_of(&self, members: &[&str]) -> Markup {
        let is_of = |fault: &&Fault| members.iter().any(|member| is_below(&fault.field, member));
        let found: Vec<&Fault> = self.faults.iter().filter(is_of).collect();
        let text =
            |fault: &Fault| self.words.with_all(&format!("fault-{}", fault.rule.kind()), fault.rule.parts());
        html! {
            @for fault in found {
                p .error role="alert" { (text(fault)) @if let Some(typed) = self.part_of(&fault.field) { " " code { (typed) } } }
            }
        }
    }

    /// Which of several values of a line a fault is of, in the words of whoever typed it.
    fn part_of<'f>(&'f self, field: &'f str) -> Option<&'f str> {
        let of_list =
            |name, place: &str| Typed::lines(self.typed.get(name)).into_iter().nth(place.parse().ok()?);
        if let Some(place) = field.strip_prefix("conditions.members.") {
            return of_list("members", place);
        }
        if let Some(place) = field.strip_prefix("conditions.source_prefixes.") {
            return of_list("prefixes", place);
        }
        let Some(name) = field.strip_prefix("conditions.attributes.") else {
            return field.strip_prefix("title.");
        };
        // Behind the name may be the place of a value.
        let mut typed = self.typed.all("attribute_name").iter().map(|typed| typed.trim());
        typed.find(|typed| is_below(name, typed)).or(Some(name))
    }

    fn is_wrong(&self, member: &str) -> Option<&'static str> {
        self.faults.iter().any(|fault| is_below(&fault.field, member)).then_some("true")
    }

    pub(super) fn input(&self, name: &'static str, kind: &str, label: &str, member: &str) -> Markup {
        self.input_at((name, 0), kind, label, member)
    }

    pub(super) fn input_at(
        &self,
        (name, row): (&'static str, usize),
        kind: &str,
        label: &str,
        member: &str,
    ) -> Markup {
        let label = self.words.say(label);
        let value = self.typed.at(name, row);
        // A browser shows seconds, and takes them, only with this.
        let has_seconds = value.len() == "2026-12-01T00:00:00".len() && !value.ends_with(":00");
        let step = (kind == "datetime-local" && has_seconds).then_some("1");
        // No type of input takes 24:00.
        let (kind, mode, example) = match kind {
            "number" => ("text", Some("numeric"), None),
            "hour" if name.ends_with("until") => ("text", None, Some("18:00")),
            "hour" => ("text", None, Some("16:00")),
            kind => (kind, None, None),
        };
        html! { input .(format!("of-{name}")) autofocus[self.is_added(name, value)] type=(kind) inputmode=[mode] name=(name) value=(value) step=[step] placeholder=[example] aria-label=(label) aria-invalid=[self.is_wrong(member)]; }
    }

    pub(super) fn area(&self, (name, row): (&'static str, usize), label: &str, member: &str) -> Markup {
        let label = self.words.say(label);
        html! { textarea autofocus[self.is_added(name, self.typed.at(name, row))] name=(name) rows="2" aria-label=(label) aria-invalid=[self.is_wrong(member)] { "\n" (self.typed.at(name, row)) } }
    }

    fn is_added(&self, name: &str, value: &str) -> bool {
        self.added == name && value.is_empty()
    }

    /// Values with the ids of their texts.
    pub(super) fn select(&self, name: &'static str, options: &[(&str, &str)]) -> Markup {
        self.select_at(name, self.typed.get(name), options)
    }

    /// The same with what is chosen.
    pub(super) fn select_at(&self, name: &'static str, chosen: &str, options: &[(&str, &str)]) -> Markup {
        let label = self.words.say("label-choice");
        html! {
            select autofocus[self.added == name] name=(name) aria-label=(label) {
                @for (value, text) in options { option value=(value) selected[*value == chosen] { (self.words.say(text)) } }
            }
        }
    }

    /// Boxes with their texts, as chips.
    pub(super) fn checks(
        &self,
        legend: &str,
        name: &'static str,
        options: &[(String, String)],
        member: &str,
    ) -> Markup {
        let is_checked = |value: &String| self.typed.all(name).contains(value);
        html! {
            fieldset .checks {
                legend .unseen { (self.words.say(legend)) }
                @for (value, text) in options {
                    label .chip { input type="checkbox" name=(name) value=(value) checked[is_checked(value)]; (text) }
                }
                @if self.typed.all(name).is_empty() { span .hint-text { (self.words.say(&format!("{legend}-hint"))) } }
                (self.faults_of(&[member]))
            }
        }
    }
}

/// What a field must be, and which one, for those who write the definition as JSON.
pub(in super::super) fn fault_text(words: &Words, Fault { field, rule }: &Fault) -> Markup {
    let text = words.with_all(&format!("fault-{}", rule.kind()), rule.parts());
    html! { p .error role="alert" { (text) @if !field.is_empty() { " " code { (field) } } } }
}

/// Whether a fault is of a member of the definition, or of a part of it.
pub(in super::super) fn is_below(field: &str, member: &str) -> bool {
    field.strip_prefix(member).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
