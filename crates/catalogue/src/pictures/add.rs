//! Stores a picture.

use bytes::Bytes;
use pointbook_domain::{Picture, PictureId, Timestamp};
use pointbook_store::audit_log::picture_added_note;
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::schema::rows::PictureBytes;
use sha2::{Digest, Sha256};

use crate::pictures::{
    MAX_BYTES_OF_PICTURES, MAX_PICTURE_BYTES, MAX_PICTURES, PictureFault, PictureShape, examine,
    without_metadata,
};

/// A picture that is stored now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedPicture {
    pub picture: Picture,
    /// Whether it was not stored before.
    pub is_new: bool,
}

/// The tenant has [`MAX_PICTURES`], or would have more than [`MAX_BYTES_OF_PICTURES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the tenant has as many pictures as it may have: remove some first")]
pub struct TooManyPictures;

/// Stores a picture within the bounds of the tenant. Does nothing when the tenant has it already, so it may be repeated.
#[derive(Debug)]
pub struct AddPicture {
    picture: Picture,
    bytes: Bytes,
}

impl AddPicture {
    /// Examines a picture, takes out its metadata, and computes the hash of what is stored. That takes some milliseconds.
    ///
    /// # Errors
    /// What is wrong with the picture.
    pub fn of(bytes: &[u8], now: Timestamp) -> Result<Self, PictureFault> {
        let PictureShape { format, width, height } = examine(bytes)?;
        let bytes = Bytes::from(without_metadata(format, bytes).ok_or(PictureFault::Damaged)?);
        // An orientation may need more bytes than it had.
        let size_bytes = Some(bytes.len()).filter(|length| *length <= MAX_PICTURE_BYTES);
        let size_bytes =
            size_bytes.and_then(|length| u32::try_from(length).ok()).ok_or(PictureFault::TooLarge)?;
        let id = PictureId(Sha256::digest(&bytes).into());
        Ok(Self { picture: Picture { id, format, width, height, size_bytes, created_at: now }, bytes })
    }

    /// Its width and height, in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.picture.width, self.picture.height)
    }

    fn stored(&self, facts: &Facts) -> Result<Option<Picture>, CommandError> {
        Ok(facts.get::<Picture>(&self.picture.id)?.cloned())
    }
}

impl Command for AddPicture {
    type Outcome = Result<AddedPicture, TooManyPictures>;

    const NAME: &'static str = "add_picture";

    fn needs(&self, needs: &mut Needs) {
        needs.row::<Picture>(&self.picture.id);
    }

    /// Only a new picture needs room among all others.
    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        if self.stored(facts).is_ok_and(|stored| stored.is_none()) {
            needs.table::<Picture>();
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<Self::Outcome, CommandError> {
        let Self { picture, bytes } = self;
        if let Some(picture) = self.stored(facts)? {
            return Ok(Ok(AddedPicture { picture, is_new: false }));
        }
        let known = facts.table::<Picture>()?;
        let total: u64 = known.iter().chain([picture]).map(|picture| u64::from(picture.size_bytes)).sum();
        if known.len() >= MAX_PICTURES || total > MAX_BYTES_OF_PICTURES {
            return Ok(Err(TooManyPictures));
        }
        facts.note(|| picture_added_note(picture));
        facts.put(picture.clone())?;
        facts.overwrite(PictureBytes { id: picture.id, bytes: bytes.to_vec() });
        Ok(Ok(AddedPicture { picture: picture.clone(), is_new: true }))
    }
}

#[cfg(test)]
mod tests;
