//! The audit of pictures: each has bytes whose hash is its id, and which are what the row says.

use std::collections::BTreeMap;

use pointbook_domain::{Picture, PictureId};
use pointbook_store::ports::{Query, TenantData, read_all};
use pointbook_store::schema::PICTURE_BYTES;
use pointbook_store::schema::rows::PictureBytes;
use pointbook_store::{StoreError, StoreResult};
use sha2::{Digest, Sha256};

use crate::pictures::PictureShape;
use crate::pictures::format::shape_of;

/// The result of an audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureReport {
    pub pictures: u64,
    /// In words, by picture.
    pub differences: Vec<String>,
}

/// Compares the pictures with their bytes, as they are at one moment.
///
/// # Errors
/// When the store fails.
pub async fn audit_pictures(data: &dyn TenantData) -> StoreResult<PictureReport> {
    let moment = data.row_snapshot().await?;
    let pictures: Vec<Picture> = read_all(&*moment, Query::of::<Picture>("pictures", &["id"])).await?;
    let count = pictures.len() as u64;
    let mut left: BTreeMap<PictureId, Picture> =
        pictures.into_iter().map(|picture| (picture.id, picture)).collect();
    let (mut differences, mut after) = (Vec::new(), None);
    loop {
        let rows = moment.rows_after(&PICTURE_BYTES, after.as_ref(), PICTURE_BYTES.rows_per_page).await?;
        let read = Query::of_table("picture_bytes", &PICTURE_BYTES).read::<PictureBytes>(&rows);
        for row in read.map_err(|corrupt| StoreError::Corrupt(corrupt.0))? {
            let fault = fault(left.remove(&row.id).as_ref(), &row);
            differences.extend(fault.map(|fault| format!("picture {}: {fault}", row.id)));
        }
        let Some(last) = rows.into_iter().next_back() else { break };
        after = Some(last);
    }
    differences.extend(left.keys().map(|id| format!("picture {id}: it has no bytes")));
    Ok(PictureReport { pictures: count, differences })
}

fn fault(picture: Option<&Picture>, row: &PictureBytes) -> Option<String> {
    let Some(picture) = picture else { return Some("its bytes have no picture".to_owned()) };
    let Picture { id, format, width, height, size_bytes, created_at: _ } = picture;
    let hash: [u8; 32] = Sha256::digest(&row.bytes).into();
    if hash != id.0 {
        return Some("its bytes have another hash".to_owned());
    }
    let said = PictureShape { format: *format, width: *width, height: *height };
    let is_right = shape_of(&row.bytes) == Ok(said) && row.bytes.len() as u64 == u64::from(*size_bytes);
    (!is_right).then(|| "its bytes are another picture than the row says".to_owned())
}
