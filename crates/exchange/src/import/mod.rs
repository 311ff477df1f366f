//! Imports. Rows are read, checked field by field and stored in batches, so memory stays bounded.
//! Valid rows are stored and the others go to a reject file. Importing the same users or activities again
//! changes nothing. Importing a product file with a stock column again sets the stock again.

mod activities;
mod categories;
mod cell;
mod csv_record;
pub(crate) mod dry_run;
mod error;
mod fields;
mod format;
mod header;
mod kind;
mod options;
mod pipeline;
mod problems;
mod products;
mod progress;
mod rejects;
mod rows;
mod rule;
mod source;
mod summary;
mod users;
mod watch;

pub use activities::ACTIVITY_COLUMNS;
pub use error::ImportError;
pub use format::Format;
use kind::RowKind;
pub use kind::{Columns, Importer, Kind, Target};
pub use options::{Effect, Options, Stop};
use pointbook_catalogue::cache::CatalogueCache;
use pointbook_domain::Timestamp;
pub use problems::Problems;
pub use products::PRODUCT_COLUMNS;
pub use progress::ProgressMode;
pub use rejects::Reject;
pub use rows::MAX_ROW_BYTES;
pub use rule::Rule;
pub use source::Input;
pub use summary::{Ending, NewUsers, Retirement, Summary, UnknownCategories};
pub use users::USER_COLUMNS;
pub use watch::{Reached, RejectedRow, Watch};

/// Imports input of this kind into a tenant.
///
/// # Errors
/// [`ImportError`] when the whole input is refused. An import that has started returns a
/// [`Summary`], whose `ending` says whether it is complete.
pub async fn run(
    target: Target<'_>,
    kind: Kind,
    input: Input,
    mut options: Options,
) -> Result<Summary, ImportError> {
    if options.replace && kind != Kind::Products {
        return Err(ImportError::Usage("--replace works only for products".to_owned()));
    }
    if options.apply_rules && kind != Kind::Activities {
        return Err(ImportError::Usage("--apply-rules works only for activities".to_owned()));
    }
    let is_dry = options.effect == Effect::Try;
    if is_dry && options.replace {
        return Err(ImportError::Usage("--dry-run does not work with --replace".to_owned()));
    }
    let summary = match kind {
        Kind::Categories => {
            categories::import_tree(target, input, options.may_be_empty, options.effect).await?
        }
        Kind::Products => import_products(target, input, &mut options).await?,
        Kind::Users => {
            let mut users = users::Users::new(is_dry);
            let summary = pipeline::import_rows(&mut users, target, input, &mut options).await?;
            Summary { new_users: is_dry.then_some(users.new_users), ..summary }
        }
        Kind::Activities => {
            let mut activities = activities::Activities::new(options.apply_rules, is_dry);
            let summary = pipeline::import_rows(&mut activities, target, input, &mut options).await?;
            Summary { new_users: is_dry.then_some(activities.new_users), ..summary }
        }
    };
    if is_dry {
        return Ok(summary);
    }
    if let Err(error) = target.tenant.state::<CatalogueCache>().refresh(target.clock.now()).await {
        let error: &dyn std::error::Error = &error;
        tracing::warn!(error, "catalogue refresh failed");
    }
    Ok(summary)
}

/// A row of an input that was only checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedRow {
    /// Its first line, from 1.
    pub line: u64,
    /// The row, when it was refused.
    pub refused: Option<RejectedRow>,
}

/// Reads and checks a whole input as an import does, without a tenant; a tenant may refuse more. Of a category tree, it returns no
/// rows. Fuzz targets use it.
///
/// # Errors
/// [`ImportError`] when the whole input is refused.
pub fn check(kind: Kind, input: Input, now: Timestamp) -> Result<Vec<CheckedRow>, ImportError> {
    match kind {
        Kind::Categories => categories::check_tree(input).map(|_| Vec::new()),
        Kind::Products => pipeline::check_rows::<products::Products>(input, now),
        Kind::Users => pipeline::check_rows::<users::Users>(input, now),
        Kind::Activities => pipeline::check_rows::<activities::Activities>(input, now),
    }
}

/// The columns of a file of this kind. The tree of categories has no columns but members of JSON objects.
pub fn columns(kind: Kind) -> Columns {
    match kind {
        Kind::Categories => categories::COLUMNS,
        Kind::Products => products::Products::COLUMNS,
        Kind::Users => users::Users::COLUMNS,
        Kind::Activities => activities::Activities::COLUMNS,
    }
}

/// The id of the text of the console that says what a column means.
pub fn meaning_text(kind: Kind, column: &str) -> String {
    format!("import-{kind}-column-{}", column.replace('_', "-"))
}

async fn import_products(
    target: Target<'_>,
    input: Input,
    options: &mut Options,
) -> Result<Summary, ImportError> {
    let mut products = products::Products::new(options.replace, options.effect == Effect::Try);
    let mut summary = pipeline::import_rows(&mut products, target, input, options).await?;
    if options.replace {
        match reason_not_to_retire(&summary) {
            Some(reason) => summary.retirement = Retirement::LeftOut(reason),
            None => products.retire_missing(target, &mut options.stop, &mut summary).await,
        }
    }
    summary.unknown_categories = products.unknown;
    Ok(summary)
}

/// An incomplete input does not show which products are missing from it.
fn reason_not_to_retire(summary: &Summary) -> Option<&'static str> {
    match summary.ending {
        Ending::Complete if summary.rejected > 0 => Some("rows were rejected"),
        Ending::Complete if summary.is_of_rejects => Some("the input is a reject file"),
        Ending::Complete if summary.read == 0 => Some("the input has no products"),
        Ending::Complete => None,
        _ => Some("the import is not complete"),
    }
}
