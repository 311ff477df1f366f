//! The names of the series, above the frame.

use std::borrow::Cow;

use super::super::frame::{line, text};
use super::super::markup::Markup;
use super::super::series::{Series, series_class};
use super::super::text_width::{fit, text_width};

/// The names of two or more series, with a piece of each line.
pub(super) struct Legend<'s> {
    entries: Vec<Entry<'s>>,
}

struct Entry<'s> {
    name: Cow<'s, str>,
    x: f64,
    y: f64,
}

/// The piece of a line before its name.
const SWATCH: f64 = 24.0;

const SWATCH_GAP: f64 = 6.0;

/// Between two entries of a row.
const ENTRY_GAP: f64 = 18.0;

const ROW_HEIGHT: f64 = 22.0;

/// The middle line of the first row.
const FIRST_ROW: f64 = 10.0;

impl<'s> Legend<'s> {
    /// Places the names in as many rows as they need. The legend of one series is empty: the title names it.
    pub(super) fn new(series: &'s [Series<'s>], width: f64) -> Self {
        let (mut x, mut y, mut entries) = (0.0, FIRST_ROW, Vec::new());
        for Series { name, .. } in series.iter().filter(|_| series.len() > 1) {
            let name = fit(name, width - SWATCH - SWATCH_GAP);
            let needed = SWATCH + SWATCH_GAP + text_width(&name);
            if x > 0.0 && x + needed > width {
                (x, y) = (0.0, y + ROW_HEIGHT);
            }
            entries.push(Entry { name, x, y });
            x += needed + ENTRY_GAP;
        }
        Self { entries }
    }

    pub(super) fn height(&self) -> f64 {
        self.entries.last().map_or(0.0, |last| last.y - FIRST_ROW + ROW_HEIGHT)
    }

    pub(super) fn draw(&self, svg: &mut Markup) {
        for (at, Entry { name, x, y }) in self.entries.iter().enumerate() {
            line(svg, &format!("line {}", series_class(at)), (*x, *y), (x + SWATCH, *y));
            text(svg, "legend", (x + SWATCH + SWATCH_GAP, *y), name);
        }
    }
}
