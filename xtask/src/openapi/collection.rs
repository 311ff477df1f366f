//! A request for every operation, in the format of the REST Client of VS Code (`.http`), which httpyac reads too.
//!
//! Bodies and ids are the examples of the OpenAPI document. Sent from top to bottom, each request succeeds on the demo:
//! a test of `crates/server/tests/demo` sends them.

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The first requests: later requests need what they create.
const FIRST: &[&str] = &[
    "putProduct",
    "importProducts",
    "placeOrder",
    "issueToken",
    "recordActivity",
    "addWebhook",
    "addPicture",
    "putCampaign",
    "startBackTest",
];

/// The last requests: they remove what earlier requests need.
const LAST: &[&str] = &[
    "startBackFill",
    "showBackFill",
    "cancelBackFill",
    "cancelBackTest",
    "removeWebhook",
    "removePicture",
    "retireProduct",
    "importCategoryTree",
    "replaceCategoryTree",
    "endToken",
    "revokeUserTokens",
];

/// The receiver of the examples, and the one of the demo, which needs no name server.
const RECEIVERS: [&str; 2] = ["https://shop.example.com/hooks/points", "http://localhost:9000/"];

/// A body that is a file beside the collection: a WebP of 3 by 2 pixels.
const PICTURE: &str = "< ./picture.webp";

/// Further orders, because an order can be closed only once: one to cancel for the back office, one for the customer.
const SECOND_ORDER: &str = "placeAnotherOrder";
const THIRD_ORDER: &str = "placeThirdOrder";

/// The head of the collection. The tokens are those of the demo. Leo's tokens are revoked at the end.
const HEAD: &str = "\
# Every operation of the interface, with the examples of openapi.json. Made by `cargo xtask openapi`: do not edit.
# For the REST Client of VS Code, or httpyac. Sent from top to bottom, each request succeeds on `pointbook demo`.
# With your own server: change the variables, and leave out the last eleven requests, which remove things, or give and cancel what a
# back-test found.
@base_url = http://localhost:8080/acme/api
@customer_token = demo-aiko
@super_user_token = demo-admin
@productId = cafe-mug
@userId = leo
@campaignId = spring-quiz
";

/// The text of the collection.
pub(super) fn of(document: &Value) -> Result<String> {
    let mut operations = operations(document)?;
    operations.sort_by_key(|operation| rank(operation.name));
    let mut text = HEAD.to_owned();
    for operation in &operations {
        text.push_str(&operation.request(operation.name)?);
        if operation.name == "placeOrder" {
            text.push_str(&operation.request(SECOND_ORDER)?);
            text.push_str(&operation.request(THIRD_ORDER)?);
        }
    }
    Ok(text)
}

/// The position of a request. Requests of the same rank keep the order of the document.
fn rank(name: &str) -> usize {
    let first = FIRST.iter().position(|one| *one == name);
    let last = LAST.iter().position(|one| *one == name).map(|at| FIRST.len() + 1 + at);
    first.or(last).unwrap_or(FIRST.len())
}

struct Operation<'d> {
    name: &'d str,
    method: String,
    path: &'d str,
    content: &'d Value,
    /// The names of the parameters of the request line and of the head.
    parameters: Vec<&'d str>,
}

fn operations(document: &Value) -> Result<Vec<Operation<'_>>> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().context("the document has no paths")? {
        for (method, content) in item.as_object().context("a path is no object")? {
            if let Some(name) = content["operationId"].as_str() {
                let parameters = parameters(document, content);
                operations.push(Operation { name, method: method.to_uppercase(), path, content, parameters });
            }
        }
    }
    Ok(operations)
}

fn parameters<'d>(document: &'d Value, content: &'d Value) -> Vec<&'d str> {
    let listed = content["parameters"].as_array().into_iter().flatten();
    let resolved = listed.map(|one| match one["$ref"].as_str().and_then(|found| found.strip_prefix('#')) {
        Some(pointer) => document.pointer(pointer).unwrap_or(&Value::Null),
        None => one,
    });
    resolved.filter_map(|one| one["name"].as_str()).collect()
}

