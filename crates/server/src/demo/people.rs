//! Who there is in the demo, which token speaks for them, and how often they do what.

use pointbook_domain::{Environment, TokenKind, UserId};
use pointbook_web::DemoPerson;
use serde::Deserialize;

use super::result::SampleResult;

const PEOPLE: &str = include_str!("people.json");

/// A sample user. Days count back from the one on which the demo was made.
#[derive(Deserialize)]
pub(super) struct Person {
    /// Unique in the environment.
    pub(super) id: String,
    pub(super) environment: String,
    /// None for one who is only there to be seen in an export.
    pub(super) token: Option<String>,
    /// What is to be seen with the token.
    #[serde(default)]
    shows: String,
    /// `YYYY-MM-DD`; a birthday is a reason to come by.
    pub(super) birth_date: Option<String>,
    pub(super) locale: String,
    /// The first possible visit; 0 for one who never came.
    #[serde(default)]
    pub(super) since_days_ago: u32,
    /// There was a visit on each day that leaves this rest when it is divided by this number.
    #[serde(default)]
    comes_every: Vec<(u32, u32)>,
    /// From this day to before that one there was none.
    #[serde(default)]
    away: (u32, u32),
    /// How many codes were scanned, videos watched and quizzes answered, visit by visit, again and again.
    #[serde(default)]
    pub(super) visits: Vec<[u32; 3]>,
    /// Oldest first: the day, and the product's id.
    #[serde(default)]
    pub(super) orders: Vec<(u32, String)>,
}

impl Person {
    pub(super) fn comes(&self, days_ago: u32) -> bool {
        let (from, to) = self.away;
        !(from..to).contains(&days_ago)
            && self.comes_every.iter().any(|(days, rest)| days_ago % days == *rest)
    }
}

/// The token of the customer whom the pages speak for first, as the tour does.
pub(super) const CUSTOMER_TOKEN: &str = "demo-ben";

/// The token of production's back office.
pub(super) const SUPER_USER_TOKEN: &str = "demo-admin";

/// Everyone with a token, as the demo introduces them; the back office comes last.
pub(super) fn introduced() -> SampleResult<Vec<DemoPerson>> {
    let mut introduced = Vec::new();
    for Person { environment, id, token, shows, .. } in people()? {
        introduced.extend(token.map(|token| DemoPerson { environment, user: id, token, shows }));
    }
    introduced.push(DemoPerson {
        environment: Environment::Production.as_str().to_owned(),
        user: "-".to_owned(),
        token: SUPER_USER_TOKEN.to_owned(),
        shows: "the back office: /v1/manage is for this token alone".to_owned(),
    });
    Ok(introduced)
}

pub(super) fn people() -> SampleResult<Vec<Person>> {
    Ok(serde_json::from_str(PEOPLE)?)
}

pub(super) fn living_in(environment: Environment) -> SampleResult<Vec<Person>> {
    let mut people = people()?;
    people.retain(|person| person.environment == environment.as_str());
    Ok(people)
}

/// The tokens of one environment and whom each speaks for.
///
/// The texts are fixed and published, so that lines of the README can be copied as they are. That
/// is acceptable here only: they open nothing but the sample data of a tenant that the demo itself
/// made, and the demo refuses to put them into any other.
pub(super) fn tokens(environment: Environment) -> SampleResult<Vec<(String, TokenKind)>> {
    let mut tokens = Vec::new();
    for person in living_in(environment)? {
        if let Some(token) = person.token {
            tokens.push((token, TokenKind::Customer(UserId::new(person.id)?)));
        }
    }
    if environment == Environment::Production {
        tokens.push((SUPER_USER_TOKEN.to_owned(), TokenKind::SuperUser));
    }
    Ok(tokens)
}
