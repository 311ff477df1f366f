//! The form of a new key: what was typed, its mistakes, and the key that it describes.

use pointbook_domain::{Networks, Role, Scope, Scopes, TokenKind, TokenLabel};
use pointbook_http::pages::{Form, PageError};

use crate::tokens::issue::{DEFAULT_KEY_SECONDS, NewToken};

/// The most days until a key expires, as the operation has it.
pub(super) const MAX_DAYS: u32 = 10 * 365;
const SECONDS_PER_DAY: u32 = 86_400;

/// What was typed.
#[derive(Default)]
pub(super) struct Typed {
    pub(super) label: String,
    pub(super) scopes: Vec<Scope>,
    pub(super) networks: String,
    pub(super) days: String,
}

/// The ids of the texts of the mistakes.
#[derive(Default)]
pub(super) struct Mistakes {
    pub(super) label: Option<&'static str>,
    pub(super) scopes: Option<&'static str>,
    pub(super) networks: Option<&'static str>,
    pub(super) days: Option<&'static str>,
}

impl Typed {
    /// # Errors
    /// [`PageError::BadRequest`] for what no form of this server sends, such as an unknown scope.
    pub(super) fn of(form: &Form) -> Result<Self, PageError> {
        let scopes: Option<_> = form.all("scope").map(Scope::parse).collect();
        let text = |name| form.field(name).map(|text| text.trim().to_owned());
        Ok(Self {
            label: text("label")?,
            scopes: scopes.ok_or(PageError::BadRequest)?,
            networks: text("networks")?,
            days: text("days")?,
        })
    }

    /// The empty form: a key expires after a year, unless the operator says otherwise.
    pub(super) fn new() -> Self {
        Self { days: (DEFAULT_KEY_SECONDS / SECONDS_PER_DAY).to_string(), ..Self::default() }
    }

    /// All that the form says, to recognise a repetition.
    pub(super) fn request(&self) -> String {
        let scopes: Vec<_> = self.scopes.iter().map(|scope| scope.as_str()).collect();
        format!("key\n{}\n{}\n{}\n{}", self.label, scopes.join(" "), self.networks, self.days)
    }

    /// The key, or the mistakes.
    pub(super) fn read(&self) -> Result<NewToken, Mistakes> {
        let (label, scopes) =
            (TokenLabel::new(self.label.as_str()), Scopes::new(self.scopes.iter().copied()));
        let networks = Networks::parse(&self.networks.replace(',', " "));
        let days = match self.days.as_str() {
            "" => Ok(None),
            text => text.parse().ok().filter(|days| (1..=MAX_DAYS).contains(days)).map(Some).ok_or(()),
        };
        match (label, scopes, networks, days) {
            (Ok(label), Ok(scopes), Ok(networks), Ok(days)) => {
                let bare = NewToken::new(TokenKind::SuperUser, days.map(|days: u32| days * SECONDS_PER_DAY));
                Ok(NewToken { label: Some(label), scopes: Some(scopes), networks, ..bare })
            }
            (label, scopes, networks, days) => Err(Mistakes {
                label: label.is_err().then_some("key-label-mistake"),
                scopes: scopes.is_err().then_some("key-scopes-mistake"),
                networks: networks.is_err().then_some("key-networks-mistake"),
                days: days.is_err().then_some("key-days-mistake"),
            }),
        }
    }

    /// Whether the role has each of the scopes. A key cannot grant what its maker lacks.
    pub(super) fn is_within(&self, role: Role) -> bool {
        self.scopes.iter().all(|scope| role.has(*scope))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(label: &str, networks: &str, days: &str) -> Typed {
        let scopes = vec![Scope::OrdersRead];
        Typed { label: label.to_owned(), scopes, networks: networks.to_owned(), days: days.to_owned() }
    }

    #[test]
    fn each_mistake_is_beside_its_field() {
        let mistakes = Typed::default().read().err().unwrap();
        assert!(mistakes.label.is_some() && mistakes.scopes.is_some());
        assert!(mistakes.networks.is_none() && mistakes.days.is_none());
        for days in ["0", "3651", "-1", "soon"] {
            assert!(typed("A", "", days).read().err().unwrap().days.is_some(), "{days}");
        }
        assert!(typed("A", "10.0.0.0/33", "").read().err().unwrap().networks.is_some());
    }

    #[test]
    fn a_key_is_what_was_typed() {
        let new = typed("Warehouse", "10.0.0.0/8,\r\n2001:db8::/32", "30").read().ok().unwrap();
        assert_eq!(new.expires_in_seconds, Some(30 * 86_400));
        assert_eq!(new.networks.to_string(), "10.0.0.0/8 2001:db8::/32");
        assert_eq!(typed("A", "", "").read().ok().unwrap().expires_in_seconds, None);
    }

    #[test]
    fn a_key_grants_nothing_that_its_maker_lacks() {
        let typed = Typed { scopes: vec![Scope::OrdersRead, Scope::KeysWrite], ..Typed::default() };
        assert!(typed.is_within(Role::Owner) && !typed.is_within(Role::Manager));
    }
}