impl Operation<'_> {
    fn request(&self, name: &str) -> Result<String> {
        let summary = self.content["summary"].as_str().unwrap_or(self.name);
        let (method, token) = (&self.method, self.token());
        let mut lines = vec![
            format!("\n### {summary}"),
            format!("# @name {name}"),
            format!("{method} {{{{base_url}}}}{}{}", self.path()?, self.query()),
            format!("Authorization: Bearer {token}"),
        ];
        if self.parameters.contains(&"Idempotency-Key") {
            lines.push("Idempotency-Key: {{$guid}}".to_owned());
        }
        if let Some((media_type, body)) = self.body()? {
            lines.push(format!("Content-Type: {media_type}\n\n{}", body.trim_end()));
        }
        Ok(lines.join("\n") + "\n")
    }

    fn token(&self) -> &'static str {
        if self.name == "endToken" {
            // The customer's token must not be revoked here, because later requests need it.
            return "{{issueToken.response.body.$.data.token}}";
        }
        let is_customer = self.content["security"][0]["customer"].is_array();
        if is_customer { "{{customer_token}}" } else { "{{super_user_token}}" }
    }

    /// The path with a value for each parameter.
    fn path(&self) -> Result<String> {
        let mut path = self.path.to_owned();
        while let Some((before, rest)) = path.split_once('{') {
            let (parameter, after) = rest.split_once('}').context("a path has an open brace")?;
            let value = match (parameter, self.name) {
                ("orderId", "cancelOrder") => format!("<<{SECOND_ORDER}.response.body.$.data.id>>"),
                ("orderId", "cancelOwnOrder") => format!("<<{THIRD_ORDER}.response.body.$.data.id>>"),
                ("orderId", _) => "<<placeOrder.response.body.$.data.id>>".to_owned(),
                ("pictureId", _) => "<<addPicture.response.body.$.data.id>>".to_owned(),
                ("keyId", _) => "<<addApiKey.response.body.$.data.id>>".to_owned(),
                ("webhookId", _) => "<<addWebhook.response.body.$.data.id>>".to_owned(),
                ("transactionId", _) => "<<recordActivity.response.body.$.data.id>>".to_owned(),
                ("productId" | "userId" | "campaignId", _) => format!("<<{parameter}>>"),
                _ => {
                    bail!("{}: say in collection.rs where the value of {{{parameter}}} comes from", self.name)
                }
            };
            path = format!("{before}{value}{after}");
        }
        Ok(path.replace("<<", "{{").replace(">>", "}}"))
    }

    /// The first page of a list, of five rows where a client may choose.
    fn query(&self) -> String {
        let values = [("page[number]", 1), ("page[size]", 5)];
        let taken = values.iter().filter(|(name, _)| self.parameters.contains(name));
        let pairs: Vec<String> = taken.map(|(name, value)| format!("{name}={value}")).collect();
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }

    /// The media type and the example of the body.
    fn body(&self) -> Result<Option<(&str, String)>> {
        let Some(contents) = self.content["requestBody"]["content"].as_object() else {
            return Ok(None);
        };
        let (media_type, content) = contents.iter().next().context("a body has no media type")?;
        if media_type.starts_with("image/") {
            return Ok(Some(("image/webp", PICTURE.to_owned())));
        }
        match &content["example"] {
            Value::Null if self.content["requestBody"]["required"] == true => {
                bail!("{}: its body is required and has no example in the document", self.name)
            }
            Value::Null => Ok(None),
            Value::String(lines) => Ok(Some((media_type, lines.clone()))),
            example => {
                let [documented, of_demo] = RECEIVERS;
                let text = serde_json::to_string_pretty(example)?.replace(documented, of_demo);
                Ok(Some((media_type, text)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(path: &str, operation: &Value) -> Value {
        json!({
            "paths": {path: {"post": operation, "parameters": []}},
            "components": {"parameters": {"Key": {"name": "Idempotency-Key", "in": "header"}}},
        })
    }

    #[test]
    fn request_has_its_token_its_key_and_the_example_of_its_body() {
        let document = document(
            "/v1/users/{userId}",
            &json!({
                "operationId": "poke", "summary": "Poke a user", "security": [{"superUser": []}],
                "parameters": [{"$ref": "#/components/parameters/Key"}, {"name": "page[number]", "in": "query"}],
                "requestBody": {"required": true, "content": {"application/json": {"example": {"a": 1}}}},
            }),
        );
        let expected = "\n### Poke a user\n# @name poke\nPOST {{base_url}}/v1/users/{{userId}}?page[number]=1\n\
                        Authorization: Bearer {{super_user_token}}\nIdempotency-Key: {{$guid}}\n\
                        Content-Type: application/json\n\n{\n  \"a\": 1\n}\n";
        assert_eq!(of(&document).unwrap(), format!("{HEAD}{expected}"));
    }

    #[test]
    fn unknown_parameter_and_missing_example_are_errors() {
        let error = |path, operation: Value| of(&document(path, &operation)).unwrap_err().to_string();
        let unknown = error("/v1/{thing}", json!({"operationId": "poke"}));
        assert_eq!(unknown, "poke: say in collection.rs where the value of {thing} comes from");
        let body = json!({"required": true, "content": {"application/json": {}}});
        let missing = error("/v1", json!({"operationId": "poke", "requestBody": body}));
        assert_eq!(missing, "poke: its body is required and has no example in the document");
    }

    #[test]
    fn requests_that_make_come_first_and_those_that_remove_last() {
        let mut names = ["endToken", "getUser", "recordActivity", "putProduct", "retireProduct"];
        names.sort_by_key(|name| rank(name));
        assert_eq!(names, ["putProduct", "recordActivity", "getUser", "retireProduct", "endToken"]);
    }
}
