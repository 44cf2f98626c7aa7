// Verifies deliveries on standard input with the libraries that receivers use; they know nothing of this service.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";

const deliveries = JSON.parse(readFileSync(0, "utf8"));
assert.ok(deliveries.length >= 6);
const other = "whsec_" + Buffer.alloc(32, 9).toString("base64");
for (const { secret, olderSecret, body, headers } of deliveries) {
  // Over the body alone, with the text of the newest secret.
  const signature = headers["x-webhook-signature-256"];
  assert.equal(await verify(secret, body, signature), true);
  assert.equal(await verify(olderSecret, body, signature), false);
  assert.equal(await verify(secret, body + " ", signature), false);
  // Standard Webhooks: during an overlap with either secret.
  for (const known of [secret, olderSecret]) {
    assert.deepEqual(new Webhook(known).verify(body, headers), JSON.parse(body));
  }
  assert.throws(() => new Webhook(other).verify(body, headers));
  assert.throws(() => new Webhook(secret).verify(body + " ", headers));
  assert.throws(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "another" }));
}
console.log(`${deliveries.length} deliveries verified by @octokit/webhooks-methods and standardwebhooks`);
