//! Labelled values as bars below each other.

use super::caption::Caption;
use super::chart::Chart;
use super::data_table::data_table;
use super::markup::{Markup, Percent};
use super::number::{Number, NumberFormat};
use super::path::FULL;
use super::scale::Scale;

/// A bar for each label, with its value after it. All bars begin at zero. Labels and values are texts of the page; one that is too long is cut,
/// and its hint has the whole.
#[derive(Clone, Copy)]
pub struct Bars<'t> {
    pub caption: Caption<'t>,
    pub bars: &'t [Bar<'t>],
    pub number: NumberFormat<'t>,
    /// Head the two columns of the table: the labels and the values.
    pub headers: [&'t str; 2],
    /// Stands in a picture without bars.
    pub empty: &'t str,
}

/// A value and its name.
#[derive(Debug, Clone, Copy)]
pub struct Bar<'t> {
    pub label: &'t str,
    /// NaN and infinities have no bar; their value is still printed.
    pub value: Number,
}

/// A bar of a value other than zero is at least this long.
const SHORTEST: f64 = 0.3;

impl Chart for Bars<'_> {
    fn picture(&self) -> String {
        let (mut html, scale) = (Markup::default(), Scale::new(&self.ends(), 0.0, FULL));
        if self.bars.is_empty() {
            html.leaf("p", &[("class", &"chart-legend")], self.empty);
            return html.finish();
        }
        html.open("ul", &[("class", &"chart-bars"), ("aria-label", &self.caption.title)]);
        for bar in self.bars {
            let printed = (self.number)(bar.value);
            html.open("li", &[("title", &format!("{}\n{printed}", bar.label))]);
            html.leaf("span", &[], bar.label);
            html.open("svg", &[("aria-hidden", &"true")]);
            if let Some(value) = bar.value.finite().filter(|value| value.drawn() != 0.0) {
                let (zero, end) = (scale.at(0.0.into()), scale.at(value));
                let length = (end - zero).abs().max(SHORTEST);
                let x = zero.min(end).min(FULL - length);
                html.empty(
                    "rect",
                    &[
                        ("class", &"bar series-1"),
                        ("x", &Percent(x)),
                        ("width", &Percent(length)),
                        ("height", &Percent(FULL)),
                        ("rx", &"2"),
                    ],
                );
            }
            html.close("svg");
            html.leaf("b", &[], &printed);
            html.close("li");
        }
        html.close("ul");
        html.finish()
    }

    fn table(&self) -> String {
        let rows = self.bars.iter().map(|bar| (bar.label, vec![(self.number)(bar.value)]));
        data_table(self.caption.title, &self.headers, rows)
    }
}

impl Bars<'_> {
    /// The ends of the axis: zero, and the largest value on each side.
    fn ends(&self) -> [Number; 2] {
        let values = || self.bars.iter().filter_map(|bar| bar.value.finite()).map(Number::drawn);
        let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
        let high = if low < high { high } else { 1.0 };
        [low, high].map(Number::Real)
    }
}
