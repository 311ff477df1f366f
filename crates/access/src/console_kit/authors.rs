//! Who did something, by name where that is an operator.

use std::collections::HashMap;

use pointbook_domain::{Operator, Scope};
use pointbook_http::pages::PageError;

use crate::console_kit::visit::Visit;
use crate::operators::manage::list_operators;

/// The names of the operators of a tenant and of the command line, by what rows say of them, such as `operator:0123`.
pub struct Authors(HashMap<String, String>);

impl Authors {
    /// Reads the operators, for those who may see who did what. For others all authors are as rows say them.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn of(visit: &Visit<'_>) -> Result<Self, PageError> {
        if !visit.signed_in()?.operator.role.has(Scope::AuditRead) {
            return Ok(Self(HashMap::new()));
        }
        let Self(mut names) = Self::new(&list_operators(&*visit.served.data).await?);
        names.insert("command-line".to_owned(), visit.words.say("audit-command-line").into_owned());
        Ok(Self(names))
    }

    pub fn new(operators: &[Operator]) -> Self {
        let named = |operator: &Operator| (format!("operator:{}", operator.id), operator.name.to_string());
        Self(operators.iter().map(named).collect())
    }

    /// The name of an operator. `None` for keys, jobs, and operators who are gone.
    pub fn name(&self, author: &str) -> Option<&str> {
        self.0.get(author).map(String::as_str)
    }

    /// Each author as rows say it, with the name, in the order of the names.
    pub fn all(&self) -> Vec<(&str, &str)> {
        let mut all: Vec<_> = self.0.iter().map(|(author, name)| (author.as_str(), name.as_str())).collect();
        all.sort_unstable_by_key(|(author, name)| (*name, *author));
        all
    }

    /// The name of an operator, or the text as it is.
    pub fn name_or_id<'a>(&'a self, author: &'a str) -> &'a str {
        self.name(author).unwrap_or(author)
    }
}
