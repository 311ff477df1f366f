//! The choice of categories in forms.

use std::collections::HashSet;

use maud::{Markup, html};
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{Category, CategoryId, CategoryTree};

use pointbook_console_kit::visit::Visit;

/// The most categories that a form lists. With more of them, the operator writes ids.
const MAX_LISTED: usize = 150;

/// A category of a tree with its level, from 0.
pub(crate) struct Listed<'t> {
    pub(crate) category: &'t Category,
    pub(crate) level: usize,
    /// The category above; `None` at the top level.
    pub(crate) parent: Option<&'t Category>,
    /// The index among its siblings, and how many they are.
    pub(crate) place: (usize, usize),
}

/// All categories, each before those below it.
pub(crate) fn listed(tree: &CategoryTree) -> Vec<Listed<'_>> {
    let mut all = Vec::new();
    list(tree.roots(), None, 0, &mut all);
    all
}

/// Recursive, but never deeper than a tree may be.
fn list<'t>(
    categories: &'t [Category],
    parent: Option<&'t Category>,
    level: usize,
    all: &mut Vec<Listed<'t>>,
) {
    for (index, category) in categories.iter().enumerate() {
        all.push(Listed { category, level, parent, place: (index, categories.len()) });
        list(&category.children, Some(category), level + 1, all);
    }
}

/// A box for each category, and for each chosen id that the tree lacks.
pub(crate) fn boxes(visit: &Visit<'_>, tree: &CategoryTree, name: &str, chosen: &[&str]) -> Markup {
    let all = listed(tree);
    if all.len() > MAX_LISTED {
        return html! {
            textarea .short name=(name) rows="3" { "\n" (chosen.join("\n")) }
            span .hint-text { (visit.words.say("category-ids-hint")) }
        };
    }
    let known: HashSet<&str> = all.iter().map(|listed| listed.category.id.as_str()).collect();
    let tick = |id: &str, label: Markup| {
        let is_chosen = chosen.contains(&id);
        html! { label .check { input type="checkbox" name=(name) value=(id) checked[is_chosen]; (label) } }
    };
    let labels = all.iter().filter(|listed| chosen.contains(&listed.category.id.as_str()));
    let labels: Vec<&str> = labels.map(|listed| listed.category.label.as_str()).collect();
    html! {
        @if !labels.is_empty() { p .hint-text { (labels.join(", ")) } }
        // A box that scrolls must take the focus, also when no tick in it can.
        div .choice tabindex="0" role="group" aria-label=(visit.words.say("categories")) {
            @if all.is_empty() { p .quiet { (visit.words.say("category-none-yet")) } }
            @for Listed { category, level, .. } in &all {
                (tick(category.id.as_str(), html! { (indent(*level)) (category.label) }))
            }
            @for id in chosen.iter().filter(|id| !known.contains(**id)) {
                (tick(id, html! { (id) " " span .mark { (visit.words.say("category-not-in-tree")) } }))
            }
        }
    }
}

/// A list of categories to choose the one above, or a field for its id. Those in `without` cannot be chosen.
pub(crate) fn parent_choice(
    visit: &Visit<'_>,
    tree: &CategoryTree,
    without: &HashSet<&CategoryId>,
    chosen: &str,
) -> Markup {
    let all = listed(tree);
    html! {
        @if all.len() > MAX_LISTED {
            input name="parent" value=(chosen) aria-describedby="about-parent";
            span .hint-text #about-parent { (visit.words.say("category-parent-hint")) }
        } @else {
            select name="parent" {
                option value="" { (visit.words.say("category-top")) }
                @for Listed { category, level, .. } in all.iter().filter(|listed| !without.contains(&listed.category.id)) {
                    option value=(category.id) selected[category.id.as_str() == chosen] { (indent(*level)) (category.label) }
                }
            }
        }
    }
}

/// A list of categories of which a filter may have one, or a field for its id.
pub(crate) fn filter_choice(visit: &Visit<'_>, tree: &CategoryTree, name: &str, chosen: &str) -> Markup {
    let all = listed(tree);
    html! {
        @if all.len() > MAX_LISTED {
            input name=(name) value=(chosen) maxlength=(MAX_ID_CHARS) placeholder=(visit.words.say("category-one-id"));
        } @else {
            select name=(name) {
                option value="" { (visit.words.say("category-any")) }
                @for Listed { category, level, .. } in &all {
                    option value=(category.id) selected[category.id.as_str() == chosen] { (indent(*level)) (category.label) }
                }
                // An id that the tree lacks, from an address or an import.
                @if !chosen.is_empty() && !all.iter().any(|listed| listed.category.id.as_str() == chosen) {
                    option value=(chosen) selected { (chosen) }
                }
            }
        }
    }
}

pub(crate) fn indent(level: usize) -> String {
    "\u{2003}".repeat(level)
}
