"""What schemathesis cannot know of the demo: whose tokens there are, and how lines of JSON are written.

Some operations would shut the examination out: one ends the token that it is sent with, another all tokens of
a user, a third disables the user. So every call by a customer gets a token of its own, issued just before, for a
user whom no example names, who is let in again when a request has disabled her, and who can afford what she orders.
"""

import json
import os
import struct
import time
import uuid
import zlib

import requests
import schemathesis

BASE_URL = os.environ["BASE_URL"]
SUPER_USER_TOKEN = os.environ["SUPER_USER_TOKEN"]
USER = "contract-examiner"
RECEIVER = "http://127.0.0.1:1024/"

# No schema says which hosts have addresses, and which cursors the feed has.
WEBHOOK_WRITES = ("addWebhook", "putWebhook", "rewindWebhook")
WEBHOOK_BODY = {"url": RECEIVER, "after": "1-0"}

# No schema says what a definition has, and which step a campaign may take. At most 200 campaigns run, so none is scheduled.
CAMPAIGN_BODY = {"title": {"en": "Made up"}, "conditions": {"types": ["made-up"]}, "reward": {"points": 1}}
TEST_BODY = {"from": "2026-01-01T00:00:00Z", "until": "2026-02-01T00:00:00Z"}
CAMPAIGN_BODIES = {"putCampaign": CAMPAIGN_BODY, "stepCampaign": {"step": "archive"}, "startBackTest": TEST_BODY}
FILLED = "birthday"

session = requests.Session()
session.headers["Authorization"] = f"Bearer {SUPER_USER_TOKEN}"


def manage(method, path, body):
    return session.request(method, BASE_URL + path, json=body, timeout=20)


def prepare():
    manage("PUT", f"/v1/manage/users/{USER}", {}).raise_for_status()
    points = {"type": "code", "source_id": "contract-1", "points": 1_000_000_000, "title": "Enough for any order"}
    manage("POST", f"/v1/manage/users/{USER}/activities", points).raise_for_status()
    manage("POST", "/v1/manage/webhooks", WEBHOOK_BODY).raise_for_status()
    back_test(FILLED)
    fill = {"version": back_tested_version(FILLED)}
    manage("POST", f"/v1/manage/campaigns/{FILLED}/back-fill", fill).raise_for_status()


def back_test(campaign):
    """Only what a back-test found can be given."""
    path = f"/v1/manage/campaigns/{campaign}/back-test"
    manage("POST", path, TEST_BODY).raise_for_status()
    for _ in range(100):
        if manage("GET", path, None).json()["data"]["state"] == "done":
            return
        time.sleep(0.2)
    raise SystemExit("the back-test of the demo does not end")


def back_tested_version(campaign):
    return manage("GET", f"/v1/manage/campaigns/{campaign}/back-test", None).json()["data"]["version"]


def new_transaction():
    """The id of a transaction that can be reversed: each is used once."""
    made_up = {"type": "code", "source_id": str(uuid.uuid4()), "points": 1, "title": "A point to take back"}
    recorded = manage("POST", f"/v1/manage/users/{USER}/activities", made_up)
    recorded.raise_for_status()
    return recorded.json()["data"]["id"]


def new_order():
    """The id of a placed order, or None when the user has sent too many requests: each is cancelled once."""
    placed = session.post(
        f"{BASE_URL}/v1/store/orders",
        json={"product_id": "cafe-mug"},
        headers={"Authorization": f"Bearer {customer_token()}"},
        timeout=20,
    )
    return placed.json()["data"]["id"] if placed.status_code == 201 else None


def some_webhook():
    """The id of a webhook: a new one while the tenant may have more. Nothing listens at its URL."""
    added = manage("POST", "/v1/manage/webhooks", {"url": RECEIVER, "enabled": False})
    if added.status_code == 201:
        return added.json()["data"]["id"]
    return manage("GET", "/v1/manage/webhooks", None).json()["data"][0]["id"]


def failed_delivery():
    """The id of a webhook and the position of the event that it could not deliver, or None."""
    webhooks = manage("GET", "/v1/manage/webhooks", None).json()["data"]
    failed = [(one["id"], one["delivery"].get("failed_position")) for one in webhooks]
    return next((found for found in failed if found[1]), None)


def skip(case):
    """Only an event whose delivery failed can be skipped, and a position is written without a fraction."""
    case.body["position"] = int(case.body["position"])
    failed = failed_delivery()
    if failed:
        case.path_parameters["webhookId"], case.body["position"] = failed


def draft():
    """The id of a draft: a new one for each request. It is archived then."""
    campaign = f"contract-{uuid.uuid4()}"
    manage("PUT", f"/v1/manage/campaigns/{campaign}", CAMPAIGN_BODY).raise_for_status()
    return campaign


def change_campaign(case, operation):
    """Only a body that is a definition is one, and a draft can be archived."""
    if operation == "startBackTest":
        manage("DELETE", "/v1/manage/campaigns/video-week/back-test", None)
        case.path_parameters["campaignId"] = "video-week"
    elif operation == "startBackFill":
        manage("DELETE", f"/v1/manage/campaigns/{FILLED}/back-fill", None)
        case.path_parameters["campaignId"] = FILLED
        if isinstance(case.body, dict):
            case.body["version"] = back_tested_version(FILLED)
    elif operation in ("showBackFill", "cancelBackFill"):
        case.path_parameters["campaignId"] = FILLED
    elif operation == "stepCampaign":
        case.path_parameters["campaignId"] = draft()
    else:
        case.path_parameters["campaignId"] = "birthday" if operation == "showCampaign" else "video-week"
    if isinstance(case.body, dict) and operation in CAMPAIGN_BODIES:
        case.body = dict(CAMPAIGN_BODIES[operation])


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


