// Creates an organization, has a change reviewed, and follows a review while it runs.
//
// SERVICE_URL and HUNKWISE_TOKEN name the service and an access token with the scopes organizations:read, organizations:write and
// reviews:write. The service grants entitlements with new organizations (grant_on_create = "owner").

import assert from "node:assert/strict";
import { client } from "./client/client.gen.js";
import { createOrganization, listOrganizations, reviewDiff, type Review, type ReviewProgress } from "./client/index.js";

const diff = `\
--- a/cart.py
+++ b/cart.py
@@ -1,2 +1,3 @@
-def total(prices):
+def total(prices, seen=[]):
+    seen.append(1)
     return sum(prices)
`;

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

client.setConfig({ baseUrl: setting("SERVICE_URL"), auth: setting("HUNKWISE_TOKEN") });

const created = await createOrganization({ body: { name: "Acme" }, headers: { "Idempotency-Key": "example" }, throwOnError: true });
const { organizationId } = created.data;
const listed = await listOrganizations({ throwOnError: true });
assert.deepEqual(listed.data.organizations.map((one) => one.organizationId), [organizationId]);

const path = { organizationId };
const body = { diff, clientReference: "example" };
const review = (await reviewDiff({ path, body, throwOnError: true })).data;
assert.equal(review.clientReference, "example");
assert.equal(review.findings.length, 1);
const [finding] = review.findings;
assert.equal(finding?.ruleId, "python/mutable-default-argument");
assert.equal(`${finding.filePath}:${finding.lineNumber} ${finding.priority}`, "cart.py:1 P2");

// The events of a review: `progress` any number of times, then `review` or `error`.
const names: string[] = [];
const { stream } = await client.sse.post({
  url: "/v1/organizations/{organizationId}/reviews/diff/sync",
  path,
  body,
  security: [{ scheme: "bearer", type: "http" }],
  headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
  sseMaxRetryAttempts: 1,
  onSseEvent: ({ event, data }) => {
    names.push(event ?? "");
    if (event === "progress") assert.equal((data as ReviewProgress).chunksTotal, 1);
    if (event === "review") assert.deepEqual((data as Review).findings, review.findings);
  },
});
for await (const _ of stream);
assert.equal(names.at(-1), "review");

const refused = await reviewDiff({ path, body: { diff: "no diff" } });
assert.equal(refused.error?.code, "INVALID_REQUEST");
console.log("organization created, change reviewed, review followed");
