//! The sample users of the demo: their tokens, visits and orders.

use pointbook_domain::{Environment, Slug, TokenKind, UserId};
use pointbook_shop::DemoPerson;
use serde::Deserialize;

use crate::sample::result::SampleResult;

/// The tenant of the demo, in both environments.
pub const SLUG: &str = "acme";

const PEOPLE: &str = include_str!("people.json");

/// A sample user. Days count back from the day on which the tenant was added.
#[derive(Deserialize)]
pub struct Person {
    /// Unique in the environment.
    pub id: String,
    pub environment: String,
    /// `None` for a user who appears only in exports.
    pub token: Option<String>,
    /// What a request with the token shows, for people.
    #[serde(default)]
    shows: String,
    /// `YYYY-MM-DD`. The user also visits on birthdays.
    pub birth_date: Option<String>,
    pub locale: String,
    /// The day of the first possible visit; 0 for a user without visits.
    #[serde(default)]
    pub since_days_ago: u32,
    /// Pairs of a period in days and an offset: the user visits on days whose remainder is the offset.
    #[serde(default)]
    comes_every: Vec<(u32, u32)>,
    /// The user does not visit from the first day to before the second one.
    #[serde(default)]
    away: (u32, u32),
    /// The number of codes, videos and quizzes of each visit. The list repeats.
    #[serde(default)]
    pub visits: Vec<[u32; 3]>,
    /// The day and the product id of each order, oldest first.
    #[serde(default)]
    pub orders: Vec<(u32, String)>,
}

impl Person {
    pub fn comes(&self, days_ago: u32) -> bool {
        let (from, to) = self.away;
        !(from..to).contains(&days_ago)
            && self.comes_every.iter().any(|(days, rest)| days_ago % days == *rest)
    }
}

/// The customer token that the web pages use first, like the printed commands.
pub const CUSTOMER_TOKEN: &str = "demo-ben";

/// The token of production's back office.
pub const SUPER_USER_TOKEN: &str = "demo-admin";

/// All users with a token, as the demo shows them. The back office comes last.
pub fn introduced() -> SampleResult<Vec<DemoPerson>> {
    let mut introduced = Vec::new();
    for Person { environment, id, token, shows, .. } in people()? {
        let Some(token) = token else { continue };
        let (tenant, environment) = (Slug::new(SLUG)?, Environment::parse(&environment)?);
        introduced.push(DemoPerson { tenant, environment, user: Some(UserId::new(id)?), token, shows });
    }
    introduced.push(DemoPerson {
        tenant: Slug::new(SLUG)?,
        environment: Environment::Production,
        user: None,
        token: SUPER_USER_TOKEN.to_owned(),
        shows: "the back office: only this token may use /v1/manage".to_owned(),
    });
    Ok(introduced)
}

pub fn people() -> SampleResult<Vec<Person>> {
    Ok(serde_json::from_str(PEOPLE)?)
}

pub fn living_in(environment: Environment) -> SampleResult<Vec<Person>> {
    let mut people = people()?;
    people.retain(|person| person.environment == environment.as_str());
    Ok(people)
}

/// The tokens of one environment and the kind of each.
///
/// The tokens are fixed and public, so that the commands of the README work unchanged. That is safe only here: they give
/// access to sample data, and the demo refuses to add them to any other tenant.
pub fn tokens(environment: Environment) -> SampleResult<Vec<(String, TokenKind)>> {
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
