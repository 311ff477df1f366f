// What an app does on a usual day, by the generated client, against the demo.
import assert from "node:assert/strict";
import { Configuration, HistoryApi, ResponseError, StoreApi, type ValidationErrorAnswer } from "pointbook-client";

const basePath = process.env.BASE_URL ?? "";
const as = (accessToken: string) => new Configuration({ basePath, accessToken });

async function example() {
  // The example of docs/clients.md.
  const store = new StoreApi(new Configuration({ basePath, accessToken: "demo-aiko" }));
  const page = await store.listProducts({ filterOnSale: true, sort: "price", pageSize: 5 });
  for (const product of page.data) {
    console.log(product.title, product.sale_price ?? product.regular_price);
  }
  const { data: order } = await store.placeOrder({ newOrder: { product_id: "cafe-mug" }, idempotencyKey: "basket-1" });
  console.log(order.number, order.status);
  // The end of the example.
  return { page, order };
}

async function status(call: Promise<unknown>): Promise<[number, unknown]> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ResponseError) return [error.response.status, await error.response.json()];
    throw error;
  }
  return [200, null];
}

async function main() {
  const { page, order } = await example();
  assert(page.data.length > 0 && page.data.every((product) => product.sale_price !== null));
  assert.equal(order.status, "placed");

  const store = new StoreApi(as("demo-aiko"));
  const ids = new Set<string>();
  for (let pageNumber = 1, more = true; more; pageNumber += 1) {
    const page = await store.listProducts({ pageNumber });
    page.data.forEach((product) => ids.add(product.id));
    more = page.links.next !== null;
    if (!more) assert.equal(ids.size, page.meta.total);
  }

  const mug = await store.getProduct({ productId: "cafe-mug" });
  assert.deepEqual([mug.success, mug.data.id, mug.data.gallery.length], [true, "cafe-mug", 3]);
  const missing = await status(store.getProduct({ productId: "no/such product" }));
  const notFound = { success: false, message: "Product not found" };
  assert.deepEqual(missing, [404, notFound]);
  const categories = await store.listCategories();
  assert(categories.data.some((category) => category.children.length > 0));

  const history = await new HistoryApi(as("demo-aiko")).getPointHistory();
  const transactions = Object.values(history.data).flatMap((groups) => groups.flatMap((group) => group.data));
  assert(transactions.some((one) => one.type === "order" && one.points < 0 && one.bonus_breakdown === undefined));
  assert(transactions.every((one) => /\.\d{6}Z$/.test(one.created_at)));
  const withBonus = transactions.filter((one) => one.bonus_points > 0);
  assert(withBonus.length > 0);
  for (const { bonus_points, bonus_breakdown } of withBonus) {
    assert.equal(bonus_breakdown?.reduce((sum, bonus) => sum + bonus.points, 0), bonus_points);
  }

  const poor = new StoreApi(as("demo-mia"));
  const [invalid, body] = await status(poor.placeOrder({ newOrder: { product_id: "city-e-bike" } }));
  assert.equal(invalid, 422);
  assert.deepEqual(Object.keys((body as ValidationErrorAnswer).errors), ["product_id"]);
  const stranger = await status(new StoreApi(as("no-such-token")).listProducts());
  assert.deepEqual(stranger, [401, { message: "Unauthenticated." }]);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
