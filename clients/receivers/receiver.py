"""A receiver of webhooks: verifies each request, handles each event once, and responds with 204."""

import os
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from standardwebhooks import Webhook, WebhookVerificationError

WEBHOOK = Webhook(os.environ["WEBHOOK_SECRET"])
BODY_BYTES_MAX = 2 * 1024 * 1024
HANDLED_MAX = 10_000

# The last `webhook-id`s. To remember them after a restart, store each in the transaction that stores the effect of its event.
handled = OrderedDict()
lock = Lock()


def handle(event):
    """Your work. When it raises, the response is 500, and the event comes again."""
    print(event["type"], event["id"], flush=True)


def handle_once(webhook_id, event):
    with lock:
        if webhook_id not in handled:
            handle(event)
            handled[webhook_id] = None
        if len(handled) > HANDLED_MAX:
            handled.popitem(last=False)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        if length > BODY_BYTES_MAX:
            return self.send_error(413)
        body = self.rfile.read(length)
        try:
            event = WEBHOOK.verify(body, dict(self.headers))
        except (WebhookVerificationError, ValueError):
            return self.send_error(401)
        try:
            handle_once(self.headers["webhook-id"], event)
        except Exception as error:
            self.log_error("not handled: %r", error)
            return self.send_error(500)
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
    print("listening on port", server.server_port, flush=True)
    server.serve_forever()
