//! What was typed into a form, and what is wrong with it.

use maud::{Markup, html};
use pointbook_http::pages::Form;

use crate::console_kit::visit::Visit;

/// A form that is shown again, with what was typed and the mistakes beside the fields. Empty for a new form.
#[derive(Default)]
pub struct Draft<'f> {
    form: Option<&'f Form>,
    /// The name of a field, and a sentence.
    faults: Vec<(&'static str, String)>,
}

impl<'f> Draft<'f> {
    pub fn of(form: &'f Form) -> Self {
        Self { form: Some(form), faults: Vec::new() }
    }

    /// What was typed, without spaces around it.
    pub fn typed(&self, name: &str) -> Option<&'f str> {
        self.form.and_then(|form| form.optional(name)).map(str::trim)
    }

    /// What a new form has typed already.
    pub fn or<'t>(&'t self, name: &str, default: &'t str) -> &'t str {
        self.typed(name).unwrap_or(default)
    }

    pub fn refuse(&mut self, name: &'static str, sentence: impl Into<String>) {
        self.faults.push((name, sentence.into()));
    }

    /// The value of a field, or `None` after noting the sentence with this id.
    pub fn take<T>(
        &mut self,
        visit: &Visit<'_>,
        name: &'static str,
        read: Result<T, &'static str>,
    ) -> Option<T> {
        read.map_err(|fault| self.refuse(name, visit.words.say(fault))).ok()
    }

    pub fn is_refused(&self) -> bool {
        !self.faults.is_empty()
    }

    fn fault(&self, name: &str) -> Option<&str> {
        self.faults.iter().find(|(known, _)| *known == name).map(|(_, sentence)| sentence.as_str())
    }

    /// The fault of the form as a whole, or of a field that has no input.
    pub fn said(&self, name: &str) -> Markup {
        html! { @if let Some(fault) = self.fault(name) { p .error role="alert" { (fault) } } }
    }

    /// An input with its label, whose text has this id.
    pub fn input(&self, visit: &Visit<'_>, label: &str, input: &Input<'_>) -> Markup {
        let Input { name, kind, default, is_required, max_chars } = *input;
        let fault = self.fault(name);
        let described_by = fault.map(|_| format!("fault-{name}"));
        html! {
            label .field {
                span { (visit.words.say(label)) }
                input name=(name) type=(kind) value=(self.or(name, default)) required[is_required] maxlength=[max_chars]
                    aria-invalid=[fault.map(|_| "true")] aria-describedby=[described_by.as_ref()];
                @if let Some(fault) = fault { span .error id=[described_by.as_ref()] { (fault) } }
            }
        }
    }
}

/// An input of a form.
#[derive(Clone, Copy)]
pub struct Input<'i> {
    pub name: &'static str,
    pub kind: &'static str,
    pub default: &'i str,
    pub is_required: bool,
    pub max_chars: Option<usize>,
}

impl Input<'_> {
    /// A required text.
    pub fn text(name: &'static str) -> Self {
        Self { name, kind: "text", default: "", is_required: true, max_chars: None }
    }
}
