//! A table of ratios, such as the cohorts of members by month, with colours for their sizes.

use super::caption::Caption;
use super::markup::Markup;

/// The number of intensities: the classes `heat-0` to `heat-5`.
pub const HEAT_STEPS: u8 = 6;

/// An HTML table, because its numbers are texts: they are read, searched and copied.
///
/// It scrolls inside its own region when it is wider than the page.
#[derive(Clone, Copy)]
pub struct HeatTable<'t> {
    pub caption: Caption<'t>,
    /// Heads the names of the rows, such as "Joined in".
    pub corner: &'t str,
    /// Heads the sizes of the rows, such as "Members". `None` leaves the sizes out.
    pub size_header: Option<&'t str>,
    pub columns: &'t [&'t str],
    pub rows: &'t [HeatRow<'t>],
    /// From this ratio on, a cell has the strongest colour.
    pub strongest: f64,
    pub ratio: &'t dyn Fn(f64) -> String,
}

/// A row of ratios.
#[derive(Debug, Clone)]
pub struct HeatRow<'t> {
    pub name: &'t str,
    /// How many things the ratios are about.
    pub size: &'t str,
    /// One ratio per column. `None`, NaN and infinities are empty cells, and so are missing ratios at the end.
    pub ratios: Vec<Option<f64>>,
}

impl HeatTable<'_> {
    /// The table with its key, in a region that scrolls.
    pub fn html(&self) -> String {
        let (mut html, caption) = (Markup::default(), self.caption.element_id("caption"));
        html.open(
            "div",
            &[
                ("class", &"heat-scroll"),
                ("role", &"group"),
                ("aria-labelledby", &caption),
                ("tabindex", &"0"),
            ],
        );
        html.open("table", &[("class", &"heat-table")]);
        self.write_caption(&mut html, &caption);
        self.write_head(&mut html);
        html.open("tbody", &[]);
        for row in self.rows {
            self.write_row(&mut html, row);
        }
        html.close("tbody");
        html.close("table");
        html.close("div");
        self.write_key(&mut html);
        html.finish()
    }

    fn write_caption(&self, html: &mut Markup, id: &str) {
        html.open("caption", &[("id", &id)]);
        html.leaf("span", &[("class", &"heat-title")], self.caption.title);
        html.leaf("span", &[("class", &"heat-desc")], self.caption.description);
        html.close("caption");
    }

    fn write_head(&self, html: &mut Markup) {
        html.open("thead", &[]);
        html.open("tr", &[]);
        let headers = std::iter::once(self.corner).chain(self.size_header);
        for header in headers.chain(self.columns.iter().copied()) {
            html.leaf("th", &[("scope", &"col")], header);
        }
        html.close("tr");
        html.close("thead");
    }

    fn write_row(&self, html: &mut Markup, row: &HeatRow<'_>) {
        html.open("tr", &[]);
        html.leaf("th", &[("scope", &"row")], row.name);
        if self.size_header.is_some() {
            html.leaf("td", &[("class", &"heat-size")], row.size);
        }
        for column in 0..self.columns.len() {
            match row.ratios.get(column).copied().flatten().filter(|ratio| ratio.is_finite()) {
                Some(ratio) => html.leaf("td", &[("class", &self.class(ratio))], &(self.ratio)(ratio)),
                None => html.leaf("td", &[("class", &"heat-none")], ""),
            }
        }
        html.close("tr");
    }

    /// Shows the colours in order. The numbers say the same, so screen readers skip it.
    fn write_key(&self, html: &mut Markup) {
        html.open("p", &[("class", &"heat-key"), ("aria-hidden", &"true")]);
        html.leaf("span", &[], &(self.ratio)(0.0));
        for step in 0..HEAT_STEPS {
            html.leaf("span", &[("class", &format!("heat-swatch heat-{step}"))], "");
        }
        html.leaf("span", &[], &(self.ratio)(self.strongest));
        html.close("p");
    }

    fn class(&self, ratio: f64) -> String {
        format!("heat-{}", step(ratio, self.strongest))
    }
}

/// The intensity of a ratio: equal steps from zero to `strongest`.
fn step(ratio: f64, strongest: f64) -> u8 {
    let part = if strongest > 0.0 { ratio / strongest } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
    let step = (part * f64::from(HEAT_STEPS)) as u8;
    step.min(HEAT_STEPS - 1)
}

#[cfg(test)]
mod tests {
    use super::step;

    #[test]
    fn steps_are_equal_and_have_ends() {
        let ratios = [0.0, 0.09, 0.1, 0.35, 0.59, 0.6, 7.0, -1.0];
        assert_eq!(ratios.map(|ratio| step(ratio, 0.6)), [0, 0, 1, 3, 5, 5, 5, 0]);
    }

    #[test]
    fn scale_without_length_has_the_weakest_colour() {
        assert_eq!([0.0, f64::NAN, -1.0].map(|strongest| step(0.5, strongest)), [0, 0, 0]);
    }
}
