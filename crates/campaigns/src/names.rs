//! Names that a back office chooses for campaigns and groups.

use std::fmt;
use std::sync::Arc;

use pointbook_domain::id::FormError;

const MAX_NAME_CHARS: usize = 64;
const NAME_RULE: FormError = FormError("must have 1 to 64 characters of a-z, 0-9, _ and -");

macro_rules! names {
    ($($(#[$doc:meta])* $vis:vis $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(Arc<str>);

        impl $name {
            /// Takes 1 to 64 characters of `a-z`, `0-9`, `_` and `-`.
            ///
            /// # Errors
            /// [`FormError`] for anything else.
            $vis fn new(text: &str) -> Result<Self, FormError> {
                check(text).map(|()| Self(text.into()))
            }

            $vis fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}

names! {
    /// A campaign of one tenant. The back office chooses the id, and all versions of the campaign share it.
    pub CampaignId;
    /// A group of campaigns, of which only one wins.
    pub(crate) GroupName;
}

fn check(text: &str) -> Result<(), FormError> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    let fits = (1..=MAX_NAME_CHARS).contains(&text.len()) && text.bytes().all(allowed);
    fits.then_some(()).ok_or(NAME_RULE)
}
