//! Charts of numbers for pages whose Content-Security-Policy forbids inline styles and scripts.
//!
//! A chart becomes SVG and an HTML table with the same numbers. Elements have classes and no colours; [`STYLE`] gives the
//! classes their colours, for light and dark pages. All texts come from the caller, and every text is escaped.
//!
//! Equal charts become equal bytes: coordinates have at most one decimal.

mod bars;
mod caption;
mod chart;
mod data_table;
mod days;
mod frame;
mod heat_table;
mod markup;
mod number;
mod path;
mod scale;
mod series;
mod sparkline;
mod text_width;
mod ticks;
mod time_series;

pub use bars::{Bar, Bars, Direction};
pub use caption::{Caption, Size};
pub use chart::Chart;
pub use days::Day;
pub use heat_table::{HEAT_STEPS, HeatRow, HeatTable};
pub use number::{Number, NumberFormat};
pub use series::{Series, SeriesTexts};
pub use sparkline::Sparkline;
pub use time_series::TimeSeries;

/// The stylesheet of all charts. Its custom properties begin with `--chart-`; a page may override them.
pub const STYLE: &str = include_str!("../../assets/charts.css");
