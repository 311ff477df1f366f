//! Objects with known members.

use serde_json::{Map, Value};

use super::fault::MAX_FAULTS;
use super::field::Field;
use super::rule::FaultRule;
use super::shown::cut;

/// An object, and the field that has it.
pub(super) struct Object<'a> {
    field: Field<'a>,
    members: &'a Map<String, Value>,
}

impl<'a> Object<'a> {
    /// The object of a field. Each member that is not in `known` is a fault. `None` when the field is absent or no object.
    pub(super) fn read(field: &Field<'a>, known: &[&str]) -> Option<Self> {
        let value = field.value?;
        let Some(members) = value.as_object() else {
            return field.refuse(FaultRule::NotAnObject);
        };
        let unknown = members.keys().filter(|name| !known.contains(&name.as_str()));
        for name in unknown.take(MAX_FAULTS) {
            let names = known.join(", ");
            field.below(cut(name), None).refuse::<()>(FaultRule::UnknownField { names });
        }
        Some(Self { field: field.clone(), members })
    }

    pub(super) fn field(&self, name: &str) -> Field<'a> {
        self.field.below(name, self.members.get(name))
    }

    pub(super) fn required(&self, name: &str) -> Field<'a> {
        self.field(name).required()
    }
}
