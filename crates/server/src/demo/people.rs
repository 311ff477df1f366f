//! Who there is in the demo, which token speaks for them, and how often they do what.

use pointbook_domain::{Environment, TokenKind, UserId};

use super::SampleResult;

/// A sample user. Habits count days back from the one on which the demo was made, and visits from 0.
pub(super) struct Person {
    /// Unique in the environment.
    pub(super) id: &'static str,
    pub(super) environment: Environment,
    /// None for one who is only there to be seen in an export.
    pub(super) token: Option<&'static str>,
    /// `YYYY-MM-DD`; a birthday is a reason to come by.
    pub(super) birth_date: Option<&'static str>,
    pub(super) locale: &'static str,
    /// The first possible visit, in days ago; 0 for one who never came.
    pub(super) since_days_ago: u32,
    /// Whether there was a visit, by days ago.
    pub(super) comes_by: fn(u32) -> bool,
    /// How many codes were scanned, videos watched and quizzes answered, by the number of the visit.
    pub(super) earns: fn(u32) -> [u32; 3],
    /// Orders, oldest first: days ago, and the product's id.
    pub(super) orders: &'static [(u32, &'static str)],
}

/// The token of the customer whom the pages speak for first, as the tour does.
pub(super) const CUSTOMER_TOKEN: &str = "demo-ben";

/// The token of production's back office.
pub(super) const SUPER_USER_TOKEN: &str = "demo-admin";

/// A new user of production, to be filled in.
const NEW: Person = Person {
    id: "",
    environment: Environment::Production,
    token: None,
    birth_date: None,
    locale: "en",
    since_days_ago: 0,
    comes_by: |_| false,
    earns: |_| [0, 0, 0],
    orders: &[],
};

pub(super) const PEOPLE: [Person; 6] = [
    Person { id: "mia", token: Some("demo-mia"), birth_date: Some("2001-09-30"), ..NEW },
    Person {
        id: "ben",
        token: Some(CUSTOMER_TOKEN),
        birth_date: Some("1988-02-11"),
        locale: "de",
        since_days_ago: 92,
        comes_by: |days_ago| days_ago % 4 == 2,
        earns: |visit| [1, u32::from(visit % 3 == 0), u32::from(visit % 4 == 1)],
        orders: &[(78, "arcade-credits"), (41, "cafe-mug"), (13, "film-month")],
        ..NEW
    },
    Person {
        id: "aiko",
        token: Some("demo-aiko"),
        birth_date: Some("1991-06-14"),
        locale: "ja",
        since_days_ago: 730,
        // Two weeks at the sea without a single code.
        comes_by: |days_ago| (days_ago % 3 == 0 || days_ago % 14 == 5) && !(300..314).contains(&days_ago),
        earns: |visit| {
            let videos = if visit % 6 == 0 { 2 } else { u32::from(visit % 2 == 0) };
            [1 + visit % 3, videos, u32::from(visit % 3 == 1)]
        },
        orders: &[
            (655, "giftcard-market-500"),
            (612, "donate-trees"),
            (571, "enamel-mug"),
            (533, "film-month"),
            (488, "donate-meal"),
            (447, "linen-towels"),
            (401, "film-month"),
            (356, "museum-day-ticket"),
            (318, "day-pack"),
            (281, "music-month"),
            (281, "ebook-northern-walks"),
            (238, "over-ear-headphones"),
            (192, "donate-meal"),
            (151, "course-photography"),
            (104, "power-bank"),
            (61, "wool-blanket"),
            (33, "donate-bees"),
            (5, "creme-brulee-set"),
        ],
        ..NEW
    },
    Person {
        id: "leo",
        token: Some("demo-leo"),
        since_days_ago: 3,
        comes_by: |days_ago| days_ago == 3,
        earns: |_| [2, 1, 1],
        ..NEW
    },
    Person {
        id: "ben",
        environment: Environment::Staging,
        token: Some("demo-staging-ben"),
        birth_date: Some("1990-01-01"),
        since_days_ago: 9,
        comes_by: |days_ago| days_ago == 9 || days_ago == 2,
        earns: |visit| [1, visit, 0],
        ..NEW
    },
    Person { id: "qa-robot", environment: Environment::Staging, ..NEW },
];

pub(super) fn living_in(environment: Environment) -> impl Iterator<Item = &'static Person> {
    PEOPLE.iter().filter(move |person| person.environment == environment)
}

/// The tokens of one environment and whom each speaks for.
///
/// The texts are fixed and published, so that lines of the README can be copied as they are. That
/// is acceptable here only: they open nothing but the sample data of a tenant that the demo itself
/// made, and the demo refuses to put them into any other.
pub(super) fn tokens(environment: Environment) -> SampleResult<Vec<(&'static str, TokenKind)>> {
    let mut tokens = Vec::new();
    for person in living_in(environment) {
        if let Some(token) = person.token {
            tokens.push((token, TokenKind::Customer(UserId::new(person.id)?)));
        }
    }
    if environment == Environment::Production {
        tokens.push((SUPER_USER_TOKEN, TokenKind::SuperUser));
    }
    Ok(tokens)
}
