//! Expands the list of facts to tests.

/// The expansion of [`conformance_suite!`].
#[doc(hidden)]
#[macro_export]
macro_rules! conformance_facts {
    ($make:ident; $($area:ident: $($fact:ident),+;)+) => {
        $(mod $area {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                let fresh: Option<$crate::TestDatabase> = super::$make().await.into();
                let Some(fresh) = fresh else { return };
                $crate::conformance::$area::$fact(fresh.database.clone()).await;
            })+
        })+
    };
}

/// The random tests of a store against naive models.
#[doc(hidden)]
#[macro_export]
macro_rules! conformance_models {
    ($make:ident) => {
        mod history_model {
            #[test]
            fn every_page_equals_the_naive_fold() {
                $crate::history_model::every_page_equals_the_naive_fold(super::$make);
            }
        }

        mod ledger_model {
            #[test]
            fn every_sequence_agrees_with_the_naive_tenant() {
                $crate::ledger_model::every_sequence_agrees_with_the_naive_tenant(super::$make);
            }
        }
    };
}
