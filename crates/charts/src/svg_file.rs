//! Charts as files.

use super::STYLE;
use super::caption::Size;
use super::chart::Chart;

/// The beginning of a root element, which in a page needs no namespace.
const ROOT: &str = "<svg ";

const ROOT_OF_FILE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" ";

const PAPER: &str = "svg { background: var(--chart-paper); }";

/// The wide picture of a chart as a file with its stylesheet.
pub fn svg_file(chart: &impl Chart) -> String {
    let picture = chart.svg(Size::Wide).replacen(ROOT, ROOT_OF_FILE, 1);
    let (root, rest) = picture.split_once('>').unwrap_or_default();
    format!("{root}>\n<style>\n{STYLE}{PAPER}\n</style>\n{rest}\n")
}
