//! Who there is in the demo, which token speaks for them, and how often they do what.

use pointbook_domain::{Environment, TokenKind, UserId};

use super::result::SampleResult;

/// A sample user.
pub(super) struct Person {
    /// The user's id, unique in the environment.
    pub(super) id: &'static str,
    /// Where the user lives: the environments share nobody.
    pub(super) environment: Environment,
    /// The user's token; none for one who is only there to be seen in an export.
    pub(super) token: Option<&'static str>,
    /// Date of birth, `YYYY-MM-DD`, when known; a birthday is a reason to come by.
    pub(super) birth_date: Option<&'static str>,
    /// Preferred language.
    pub(super) locale: &'static str,
    /// What the user's history is there to show.
    pub(super) shows: &'static str,
    /// What the user did.
    pub(super) habit: Habit,
}

/// From when on somebody came by, and what happened then.
pub(super) struct Habit {
    /// The first possible visit, in days before the demo was made; 0 for somebody who never came.
    pub(super) since_days_ago: u32,
    /// Whether there was a visit, by days ago.
    pub(super) comes_by: fn(u32) -> bool,
    /// Codes scanned, by the number of the visit, from 0.
    pub(super) codes: fn(u32) -> u32,
    /// Videos watched, likewise.
    pub(super) videos: fn(u32) -> u32,
    /// Quizzes answered, likewise.
    pub(super) quizzes: fn(u32) -> u32,
    /// Orders, oldest first: days ago, and the product's id.
    pub(super) orders: &'static [(u32, &'static str)],
}

/// The token of the customer whom the pages speak for first, as the tour does.
pub(super) const CUSTOMER_TOKEN: &str = "demo-ben";

/// The token of production's back office.
pub(super) const SUPER_USER_TOKEN: &str = "demo-admin";

/// Everybody, in the order in which the table of the demo names them.
pub(super) const PEOPLE: [Person; 6] = [
    Person {
        id: "mia",
        environment: Environment::Production,
        token: Some("demo-mia"),
        birth_date: Some("2001-09-30"),
        locale: "en",
        shows: "a new user: no transactions, no points",
        habit: NEVER,
    },
    Person {
        id: "ben",
        environment: Environment::Production,
        token: Some(CUSTOMER_TOKEN),
        birth_date: Some("1988-02-11"),
        locale: "de",
        shows: "an ordinary user: some 40 transactions in three months",
        habit: ORDINARY,
    },
    Person {
        id: "aiko",
        environment: Environment::Production,
        token: Some("demo-aiko"),
        birth_date: Some("1991-06-14"),
        locale: "ja",
        shows: "a heavy user: two years, all four types, both bonuses, orders in every status",
        habit: HEAVY,
    },
    Person {
        id: "leo",
        environment: Environment::Production,
        token: Some("demo-leo"),
        birth_date: None,
        locale: "en",
        shows: "a single day",
        habit: ONE_DAY,
    },
    Person {
        id: "ben",
        environment: Environment::Staging,
        token: Some("demo-staging-ben"),
        birth_date: Some("1990-01-01"),
        locale: "en",
        shows: "another ben: staging shares nothing with production",
        habit: TRIAL,
    },
    Person {
        id: "qa-robot",
        environment: Environment::Staging,
        token: None,
        birth_date: None,
        locale: "en",
        shows: "a user of the testers",
        habit: NEVER,
    },
];

const NEVER: Habit = Habit {
    since_days_ago: 0,
    comes_by: |_| false,
    codes: |_| 0,
    videos: |_| 0,
    quizzes: |_| 0,
    orders: &[],
};

const ORDINARY: Habit = Habit {
    since_days_ago: 92,
    comes_by: |days_ago| days_ago % 4 == 2,
    codes: |_| 1,
    videos: |visit| u32::from(visit % 3 == 0),
    quizzes: |visit| u32::from(visit % 4 == 1),
    orders: &[(78, "arcade-credits"), (41, "cafe-mug"), (13, "film-month")],
};

const HEAVY: Habit = Habit {
    since_days_ago: 730,
    // Two weeks at the sea without a single code.
    comes_by: |days_ago| (days_ago % 3 == 0 || days_ago % 14 == 5) && !(300..314).contains(&days_ago),
    codes: |visit| 1 + visit % 3,
    videos: |visit| {
        if visit % 6 == 0 { 2 } else { u32::from(visit % 2 == 0) }
    },
    quizzes: |visit| u32::from(visit % 3 == 1),
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
};

const ONE_DAY: Habit = Habit {
    since_days_ago: 3,
    comes_by: |days_ago| days_ago == 3,
    codes: |_| 2,
    videos: |_| 1,
    quizzes: |_| 1,
    orders: &[],
};

const TRIAL: Habit = Habit {
    since_days_ago: 9,
    comes_by: |days_ago| days_ago == 9 || days_ago == 2,
    codes: |_| 1,
    videos: |visit| visit,
    quizzes: |_| 0,
    orders: &[],
};

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
