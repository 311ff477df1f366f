//! The documentation of one operation, besides its row in the table of routes.

use std::borrow::Cow;

use http::StatusCode;

use crate::describe::parameter::Parameter;
use crate::describe::schema::{NamedSchema, Schema};
use crate::describe::view::{Described, Sample, View};
use crate::views::envelope::page_of;
use crate::views::success::{success_of, written_of};

/// The body of a request: the name of its schema and an example.
#[derive(Debug)]
pub enum BodyDoc {
    /// No body. The server ignores one.
    None,
    /// No body, or an object without members.
    Empty,
    Json(&'static str, &'static str),
    /// As `Json`. No body is like an object without members.
    OptionalJson(&'static str, &'static str),
    /// RFC 7396.
    MergePatch(&'static str, &'static str),
    /// One JSON object per line.
    Lines(&'static str, &'static str),
    /// Bytes of one of these media types.
    Binary(&'static [&'static str]),
}

/// The body of a response: a component, and those that it names.
#[derive(Debug)]
#[must_use]
pub struct ResponseBody(Vec<NamedSchema>);

impl ResponseBody {
    /// The component of a view.
    pub fn of<V: View>() -> Self {
        Self(Vec::new()).with::<V>()
    }

    pub fn named(name: impl Into<Cow<'static, str>>, schema: fn() -> Schema) -> Self {
        Self(vec![(name.into(), schema)])
    }

    /// The same with another body, which it names.
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The same with the components of a view.
    pub fn with<D: Described>(mut self) -> Self {
        D::add_components(&mut self.0);
        self
    }
}

#[derive(Debug)]
pub struct SuccessDoc {
    pub status: StatusCode,
    pub description: &'static str,
    /// The name of its component.
    pub schema: Cow<'static, str>,
    pub example: Example,
    /// Headers besides those that follow from the method.
    pub headers: &'static [&'static str],
}

/// An example of the body of a response, as JSON.
#[derive(Debug)]
pub enum Example {
    Body(Cow<'static, str>),
    /// A page with this item. Its links follow from the path of the operation.
    PageOf(&'static str),
}

/// When an operation returns 404.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// When its path has a parameter that matches nothing.
    ByPath,
    /// Also without a parameter in its path.
    Always,
    /// With a separate body schema.
    OwnBody,
    /// It creates missing objects.
    Never,
}

#[derive(Debug)]
#[must_use]
#[expect(clippy::struct_excessive_bools, reason = "an operation has each of these properties or not")]
pub struct Operation {
    /// The name of the method in generated clients.
    pub id: &'static str,
    pub tag: &'static str,
    pub summary: &'static str,
    /// Markdown.
    pub description: String,
    /// Whether it is one of the four reads of the interface (docs/interface.md). pointbook adds the others.
    pub is_documented: bool,
    /// The parameters that do not follow from path and method.
    pub parameters: Vec<Parameter>,
    pub body: BodyDoc,
    pub successes: Vec<SuccessDoc>,
    pub missing: Missing,
    /// Whether it accepts `If-Match`.
    pub is_conditional: bool,
    /// Whether it continues after a cursor, which may be gone.
    pub has_cursor: bool,
    /// Whether it returns 409 although it takes no `Idempotency-Key`.
    pub may_conflict: bool,
    /// An example of its success response as CSV, if it has one.
    pub csv: Option<String>,
    /// The schemas of its bodies. Other operations may have the same.
    pub schemas: Vec<NamedSchema>,
}

impl Operation {
    /// One of the four reads of the interface.
    pub fn documented(id: &'static str, tag: impl Into<&'static str>, summary: &'static str) -> Self {
        Self { is_documented: true, ..Self::ours(id, tag, summary) }
    }

