// A receiver of webhooks: verifies each request, handles each event once, and responds with 204.
import { createServer, type IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";

type Event = { id: string; type: string; timestamp: string; data: Record<string, unknown> };

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? "");
const bodyBytesMax = 2 * 1024 * 1024;
const handledMax = 10_000;

// The last `webhook-id`s. To remember them after a restart, store each in the transaction that stores the effect of its event.
const handled = new Set<string>();

/** Your work. When it throws, the response is 500, and the event comes again. */
function handle(event: Event) {
  console.log(event.type, event.id);
}

function handleOnce(webhookId: string, event: Event) {
  if (handled.has(webhookId)) return;
  handle(event);
  handled.add(webhookId);
  const [oldest] = handled;
  if (handled.size > handledMax && oldest !== undefined) handled.delete(oldest);
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function receive(request: IncomingMessage): Promise<number> {
  const body = await bodyOf(request);
  if (body === undefined) return 413;
  let event: Event;
  try {
    event = webhook.verify(body, request.headers as Record<string, string>) as Event;
  } catch {
    return 401;
  }
  handleOnce(request.headers["webhook-id"] as string, event);
  return 204;
}

const server = createServer(async (request, response) => {
  const status = await receive(request).catch((error: unknown) => {
    console.error("not handled:", error);
    return 500;
  });
  response.writeHead(status).end();
});
const port = Number(process.env.PORT ?? 9000);
server.listen(port, "127.0.0.1", () => console.log("listening on port", port));
