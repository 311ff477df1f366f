//! Reports: one object per row, with a member for each column.

use pointbook_http::describe::{Field, Schema, required};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::reports::{Column, ColumnKind, DayRange, Report, ReportTable, Span, Value};

/// A report with its rows.
#[derive(Serialize)]
pub struct ReportView<'r> {
    data: Vec<RowView<'r>>,
    meta: MetaView<'r>,
}

#[derive(Serialize)]
struct MetaView<'r> {
    report: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    time_zone: &'r str,
    complete: bool,
}

struct RowView<'r> {
    columns: &'static [Column],
    values: &'r [Value],
}

impl<'r> From<&'r ReportTable> for ReportView<'r> {
    fn from(table: &'r ReportTable) -> Self {
        let ReportTable { report, range, time_zone, is_complete, rows } = table;
        let columns = report.columns;
        let days = (report.span == Span::Days).then_some(*range);
        let (from, until) =
            days.map(|DayRange { from, until }| (from.to_string(), until.to_string())).unzip();
        let meta = MetaView { report: report.name, from, until, time_zone, complete: *is_complete };
        Self { data: rows.iter().map(|values| RowView { columns, values }).collect(), meta }
    }
}

impl Serialize for RowView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_map(Some(self.columns.len()))?;
        for (column, value) in self.columns.iter().zip(self.values) {
            match value {
                Value::Number(number) => row.serialize_entry(column.name, number)?,
                Value::Few | Value::Hidden => row.serialize_entry(column.name, &())?,
                Value::Day(_) | Value::Month(_) | Value::Text(_) => {
                    row.serialize_entry(column.name, &value.to_string())?;
                }
            }
        }
        row.end()
    }
}

/// The schema of a report's response.
pub fn report_schema(report: &Report) -> Schema {
    let complete = "Whether everything in the ledger is counted. `false` while the server still counts, such as after the first report of a large ledger.";
    let days = |name, about: &str| required(name, Schema::date().describe(about));
    let days = match report.span {
        Span::Days => vec![days("from", "The first day."), days("until", "The last day.")],
        Span::Whole => Vec::new(),
    };
    let meta = [required("report", Schema::one_of([report.name]))].into_iter().chain(days).chain([
        required("time_zone", Schema::text().describe("The time zone of the days and months.")),
        required("complete", Schema::boolean().describe(complete)),
    ]);
    Schema::object([
        required("data", Schema::list(Schema::object(report.columns.iter().map(field)))),
        required("meta", Schema::object(meta)),
    ])
}

fn field(column: &Column) -> Field {
    let schema = match column.kind {
        ColumnKind::Day => Schema::date(),
        ColumnKind::Month => Schema::matching("^[0-9]{4}-(0[1-9]|1[0-2])$"),
        ColumnKind::Text(_) => Schema::text(),
        ColumnKind::Count | ColumnKind::Members | ColumnKind::Movers | ColumnKind::GroupSize => {
            Schema::count()
        }
        ColumnKind::Points | ColumnKind::Percent => Schema::whole(),
    };
    required(column.name, schema.describe(column.about))
}
