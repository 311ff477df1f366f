//! The rules engine of campaigns.
//!
//! A campaign says which activity earns a bonus, and how much. [`parse`] reads its definition and names every fault at once. A
//! [`RuleSet`] has the campaigns of a tenant. Its functions [`RuleSet::evaluate`] and [`RuleSet::explain`] decide about one
//! activity: the first has the awards, the second the reason of each campaign.
//!
//! `points::earning` asks the rules about activities, and `points::campaigns` manages campaigns.
//!
//! The rules read no clock, no file and no random source. What a decision needs to know of the past comes from [`Counters`].

mod birthday;
mod campaign;
mod candidate;
mod canonical;
mod check;
mod combine;
mod compared;
mod conditions;
mod counters;
mod evaluate;
mod event;
mod explain;
mod fact;
mod inputs;
mod limits;
mod names;
mod needs;
mod parse;
mod period;
mod reason;
mod refusal;
mod reward;
mod rule_set;
mod warnings;
mod weekday;
mod zones;

pub use campaign::Campaign;
pub use candidate::ClippedBy;
pub use combine::MAX_AWARDS;
pub use compared::Compared;
pub use counters::{BudgetLeft, Counters, OrdinalOf, Usage};
pub use evaluate::Award;
pub use event::{Event, Member};
pub use explain::{Verdict, VerdictResult};
pub use fact::{Fact, Phrase, Value, time_of_day};
pub use limits::Budget;
pub use names::CampaignId;
pub use needs::{BudgetNeed, CounterNeeds};
pub use parse::{Fault, FaultCode, FaultRule, MAX_FAULTS, parse, parse_stored, sizes};
pub use period::{Period, PeriodKey};
pub use reason::Reason;
pub use rule_set::{CampaignVersion, MAX_RUNNING, Options, RuleSet, VersionState};
pub use warnings::{Warning, WarningCode, warnings};
pub use weekday::Weekday;
