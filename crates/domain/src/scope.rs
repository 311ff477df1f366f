//! What an API key may do.

use std::fmt;

use crate::id::FormError;

/// One right of an API key: a noun and a verb.
macro_rules! scopes {
    ($($(#[$doc:meta])* $scope:ident = $name:literal,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Scope {
            $($(#[$doc])* $scope,)*
        }

        impl Scope {
            pub const ALL: &'static [Self] = &[$(Self::$scope),*];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$scope => $name,)*
                }
            }
        }
    };
}

scopes! {
    /// Reads products and categories as the back office sees them.
    ProductsRead = "products:read",
    ProductsWrite = "products:write",
    CategoriesWrite = "categories:write",
    /// Reads users and their transactions.
    UsersRead = "users:read",
    UsersWrite = "users:write",
    /// Adds notes about users.
    NotesWrite = "notes:write",
    /// Records activities, one by one and by import.
    ActivitiesWrite = "activities:write",
    PointsReverse = "points:reverse",
    OrdersRead = "orders:read",
    /// Fulfils and cancels orders.
    OrdersWrite = "orders:write",
    /// Issues and revokes tokens of customers.
    TokensIssue = "tokens:issue",
    /// Lists, adds and revokes keys, and sets the clock of a staging tenant.
    KeysWrite = "keys:write",
    /// Reads the event feed.
    EventsRead = "events:read",
    /// Sets up webhooks.
    WebhooksWrite = "webhooks:write",
    /// Reads the audit log.
    AuditRead = "audit:read",
    /// Reads campaigns, and explains bonuses.
    CampaignsRead = "campaigns:read",
    /// Writes campaigns and changes their states.
    CampaignsWrite = "campaigns:write",
    ReportsRead = "reports:read",
}

impl Scope {
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|scope| scope.as_str() == text)
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The scopes of a key. Written as names with spaces between them, in the order of [`Scope::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes(u32);

impl Scopes {
    /// All scopes, also those that later versions add.
    pub const ALL: Self = Self(u32::MAX);

    /// # Errors
    /// [`FormError`] when there is no scope: such a key could do nothing.
    pub fn new(scopes: impl IntoIterator<Item = Scope>) -> Result<Self, FormError> {
        let bits = scopes.into_iter().fold(0, |bits, scope| bits | scope.bit());
        if bits == 0 { Err(NO_SCOPE) } else { Ok(Self(bits)) }
    }

    /// # Errors
    /// [`FormError`] when a name is unknown or the text is blank.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        let scopes: Option<Vec<_>> = text.split_whitespace().map(Scope::parse).collect();
        Self::new(scopes.ok_or(UNKNOWN_SCOPE)?)
    }

    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    pub fn is_all(self) -> bool {
        self == Self::ALL
    }

    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.iter().copied().filter(move |scope| self.contains(*scope))
    }

    /// The first scope that the other set lacks.
    pub fn beyond(self, other: Self) -> Option<Scope> {
        self.iter().find(|scope| !other.contains(*scope))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Scope::as_str).collect();
        f.write_str(&names.join(" "))
    }
}

const NO_SCOPE: FormError = FormError("a key has at least one scope");
const UNKNOWN_SCOPE: FormError = FormError("a scope is a noun and a verb, such as products:read");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_as_they_are_written() {
        let scopes = Scopes::parse("orders:write  products:read").unwrap();
        assert_eq!(scopes.to_string(), "products:read orders:write");
        assert_eq!(Scopes::parse(&scopes.to_string()), Ok(scopes));
        assert!(scopes.contains(Scope::OrdersWrite) && !scopes.contains(Scope::OrdersRead));
        assert_eq!(Scopes::parse(""), Err(NO_SCOPE));
        assert_eq!(Scopes::parse("orders:write nonsense"), Err(UNKNOWN_SCOPE));
    }

    #[test]
    fn all_scopes_contain_each_and_a_list_of_each_is_not_all() {
        assert!(Scope::ALL.iter().all(|scope| Scopes::ALL.contains(*scope)));
        assert!(!Scopes::new(Scope::ALL.iter().copied()).unwrap().is_all());
        assert!(Scope::ALL.len() < 32);
    }

    #[test]
    fn the_first_scope_beyond_a_set_is_named() {
        let [few, more] =
            ["orders:read", "orders:read orders:write"].map(|text| Scopes::parse(text).unwrap());
        assert_eq!(more.beyond(few), Some(Scope::OrdersWrite));
        assert_eq!((few.beyond(more), more.beyond(Scopes::ALL)), (None, None));
    }
}
