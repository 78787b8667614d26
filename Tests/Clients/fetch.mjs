// Walks through the API with the fetch of Node.
//
//   node fetch.mjs URL

const [url] = process.argv.slice(2);

/** Asks, and reads the answer; its `json` is null where there is no body. */
async function ask(method, path, headers = {}, value = undefined) {
  const body = value === undefined ? undefined : JSON.stringify(value);
  const response = await fetch(url + path, { method, headers, body });
  const text = await response.text();
  return {
    status: response.status,
    etag: response.headers.get("ETag"),
    json: text === "" ? null : JSON.parse(text),
  };
}

const json = { "Content-Type": "application/json" };

let made = await ask("POST", "/goals", json, {
  title: "A bike",
  targetAmount: "1200.00",
  currency: "USD",
});
console.log("create", made.status, made.etag, made.json.title, made.json.targetAmount);
const goal = `/goals/${made.json.id}`;

const transactions = [1, 2, 3, 4, 5, 6].map((n) => ["income", `${n}0.00`, `2026-01-0${n}`]);
transactions.push(["expense", "5.00", "2026-01-07"]);
for (const [transactionType, amount, date] of transactions) {
  made = await ask("POST", `${goal}/transactions`, json, { transactionType, amount, date });
  console.log("record", made.status, made.etag, made.json.transactionType, made.json.amount);
}

let cursor = null;
do {
  const query = new URLSearchParams({ limit: "3", sort: "-date", ...(cursor && { cursor }) });
  const page = await ask("GET", `${goal}/transactions?${query}`);
  console.log("page", page.status, ...page.json.items.map((item) => item.amount));
  cursor = page.json.nextCursor;
} while (cursor !== null);

const patch = { title: "Велосипед & co", targetAmount: "1500.00" };
const mergePatch = { "Content-Type": "application/merge-patch+json" };
const refused = await ask("PATCH", goal, { ...mergePatch, "If-Match": '"1"' }, patch);
console.log("patch", refused.status);
const { etag } = await ask("GET", goal);
const changed = await ask("PATCH", goal, { ...mergePatch, "If-Match": etag }, patch);
console.log("patch", changed.status, changed.etag, changed.json.title, changed.json.targetAmount);

const path = `${goal}/statistics?asOf=2026-02-01`;
const report = await ask("GET", path);
const { savedAmount, remainingAmount, transactionCount } = report.json;
console.log("statistics", report.status, "saved", savedAmount, "remaining", remainingAmount,
  "of", transactionCount);
const again = await ask("GET", path, { "If-None-Match": report.etag });
console.log("statistics", again.status);

console.log("delete", (await ask("DELETE", goal)).status);
const gone = await ask("GET", goal);
console.log("show", gone.status, gone.json.code);
