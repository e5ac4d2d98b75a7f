//! The tokens that the two turns of a conversation send.

use super::*;
use crate::tokens::Estimator;

/// A change of 15 lines.
const CHANGE: &str = "\
diff --git a/shop/refunds.py b/shop/refunds.py
--- a/shop/refunds.py
+++ b/shop/refunds.py
@@ -12,14 +12,19 @@ class RefundService:
     def __init__(self, ledger, gateway):
         self.ledger = ledger
         self.gateway = gateway
 
-    def refund(self, order, cents):
-        if order is None or order.ledger is None:
-            raise RefundError(\"the order has no ledger\")
+    def refund(self, order, cents, reason=None):
         total = sum(entry.cents for entry in order.ledger.entries)
-        self.gateway.refund(order.payment_id, cents)
+        share = cents / total
+        for entry in order.ledger.entries:
+            part = round(entry.cents * share)
+            if part > 0:
+                self.gateway.refund(entry.payment_id, part)
+                self.ledger.add(order.id, -part, reason)
         order.refunded += cents
+        if order.refunded >= total:
+            order.status = \"refunded\"
         return order
 
     def history(self, order):
         return [entry for entry in self.ledger.entries if entry.order_id == order.id]
@@ -61,4 +66,4 @@ def notify(order, mailer):
     if not order.customer.email:
         return
-    mailer.send(order.customer.email, \"refund\", order=order)
+    mailer.send(order.customer.email, \"refund\", order=order, locale=order.customer.locale)
     log.info(\"sent %s\", order.id)
";

/// The share of small changes with candidates, and so with a second turn (docs/models.md: 1.8 calls a change).
const WITH_CANDIDATES: f64 = 0.8;
/// How many times the tokens of one turn a review may send on average.
const MOST: f64 = 2.0;

/// Two candidates, which is what changes with candidates have on average.
fn two() -> Act {
    let candidates = serde_json::json!([
        {
            "file": "shop/refunds.py", "line": "NEW:18", "quote": "        share = cents / total",
            "scenario": "An order whose entries were all refunded before: `total` is 0, and the division raises `ZeroDivisionError`.",
            "depends_on": [], "category": "LOGIC_BUG", "priority": "P1",
            "summary": "`share` divides by `total`, which is 0 for an order whose entries add up to nothing, so that the request fails with a `ZeroDivisionError`.",
            "fix": "Return before the division if `total` is 0, or raise a `RefundError`."
        },
        {
            "file": "shop/refunds.py", "line": "OLD:17", "quote": "        if order is None or order.ledger is None:",
            "scenario": "An order that was imported without a ledger is refunded: `order.ledger.entries` raises `AttributeError`.",
            "depends_on": ["callers of `refund`"], "category": "NULL_SAFETY", "priority": "P1",
            "summary": "The check for an order without a ledger was removed, so `order.ledger.entries` fails with an `AttributeError` instead of a `RefundError`.",
            "fix": "Keep the check at the beginning of `refund`."
        }
    ]);
    answers(serde_json::json!({ "hunks": [], "findings": candidates }).to_string())
}

#[tokio::test]
async fn a_small_change_sends_at_most_twice_the_tokens_of_one_turn_on_average() {
    let is_changed = |line: &&str| {
        line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---")
    };
    assert_eq!(CHANGE.lines().filter(is_changed).count(), 15);
    let model = Script::new([two()]);
    let engine = engine(&model, &Settings::default());
    let outcome = review_as(&engine, &Scope::default(), CHANGE, &[]).await;
    assert_eq!(outcome.candidates.len(), 2, "{outcome:?}");
    let tokens = |prompt: &Prompt| Estimator::default().tokens(prompt.bytes()) as f64;
    let (first, second) = (&model.prompt(0), &model.prompts(true)[0]);
    let times = tokens(second) / tokens(first);
    let average = 1.0 + WITH_CANDIDATES * times;
    assert!(
        average <= MOST,
        "{average:.3} with a second turn of {times:.3}"
    );
}
