//! Tries a command.

use super::{Command, CommandError, Facts, Needs};

/// Decides a command and saves nothing of it. It waits with the back office, whose commands have facts that no other command shares.
pub struct Trial<C>(pub C);

impl<C: Command> Command for Trial<C> {
    type Outcome = C::Outcome;

    const NAME: &'static str = "trial";

    fn needs(&self, needs: &mut Needs) {
        self.0.needs(needs);
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.0.further_needs(facts, needs);
    }

    fn decide(&self, facts: &mut Facts) -> Result<C::Outcome, CommandError> {
        let outcome = self.0.decide(facts);
        *facts = Facts::default();
        outcome
    }
}
