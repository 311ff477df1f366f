//! What a chart is called, and its shape.

use super::markup::{Length, Markup};

/// The title and the description of a chart, for people who do not see it.
#[derive(Debug, Clone, Copy)]
pub struct Caption<'t> {
    /// Begins the ids of the chart's elements; unique on its page. Characters other than ASCII letters, digits, `-` and `_` become `-`.
    pub id: &'t str,
    pub title: &'t str,
    /// What the chart shows, in a sentence or two.
    pub description: &'t str,
}

/// The shape of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// For columns of at least 520 pixels.
    Wide,
    /// For phones. The texts keep their size, so that they stay readable.
    Narrow,
}

impl Size {
    /// The width of the picture in its own units.
    pub(crate) fn width(self) -> f64 {
        match self {
            Self::Wide => 640.0,
            Self::Narrow => 360.0,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Wide => "chart-wide",
            Self::Narrow => "chart-narrow",
        }
    }
}

impl Caption<'_> {
    /// The id of one element of the chart.
    pub(crate) fn element_id(&self, name: &str) -> String {
        let allowed = |found: char| found.is_ascii_alphanumeric() || matches!(found, '-' | '_');
        let prefix: String = self.id.chars().map(|found| if allowed(found) { found } else { '-' }).collect();
        format!("{prefix}-{name}")
    }

    /// Begins a picture of one size: its root, title and description.
    pub(crate) fn open_svg(&self, kind: &'static str, size: Size, height: f64) -> Markup {
        let class = format!("chart {kind} {}", size.class());
        let title = self.element_id(&format!("{}-title", size.class()));
        let description = self.element_id(&format!("{}-desc", size.class()));
        self.open_root(&class, [&title, &description], (size.width(), height))
    }

    /// Begins a picture from its class, the ids of its title and description, its width and its height.
    pub(crate) fn open_root(
        &self,
        class: &str,
        [title, description]: [&str; 2],
        (width, height): (f64, f64),
    ) -> Markup {
        let mut svg = Markup::default();
        let view_box = format!("0 0 {} {}", Length(width), Length(height));
        let labelled_by = format!("{title} {description}");
        svg.open(
            "svg",
            &[
                ("class", &class),
                ("role", &"img"),
                ("aria-labelledby", &labelled_by),
                ("viewBox", &view_box),
                ("width", &"100%"),
            ],
        );
        svg.leaf("title", &[("id", &title)], self.title);
        svg.leaf("desc", &[("id", &description)], self.description);
        svg
    }
}
