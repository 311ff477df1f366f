//! Finds pictures, and lists them.

use pointbook_domain::{PageRequest, Picture, PictureId, Tenant};
use pointbook_store::StoreResult;
use pointbook_store::ports::{PageOf, Query, TenantData, read_all, read_one, read_page};
use pointbook_store::schema::rows::PictureBytes;

/// What is known of a picture.
///
/// # Errors
/// When the store fails.
pub async fn find_picture(data: &dyn TenantData, id: &PictureId) -> StoreResult<Option<Picture>> {
    read_one(data, Query::of::<Picture>("find_picture", &[]).equal("id", Some(id))).await
}

/// The bytes of a picture. They may be large, so the store reads them as it reads long lists, and short reads go first.
///
/// # Errors
/// When the store fails.
pub async fn find_bytes(data: &dyn TenantData, id: &PictureId) -> StoreResult<Option<Vec<u8>>> {
    let query = Query::of::<PictureBytes>("find_picture_bytes", &[]).equal("id", Some(id)).limit(1);
    let rows: Vec<PictureBytes> = read_all(data, query).await?;
    Ok(rows.into_iter().next().map(|row| row.bytes))
}

/// A page of all pictures, the newest first.
///
/// # Errors
/// When the store fails.
pub async fn list_pictures(data: &dyn TenantData, page: PageRequest) -> StoreResult<PageOf<Picture>> {
    let query = Query::of::<Picture>("list_pictures", &["created_at", "id"]).descending();
    read_page(data, query, page).await
}

/// The URL under which everyone can see a picture.
pub fn url_of(tenant: &Tenant, picture: &Picture) -> String {
    format!("{}{}", tenant.base_url.as_str(), picture.path())
}
