//! Labelled values as bars.

mod horizontal;
mod vertical;

use super::caption::{Caption, Size};
use super::chart::Chart;
use super::data_table::data_table;
use super::frame::{Frame, empty_text};
use super::markup::{Length, Markup};
use super::number::{Number, NumberFormat};
use horizontal::Rows;
use vertical::Columns;

/// A bar for each label, with its value printed at its end. All bars begin at zero.
#[derive(Clone, Copy)]
pub struct Bars<'t> {
    pub caption: Caption<'t>,
    pub bars: &'t [Bar<'t>],
    pub direction: Direction,
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

/// Where bars point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the right, below each other. The best choice for names.
    Horizontal,
    /// Up, beside each other. Bars whose texts do not fit become horizontal.
    Vertical,
}

/// A bar with its texts as far as they fit.
struct Drawn<'t> {
    label: &'t str,
    value: Option<Number>,
    printed: String,
}

impl Chart for Bars<'_> {
    fn svg(&self, size: Size) -> String {
        let drawn = self.drawn();
        let rows = Rows::new(&drawn, size);
        let columns = Columns::new(&drawn, size).filter(|_| self.direction == Direction::Vertical);
        let height = if columns.is_some() { vertical::HEIGHT } else { rows.height() };
        let mut svg = self.caption.open_svg("chart-bars", size, height);
        match columns {
            Some(columns) => columns.draw(&mut svg),
            None => rows.draw(&mut svg),
        }
        if drawn.is_empty() {
            empty_text(
                &mut svg,
                Frame { left: 0.0, top: 0.0, right: size.width(), bottom: height },
                self.empty,
            );
        }
        svg.close("svg");
        svg.finish()
    }

    fn table(&self) -> String {
        let rows = self.bars.iter().map(|bar| (bar.label, vec![(self.number)(bar.value)]));
        data_table(self.caption.title, &self.headers, rows)
    }
}

impl<'t> Bars<'t> {
    fn drawn(&self) -> Vec<Drawn<'t>> {
        let drawn = |bar: &Bar<'t>| Drawn {
            label: bar.label,
            value: bar.value.finite(),
            printed: (self.number)(bar.value),
        };
        self.bars.iter().map(drawn).collect()
    }
}

impl Drawn<'_> {
    fn is_negative(&self) -> bool {
        self.value.is_some_and(|value| value.drawn() < 0.0)
    }

    /// Begins the group of a bar. Its title has the whole texts, which may be shortened in the picture.
    fn open_group(&self, svg: &mut Markup) {
        svg.open("g", &[]);
        svg.leaf("title", &[], &format!("{}\n{}", self.label, self.printed));
    }
}

/// The ends of the axis: zero, and the largest value on each side.
fn ends(bars: &[Drawn<'_>]) -> [Number; 2] {
    let values = || bars.iter().filter_map(|bar| bar.value).map(Number::drawn);
    let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let high = if low < high { high } else { 1.0 };
    [low, high].map(Number::Real)
}

/// Draws a bar from its corner, its width and its height.
fn draw_bar(svg: &mut Markup, corner: (f64, f64), (width, height): (f64, f64)) {
    svg.empty(
        "rect",
        &[
            ("class", &"bar series-1"),
            ("x", &Length(corner.0)),
            ("y", &Length(corner.1)),
            ("width", &Length(width)),
            ("height", &Length(height)),
            ("rx", &"2"),
        ],
    );
}
