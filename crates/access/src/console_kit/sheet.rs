//! A page of the console: its head with title, what is known of it and what can be done, and its content.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{document_with, html_in, number};

use crate::console_kit::assets;
use crate::console_kit::components::nothing_saved;
use crate::console_kit::frame;
use crate::console_kit::icons::{Icon, icon};
use crate::console_kit::layout::{STYLESHEETS, toast};
use crate::console_kit::navigation::section_at;
use crate::console_kit::visit::Visit;

/// A page. What it does not say is left out.
pub struct Sheet<'v> {
    visit: &'v Visit<'v>,
    /// The path of its section below the console of the tenant.
    section: &'static str,
    title: String,
    /// Beside the title: how many there are, or the state.
    beside: Option<Markup>,
    /// Below the title, in one line.
    line: Option<Markup>,
    /// The buttons: secondary ones, then the menu, then the primary one.
    actions: Option<Markup>,
    /// The pages above it, below the section: their addresses and names.
    above: Vec<(String, String)>,
    /// The stylesheets that few pages need.
    styles: &'static [&'static str],
}

impl<'v> Sheet<'v> {
    pub fn new(visit: &'v Visit<'v>, section: &'static str, title: impl Into<String>) -> Self {
        let (title, above) = (title.into(), Vec::new());
        Self { visit, section, title, beside: None, line: None, actions: None, above, styles: &[] }
    }

    #[must_use]
    pub fn count(self, count: u64) -> Self {
        let shown = number(i64::try_from(count).unwrap_or(i64::MAX), self.visit.words);
        self.beside(html! { span .count { (shown) } })
    }

    #[must_use]
    pub fn beside(self, beside: Markup) -> Self {
        Self { beside: Some(beside), ..self }
    }

    #[must_use]
    pub fn line(self, line: Markup) -> Self {
        Self { line: Some(line), ..self }
    }

    #[must_use]
    pub fn actions(self, actions: Markup) -> Self {
        Self { actions: Some(actions), ..self }
    }

    /// With these stylesheets of [`assets`](super::assets), which few pages need.
    #[must_use]
    pub fn styled(self, styles: &'static [&'static str]) -> Self {
        Self { styles, ..self }
    }

    /// A page above this one, which is not its section. Begin with the highest.
    #[must_use]
    pub fn below(mut self, address: String, name: impl Into<String>) -> Self {
        self.above.push((address, name.into()));
        self
    }

    pub fn respond(self, content: &Markup) -> Response {
        self.respond_with(StatusCode::OK, content)
    }

    /// With another status, such as that of a form with mistakes.
    pub fn respond_with(self, status: StatusCode, content: &Markup) -> Response {
        let language = &self.visit.words.content_language;
        html_in(language, status, self.markup(content))
    }

    /// The page of a form with mistakes: it begins with what says that nothing was saved.
    pub fn respond_mistaken(self, content: &Markup) -> Response {
        let content = html! { (nothing_saved(self.visit)) (content) };
        self.respond_with(StatusCode::UNPROCESSABLE_ENTITY, &content)
    }

    /// The whole document.
    pub fn markup(self, content: &Markup) -> Markup {
        let (visit, words) = (self.visit, self.visit.words);
        let is_staging = visit.served.tenant.environment == pointbook_domain::Environment::Staging;
        let inside = html! { (self.head()) (toast(visit)) (content) };
        let body = html! {
            a .skip href="#content" { (words.say("skip")) }
            @if let Some(signed_in) = &visit.signed_in {
                div .console .in-staging[is_staging] {
                    (frame::side(visit, signed_in, self.section))
                    (frame::top(visit, signed_in))
                    main .sheet #content tabindex="-1" { (inside) }
                }
            } @else {
                main .inside #content tabindex="-1" { (frame::tenant(visit)) (inside) }
            }
        };
        let title = format!("{} · {}", self.title, visit.served.tenant.name);
        let head = html! {
            @if let Some(color) = visit.served.tenant.settings.brand_color { link rel="stylesheet" href=(assets::brand_of_part(color)); }
            script src=(assets::SCRIPT) defer {}
        };
        document_with(words.tag, &title, &[STYLESHEETS, self.styles].concat(), [&head, &body])
    }

    fn head(&self) -> Markup {
        html! {
            header .head {
                div {
                    (self.path())
                    h1 { (self.title) @if let Some(beside) = &self.beside { " " (beside) } }
                    @if let Some(line) = &self.line { p .quiet { (line) } }
                }
                @if let Some(actions) = &self.actions { div .acts { (actions) } }
            }
        }
    }

    /// The section and the pages between it and this one. Nothing on the page of the section.
    fn path(&self) -> Markup {
        let (visit, words) = (self.visit, self.visit.words);
        let address = visit.path(self.section);
        let is_section = visit.request.uri.path().trim_end_matches('/') == address;
        let section = section_at(self.section).filter(|_| !is_section);
        html! {
            @if section.is_some() || !self.above.is_empty() {
                nav .way aria-label=(words.say("way")) {
                    @if let Some(section) = section { a href=(address) { (words.say(section.name)) } }
                    @for (address, name) in &self.above { a href=(address) { (name) } }
                }
            }
        }
    }
}

/// Pages beside each other: the id of the name of each, its address, whether it is this one, and how many rows it has, or nothing.
pub fn tabs<'t>(
    visit: &Visit<'_>,
    tabs: impl IntoIterator<Item = (&'t str, String, bool, Markup)>,
) -> Markup {
    html! {
        nav .tabs aria-label=(visit.words.say("tabs")) {
            @for (name, address, is_here, count) in tabs {
                a href=(address) aria-current=[is_here.then_some("page")] { (visit.words.say(name)) " " (count) }
            }
        }
    }
}

/// The things that are done seldom, behind three dots. Nothing without entries.
pub fn more(visit: &Visit<'_>, entries: &[Markup]) -> Markup {
    html! {
        @if !entries.is_empty() {
            details .menu {
                summary .button .square { (icon(Icon::More)) span .unseen { (visit.words.say("more")) } }
                div { @for entry in entries { (entry) } }
            }
        }
    }
}

/// A link of a menu, or a button of the head, with its drawing. The text has this id.
pub fn link(visit: &Visit<'_>, drawing: Icon, address: &str, text: &str) -> Markup {
    html! { a href=(address) { (icon(drawing)) (visit.words.say(text)) } }
}

/// The bar at the end of a large form: what saving means, and its buttons, the primary one last. With the script it stays in sight and says
/// what has changed.
pub fn save_bar(visit: &Visit<'_>, hint: &Markup, buttons: &Markup) -> Markup {
    html! {
        div .save-bar data-changes {
            p role="status" { span .badge.warn data-count hidden {} " " span .quiet data-names {} span .quiet data-hint { (hint) } }
            div .acts { button type="reset" data-discard hidden { (visit.words.say("discard")) } (buttons) }
        }
    }
}

/// The one primary button of a page: a link that begins something.
pub fn primary(visit: &Visit<'_>, address: &str, text: &str) -> Markup {
    html! { a .button .primary href=(address) { (icon(Icon::Add)) (visit.words.say(text)) } }
}
