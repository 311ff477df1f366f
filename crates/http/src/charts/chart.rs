//! What charts of two shapes have in common.

use super::caption::Size;
use super::markup::Markup;

/// A chart that is a picture and a table.
pub trait Chart {
    /// The picture alone, in one of its two shapes. Both shapes may be on one page: their ids differ.
    fn svg(&self, size: Size) -> String;

    /// The same numbers as an HTML table, with the title as its caption.
    fn table(&self) -> String;

    /// Both shapes, of which [`STYLE`](super::STYLE) shows the one that fits, and the table behind a summary such as "Show as a table".
    fn figure(&self, summary: &str) -> String {
        let mut html = Markup::default();
        html.open("figure", &[("class", &"chart-figure")]);
        html.raw(&self.svg(Size::Wide));
        html.raw(&self.svg(Size::Narrow));
        html.open("details", &[("class", &"chart-data")]);
        html.leaf("summary", &[], summary);
        html.raw(&self.table());
        html.close("details");
        html.close("figure");
        html.finish()
    }
}
