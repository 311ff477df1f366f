//! Charts of numbers for pages whose Content-Security-Policy forbids inline styles and scripts.
//!
//! A chart becomes a picture of SVG and HTML, and an HTML table with the same numbers. The picture fills the width of its place: lines stretch, and
//! texts keep their size, so that all charts of a page align. Elements have classes and no colours; [`STYLE`] gives the
//! classes their colours, for light and dark pages. All texts come from the caller, and every text is escaped.
//!
//! Equal charts become equal bytes: coordinates have at most two decimals.

mod bars;
mod caption;
mod chart;
mod data_table;
mod days;
mod heat_table;
mod markup;
mod number;
mod path;
mod scale;
mod series;
mod sparkline;
mod ticks;
mod time_series;

pub use bars::{Bar, Bars};
pub use caption::Caption;
pub use chart::Chart;
pub use days::Day;
pub use heat_table::{HEAT_STEPS, HeatRow, HeatTable};
pub use number::{Number, NumberFormat};
pub use series::{Series, SeriesTexts};
pub use sparkline::Sparkline;
pub use time_series::{Shape, TimeSeries};

/// The stylesheet of all charts. Its custom properties begin with `--chart-`; a page may override them.
pub const STYLE: &str = include_str!("../../assets/charts.css");
