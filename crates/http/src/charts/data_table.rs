//! The numbers of a chart as an HTML table.

use super::markup::Markup;

/// Writes a table: `headers` names the columns, and each row begins with its name.
pub(crate) fn data_table<'r>(
    caption: &str,
    headers: &[&str],
    rows: impl Iterator<Item = (&'r str, Vec<String>)>,
) -> String {
    let mut html = Markup::default();
    html.open("table", &[("class", &"table")]);
    html.leaf("caption", &[], caption);
    html.open("thead", &[]);
    html.open("tr", &[]);
    for header in headers {
        html.leaf("th", &[("scope", &"col")], header);
    }
    html.close("tr");
    html.close("thead");
    html.open("tbody", &[]);
    for (name, cells) in rows {
        html.open("tr", &[]);
        html.leaf("th", &[("scope", &"row")], name);
        for cell in cells {
            html.leaf("td", &[], &cell);
        }
        html.close("tr");
    }
    html.close("tbody");
    html.close("table");
    html.finish()
}
