//! What a chart is called.

use super::markup::Markup;

/// The title and the description of a chart, for people who do not see it.
#[derive(Debug, Clone, Copy)]
pub struct Caption<'t> {
    /// Begins the ids of the chart's elements; unique on its page. Characters other than ASCII letters, digits, `-` and `_` become `-`.
    pub id: &'t str,
    pub title: &'t str,
    /// What the chart shows, in a sentence or two.
    pub description: &'t str,
}

impl Caption<'_> {
    /// The id of one element of the chart.
    pub(crate) fn element_id(&self, name: &str) -> String {
        let allowed = |found: char| found.is_ascii_alphanumeric() || matches!(found, '-' | '_');
        let prefix: String = self.id.chars().map(|found| if allowed(found) { found } else { '-' }).collect();
        format!("{prefix}-{name}")
    }

    /// Begins a picture: its root, title and description.
    pub(crate) fn open_svg(&self, svg: &mut Markup, class: &str) {
        let [title, description] = ["title", "desc"].map(|name| self.element_id(name));
        let labelled_by = format!("{title} {description}");
        svg.open("svg", &[("class", &class), ("role", &"img"), ("aria-labelledby", &labelled_by)]);
        svg.leaf("title", &[("id", &title)], self.title);
        svg.leaf("desc", &[("id", &description)], self.description);
    }
}