# A picture of one grey pixel.
PNG = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(b"\x00\x80"))
    + chunk(b"IEND", b"")
)


def stored_picture():
    """The id of a picture that no product shows: each is removed once."""
    added = session.post(f"{BASE_URL}/v1/manage/pictures", data=PNG, headers={"Content-Type": "image/png"}, timeout=20)
    added.raise_for_status()
    return added.json()["data"]["id"]


def new_product():
    """The id of a product that may be retired. Other requests need those of the examples."""
    product = f"contract-{uuid.uuid4()}"
    body = {"sku": "CONTRACT", "title": "To be retired", "regular_price": 1}
    manage("PUT", f"/v1/manage/products/{product}", body).raise_for_status()
    return product


def limit_stock():
    """Only a limited stock can be adjusted, and other requests take the limit away."""
    manage("PATCH", "/v1/manage/products/cafe-mug", {"stock": 2_000_000_000}).raise_for_status()


def customer_token():
    issued = manage("POST", "/v1/auth/token", {"user_id": USER})
    if issued.status_code == 422:
        manage("PUT", f"/v1/manage/users/{USER}", {"disabled": False}).raise_for_status()
        issued = manage("POST", "/v1/auth/token", {"user_id": USER})
    issued.raise_for_status()
    return issued.json()["data"]["token"]


@schemathesis.auth(refresh_interval=None)
class Tokens:
    """The token of the kind that the operation takes; a customer's where it takes both."""

    def get(self, case, context):
        if context.operation.definition.raw["operationId"] == "adjustStock":
            limit_stock()
        kinds = {name for either in context.operation.definition.raw["security"] for name in either}
        return customer_token() if "customer" in kinds else SUPER_USER_TOKEN

    def set(self, case, token, context):
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Valid adjustments are small, and of the product whose stock is limited: no schema knows what is stored."""
    is_valid = case.meta and case.meta.generation.mode.is_positive
    if is_valid and "transactionId" in (case.path_parameters or {}):
        case.path_parameters.update(userId=USER, transactionId=new_transaction())
    if is_valid and case.operation.definition.raw["operationId"] == "cancelOwnOrder":
        case.path_parameters["orderId"] = new_order() or case.path_parameters["orderId"]
    if is_valid and "pictureId" in (case.path_parameters or {}):
        case.path_parameters["pictureId"] = stored_picture()
    if is_valid and case.operation.definition.raw["operationId"] == "retireProduct":
        case.path_parameters["productId"] = new_product()
    if is_valid and "webhookId" in (case.path_parameters or {}):
        case.path_parameters["webhookId"] = some_webhook()
    if is_valid and isinstance(case.body, dict) and case.operation.definition.raw["operationId"] in WEBHOOK_WRITES:
        case.body.update({key: value for key, value in WEBHOOK_BODY.items() if key in case.body})
    if is_valid and isinstance(case.body, dict) and case.operation.definition.raw["operationId"] == "skipWebhookEvent":
        skip(case)
    if is_valid and "campaignId" in (case.path_parameters or {}):
        change_campaign(case, case.operation.definition.raw["operationId"])
    if is_valid and isinstance(case.body, dict) and case.operation.definition.raw["operationId"] == "createSignInLink":
        # No schema says which users are disabled. An unknown user is not.
        case.body["user_id"] = f"contract-{uuid.uuid4()}"
    if is_valid and "/reports/" in case.path and "from" in (case.query or {}):
        # No schema says that a range of days has an order and a length.
        case.query["until"] = case.query["from"]
    is_adjustment = case.operation.definition.raw["operationId"] == "adjustStock"
    if is_adjustment and is_valid and isinstance(case.body, dict):
        case.path_parameters["productId"] = "cafe-mug"
        case.body["difference"] = int(case.body["difference"]) % 1_000 + 1


def is_condition(parameter):
    return parameter.get("$ref", "").endswith(("/IfMatch", "/IfMissing"))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for path in raw_schema["paths"].values():
        for operation in path.values():
            show_lines(operation.get("requestBody", {}).get("content", {}).get("application/x-ndjson"))
            # A tag that is made up never fits: without it, the bodies are looked at.
            parameters = [one for one in operation.get("parameters", []) if not is_condition(one)]
            operation["parameters"] = parameters
            for parameter in parameters:
                forget_width(parameter.get("schema", {}))


def show_lines(content):
    """Shows a text of many lines as the list of its lines, so that lines are made as their schema says."""
    if content:
        content["schema"] = {"type": "array", "items": content["schema"]["contentSchema"], "maxItems": 20}
        content["example"] = [json.loads(line) for line in content["example"].splitlines()]


def forget_width(schema):
    """The tool takes int64 for a bound. Of a price without a maximum it says in what it fits: a higher one is understood."""
    if "maximum" not in schema and schema.get("format") == "int64":
        del schema["format"]


@schemathesis.hook
def filter_query(context, query):
    """Values are trimmed, and an empty one is no value: such texts are not what their lengths and kinds say."""
    texts = [value for value in (query or {}).values() if isinstance(value, str)]
    return all(text and text == text.strip() for text in texts)


@schemathesis.serializer("application/x-ndjson")
def write_lines(context, value):
    lines = value if isinstance(value, list) else [value]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@schemathesis.serializer("image/png", "image/jpeg", "image/webp", "image/avif")
def write_picture(context, value):
    """No schema says which bytes are a picture. The server looks at the bytes alone."""
    return PNG


prepare()
