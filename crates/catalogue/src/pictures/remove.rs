//! Removes a picture that no product shows.

use crate::version;
use pointbook_domain::picture::path_of;
use pointbook_domain::{Picture, PictureId, Product, ProductId};
use pointbook_store::audit_log::picture_removed_note;
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::{CatalogueVersion, Query, TenantData, read_all};
use pointbook_store::schema::rows::CatalogueState;
use pointbook_store::schema::rows::PictureBytes;
use pointbook_store::{Context, StoreError, StoreResult};

/// How often the removal starts again because a product was changed meanwhile.
const MAX_ATTEMPTS: usize = 8;

/// What became of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PictureRemoval {
    Removed,
    /// The tenant has no such picture.
    Unknown,
    /// This product shows it.
    Used(ProductId),
    /// It is the logo of the tenant.
    Logo,
}

/// Removes a picture, unless it is the logo, or a product shows it as thumbnail or in its gallery. Retired products do not count.
///
/// No statement searches the products inside the write. So this searches first, and the write holds only for the version of the
/// catalogue that was searched.
///
/// # Errors
/// When the store fails, and [`StoreError::Overloaded`] when products change all the time.
pub async fn remove_picture(context: &Context, id: PictureId) -> StoreResult<PictureRemoval> {
    let logo = &context.tenant.tenant.settings.logo;
    if logo.as_ref().is_some_and(|logo| logo.contains(&path_of(&id))) {
        return Ok(PictureRemoval::Logo);
    }
    for _ in 0..MAX_ATTEMPTS {
        let data = &*context.tenant.data;
        let version = data.catalogue_version().await?;
        if let Some(product) = product_with(data, &id).await? {
            return Ok(PictureRemoval::Used(product));
        }
        match context.write(RemovePicture { id, version }).await? {
            RemovalOutcome::Removed => return Ok(PictureRemoval::Removed),
            RemovalOutcome::Unknown => return Ok(PictureRemoval::Unknown),
            RemovalOutcome::OtherCatalogue => {}
        }
    }
    Err(StoreError::Overloaded)
}

/// The first product that shows the picture.
async fn product_with(data: &dyn TenantData, id: &PictureId) -> StoreResult<Option<ProductId>> {
    let path = path_of(id);
    let query = Query::of::<Product>("find_product_with_picture", &["id"]);
    let query = query.null("retired_at", Some(true)).has_part(&["thumbnail", "gallery"], Some(&path));
    let found: Vec<Product> = read_all(data, query.limit(1)).await?;
    Ok(found.into_iter().next().map(|product| product.id))
}

/// Removes a picture while the catalogue has this version, which shows it nowhere.
#[derive(Debug)]
pub struct RemovePicture {
    pub id: PictureId,
    pub version: CatalogueVersion,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovalOutcome {
    Removed,
    Unknown,
    /// The catalogue has changed.
    OtherCatalogue,
}

impl Command for RemovePicture {
    type Outcome = RemovalOutcome;

    const NAME: &'static str = "remove_picture";

    fn needs(&self, needs: &mut Needs) {
        needs.row::<Picture>(&self.id);
        needs.row::<CatalogueState>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<Self::Outcome, CommandError> {
        let Self { id, version } = self;
        let Some(picture) = facts.get::<Picture>(id)?.cloned() else { return Ok(RemovalOutcome::Unknown) };
        if version::unchanged(facts)? != Some(*version) {
            return Ok(RemovalOutcome::OtherCatalogue);
        }
        facts.note(|| picture_removed_note(&picture));
        facts.remove_unread(&PictureBytes { id: *id, bytes: Vec::new() });
        facts.remove(&picture)?;
        Ok(RemovalOutcome::Removed)
    }
}

#[cfg(test)]
mod tests;
