//! Stores a picture.

use bytes::Bytes;
use pointbook_app::background::in_background;
use pointbook_app::commands::{Command, CommandError, Facts, Needs};
use pointbook_app::{Context, StoreResult};
use pointbook_audit_log::picture_added_note;
use pointbook_domain::{Picture, PictureId};
use pointbook_schema::PICTURES;
use pointbook_schema::rows::PictureBytes;
use sha2::{Digest, Sha256};

use crate::{MAX_BYTES_OF_PICTURES, MAX_PICTURES, PictureFault, PictureShape, examine, find_picture};

/// Why a picture is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PictureRefusal {
    #[error(transparent)]
    Fault(#[from] PictureFault),
    /// The tenant has [`MAX_PICTURES`], or would have more than [`MAX_BYTES_OF_PICTURES`].
    #[error("the tenant has as many pictures as it may have: remove some first")]
    TooMany,
}

/// A picture that is stored now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedPicture {
    pub picture: Picture,
    /// Whether it was not stored before.
    pub is_new: bool,
}

/// Stores the bytes of a picture. Does nothing when the tenant has the same bytes already, so it may be repeated.
///
/// # Errors
/// When the store fails.
pub async fn add_picture(
    context: &Context,
    bytes: Bytes,
) -> StoreResult<Result<AddedPicture, PictureRefusal>> {
    let shape = match examine(&bytes) {
        Ok(shape) => shape,
        Err(fault) => return Ok(Err(fault.into())),
    };
    let picture = |id, size_bytes| {
        let PictureShape { format, width, height } = shape;
        Picture { id, format, width, height, size_bytes, created_at: context.now }
    };
    let hashed = bytes.clone();
    let id = PictureId(in_background(move || Sha256::digest(&hashed).into()).await?);
    if let Some(picture) = find_picture(&*context.tenant.data, &id).await? {
        return Ok(Ok(AddedPicture { picture, is_new: false }));
    }
    let Ok(size_bytes) = u32::try_from(bytes.len()) else { return Ok(Err(PictureFault::TooLarge.into())) };
    context.write(AddPicture { picture: picture(id, size_bytes), bytes }).await
}

/// Stores a picture within the bounds of the tenant. The bytes are those of the picture.
#[derive(Debug)]
pub struct AddPicture {
    pub picture: Picture,
    pub bytes: Bytes,
}

impl Command for AddPicture {
    type Outcome = Result<AddedPicture, PictureRefusal>;

    const NAME: &'static str = "add_picture";

    fn needs(&self, needs: &mut Needs) {
        needs.table(&PICTURES);
    }

    fn decide(&self, facts: &mut Facts) -> Result<Self::Outcome, CommandError> {
        let Self { picture, bytes } = self;
        let known = facts.rows::<Picture>()?;
        if let Some(stored) = known.iter().find(|stored| stored.id == picture.id) {
            return Ok(Ok(AddedPicture { picture: stored.clone(), is_new: false }));
        }
        let total: u64 = known.iter().chain([picture]).map(|picture| u64::from(picture.size_bytes)).sum();
        if known.len() >= MAX_PICTURES || total > MAX_BYTES_OF_PICTURES {
            return Ok(Err(PictureRefusal::TooMany));
        }
        facts.note(|| picture_added_note(picture));
        facts.write_row(picture)?;
        facts.put_rows(&[PictureBytes { id: picture.id, bytes: bytes.to_vec() }]);
        Ok(Ok(AddedPicture { picture: picture.clone(), is_new: true }))
    }
}

#[cfg(test)]
mod tests;
