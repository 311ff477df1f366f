//! Which pictures of this server a URL may name.

use std::collections::HashMap;

use pointbook_app::ports::{Query, read_all};
use pointbook_app::{ServedTenant, StoreResult};
use pointbook_domain::picture::FOLDER;
use pointbook_domain::{Picture, PictureFormat, PictureId};

/// All pictures of a tenant at one moment, at most [`crate::MAX_PICTURES`].
#[derive(Debug)]
pub struct KnownPictures {
    /// The URL that all pictures of the tenant begin with.
    folder: String,
    formats: HashMap<PictureId, PictureFormat>,
}

impl KnownPictures {
    /// # Errors
    /// When the store fails.
    pub async fn of(served: &ServedTenant) -> StoreResult<Self> {
        let pictures: Vec<Picture> =
            read_all(&*served.data, Query::of::<Picture>("known_pictures", &["id"])).await?;
        Ok(Self::new(folder_of(served), pictures))
    }

    pub(crate) fn new(folder: String, pictures: Vec<Picture>) -> Self {
        let formats = pictures.into_iter().map(|picture| (picture.id, picture.format)).collect();
        Self { folder, formats }
    }

    /// Whether the URL is one of pictures of the tenant, and no picture is there.
    pub fn lacks(&self, url: &str) -> bool {
        let Some(rest) = url.strip_prefix(&*self.folder) else { return false };
        let name = rest.split(['?', '#']).next().unwrap_or_default();
        let found = name.split_once('.').and_then(|(id, extension)| {
            let format = self.formats.get(&PictureId::parse(id).ok()?)?;
            (format.extension() == extension).then_some(())
        });
        found.is_none()
    }
}

/// Those of the URLs that name a picture of the tenant that is gone. It reads nothing when no URL is one of pictures of the tenant.
///
/// # Errors
/// When the store fails.
pub async fn missing_pictures<'u>(
    served: &ServedTenant,
    urls: impl IntoIterator<Item = &'u str>,
) -> StoreResult<Vec<&'u str>> {
    let folder = folder_of(served);
    let mut own: Vec<&str> = urls.into_iter().filter(|url| url.starts_with(&folder)).collect();
    if own.is_empty() {
        return Ok(own);
    }
    let known = KnownPictures::of(served).await?;
    own.retain(|url| known.lacks(url));
    Ok(own)
}

fn folder_of(served: &ServedTenant) -> String {
    format!("{}{FOLDER}", served.tenant.base_url.as_str())
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Timestamp;

    use super::*;

    #[test]
    fn a_url_of_the_tenant_names_a_stored_picture_or_lacks_it() {
        let created_at = Timestamp::from_micros(0).unwrap();
        let (id, format) = (PictureId([7; 32]), PictureFormat::Png);
        let picture = Picture { id, format, width: 1, height: 1, size_bytes: 1, created_at };
        let folder = "https://a.example/api/pictures/";
        let known = KnownPictures::new(folder.to_owned(), vec![picture]);
        for name in [format!("{id}.png"), format!("{id}.png?v=1"), format!("{id}.png#x")] {
            assert!(!known.lacks(&format!("{folder}{name}")), "{name}");
        }
        let other = PictureId([8; 32]);
        for name in [
            format!("{id}.jpg"),
            format!("{id}"),
            format!("{other}.png"),
            format!("{id}.png/x"),
            String::new(),
        ] {
            assert!(known.lacks(&format!("{folder}{name}")), "{name}");
        }
        let elsewhere = format!("https://b.example/api/pictures/{other}.png");
        assert!(!known.lacks(&elsewhere) && !known.lacks(""));
    }
}
