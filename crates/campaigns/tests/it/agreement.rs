//! The engine against a naive model that keeps a list of all that happened.

use pointbook_campaigns::parse;
use proptest::prelude::*;

use crate::naive::generators::{Scenario, scenario};
use crate::parts::{locale, rules};
use crate::scene::{decide, record};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_engine_decides_as_the_model_does(Scenario { mut model, steps } in scenario()) {
        let rules = rules(&model);
        for step in &steps {
            let decision = decide(&rules, &model, step);
            record(&mut model, step, decision);
        }
    }

    #[test]
    fn the_canonical_form_is_read_as_the_same_campaign(Scenario { model, .. } in scenario()) {
        for version in model.versions {
            let read = parse(&version.definition, &locale("en")).unwrap();
            let again = parse(&serde_json::from_str(&read.to_json()).unwrap(), &locale("en"));
            prop_assert_eq!(again, Ok(read));
        }
    }
}
