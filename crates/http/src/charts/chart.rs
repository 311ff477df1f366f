//! What charts have in common.

use super::markup::Markup;

/// A chart that is a picture and a table.
pub trait Chart {
    /// The picture alone. It is as wide as its place; its lines stretch, and its texts do not.
    fn picture(&self) -> String;

    /// The same numbers as an HTML table, with the title as its caption.
    fn table(&self) -> String;

    /// The picture, and the table behind a summary such as "Show as a table".
    fn figure(&self, summary: &str) -> String {
        let mut html = Markup::default();
        html.open("figure", &[("class", &"chart-figure")]);
        html.raw(&self.picture());
        html.open("details", &[("class", &"chart-data")]);
        html.leaf("summary", &[], summary);
        html.raw(&self.table());
        html.close("details");
        html.close("figure");
        html.finish()
    }
}
