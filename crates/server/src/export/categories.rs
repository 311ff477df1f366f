use std::io::{self, Write};

use pointbook_app::ports::TenantData;
use pointbook_domain::Category;
use serde::Serialize;

use super::error::ExportError;

/// Writes the tree as one JSON array; gives how many categories it has.
pub(super) async fn export(
    data: &dyn TenantData,
    output: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    let tree = data.categories().await?;
    let roots: Vec<CategoryView<'_>> = tree.roots().iter().map(CategoryView::of).collect();
    serde_json::to_writer_pretty(&mut *output, &roots).map_err(io::Error::from)?;
    output.write_all(b"\n")?;
    let mut written = 0;
    tree.visit(&mut |_, _, _| written += 1);
    Ok(written)
}

#[derive(Serialize)]
struct CategoryView<'t> {
    id: &'t str,
    label: &'t str,
    children: Vec<CategoryView<'t>>,
}

impl<'t> CategoryView<'t> {
    fn of(category: &'t Category) -> Self {
        let Category { id, label, children } = category;
        Self { id: id.as_str(), label, children: children.iter().map(Self::of).collect() }
    }
}