    /// An operation that pointbook adds to the interface.
    pub fn ours(id: &'static str, tag: impl Into<&'static str>, summary: &'static str) -> Self {
        Self {
            id,
            tag: tag.into(),
            summary,
            description: String::new(),
            is_documented: false,
            parameters: Vec::new(),
            body: BodyDoc::None,
            successes: Vec::new(),
            missing: Missing::ByPath,
            is_conditional: false,
            has_cursor: false,
            may_conflict: false,
            csv: None,
            schemas: Vec::new(),
        }
    }

    /// Adds whole sentences of Markdown.
    pub fn describe(mut self, description: &str) -> Self {
        description.clone_into(&mut self.description);
        self
    }

    /// Adds parameters of the query string or headers. Path parameters follow from the row.
    pub fn taking(mut self, parameters: impl IntoIterator<Item = Parameter>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// Whether a parameter of the query string has this name.
    pub fn takes_query(&self, name: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.is_query(name))
    }

    pub fn defining(mut self, name: &'static str, schema: fn() -> Schema) -> Self {
        self.schemas.push((Cow::Borrowed(name), schema));
        self
    }

    pub fn reading(self, body: BodyDoc) -> Self {
        Self { body, ..self }
    }

    /// Adds a success response.
    pub fn answering(
        self,
        status: StatusCode,
        description: &'static str,
        body: ResponseBody,
        example: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.answering_as(status, description, body, Example::Body(example.into()))
    }

    fn answering_as(
        mut self,
        status: StatusCode,
        description: &'static str,
        ResponseBody(components): ResponseBody,
        example: Example,
    ) -> Self {
        let schema = components.first().map(|(name, _)| name.clone()).unwrap_or_default();
        self.schemas.extend(components);
        self.successes.push(SuccessDoc { status, description, schema, example, headers: &[] });
        self
    }

    /// Adds a success response whose body is this view.
    pub fn body<V: View>(
        self,
        status: StatusCode,
        description: &'static str,
        example: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.answering(status, description, ResponseBody::of::<V>(), example)
    }

    /// Adds a success response with this view in `data`.
    pub fn success<V: View>(
        self,
        status: StatusCode,
        description: &'static str,
        example: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.answering(status, description, success_of::<V>(), example)
    }

    /// The same with the balance of the user.
    pub fn success_with_points<V: View>(
        self,
        status: StatusCode,
        description: &'static str,
        example: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.answering(status, description, written_of::<V>(), example)
    }

    /// Adds a success response with one of these views in `data`.
    pub fn shows<V: Sample>(self, description: &'static str) -> Self {
        self.sample::<V>(StatusCode::OK, description)
    }

    /// The same for an operation that makes what it shows.
    pub fn makes<V: Sample>(self, description: &'static str) -> Self {
        self.sample::<V>(StatusCode::CREATED, description)
    }

    fn sample<V: Sample>(self, status: StatusCode, description: &'static str) -> Self {
        let example = format!(r#"{{"success":true,"data":{}}}"#, V::SAMPLE);
        self.success::<V>(status, description, example)
    }

    /// Adds a success response that is a page of these views.
    pub fn page<V: Sample>(self, description: &'static str) -> Self {
        self.answering_as(StatusCode::OK, description, page_of::<V>(), Example::PageOf(V::SAMPLE))
    }

    /// Adds headers to its success responses, besides those that follow from the row.
    pub fn with_headers(mut self, headers: &'static [&'static str]) -> Self {
        for success in &mut self.successes {
            success.headers = headers;
        }
        self
    }

    /// Accepts `If-Match`, and for a PUT also `If-None-Match: *`. Returns 412 when they do not match.
    pub fn with_cursor(self) -> Self {
        Self { has_cursor: true, ..self }
    }

    pub fn conditional(self) -> Self {
        Self { is_conditional: true, ..self }
    }

    /// Returns 409 although it takes no `Idempotency-Key`. Every operation that takes one may return 409.
    pub fn conflicting(self) -> Self {
        Self { may_conflict: true, ..self }
    }

    /// Its success response may also be CSV, such as this example.
    pub fn or_csv(self, example: String) -> Self {
        Self { csv: Some(example), ..self }
    }

    pub fn missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }
}
