//! A token, session or cookie that had an expiry and now has none.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary::squeezed;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/token-lifetime-dropped",
    languages: &[],
    title: "Token no longer expires",
    why: "The token was issued with a time after which it is refused. That time is gone, so a token that leaks, or that \
          belongs to a person who has left, never expires.",
    fix: "Keep the expiry.",
    references: &["CWE-613"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.ts
 const makeToken = (id: number): string =>
-  jwt.sign({ user: { id } }, secret, {
-    expiresIn: '60d',
^
-  });
+  jwt.sign({ user: { id } }, secret);
"#,
        r#"
path: src/a.py
 def make_token(user):
     payload = {
         "sub": user.id,
-        "exp": now() + LIFETIME,
^
     }
     return jwt.encode(payload, KEY)
"#,
        r#"
path: src/A.java
 class A {
     String token(User user) {
         return Jwts.builder()
             .setSubject(user.id())
-            .setExpiration(end())
^
             .signWith(key)
             .compact();
     }
 }
"#,
        r#"
path: src/a.go
 func token(id uint) *jwt.Token {
 	return jwt.NewWithClaims(method, jwt.MapClaims{
 		"id":  id,
-		"exp": time.Now().Add(day).Unix(),
^
 	})
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.ts
 const makeToken = (id: number): string =>
-  jwt.sign({ user: { id } }, secret, { expiresIn: '60d' });
+  jwt.sign({ user: { id }, exp: end() }, secret);
"#,
        r#"
path: src/a.ts
 const options = {
-  expiresIn: '60d',
   color: 'red',
 };
"#,
        r#"
path: src/a.py
 def verify(token):
-    return jwt.decode(token, KEY, options={"verify_exp": True})
+    return jwt.decode(token, KEY)
"#,
    ],
};

/// Names of the expiry of a token, in lower case without separators.
const ENDS: &[&str] = &[
    "expiresin", "exp", "expiresat", "expiration", "setexpiration", "withexpiresat",
    "expirationtime", "setexpirationtime", "expires", "expiresdelta", "notafter", "expiry",
    "maxage", "setexp", "expirytime", "lifetime",
];
const MAKES: &[&str] = &[
    "jwt.sign", "sign", "jwt.encode", "encode", "signjwt", "newwithclaims", "jwts.builder",
    "builder", "createtoken", "create_token", "create_access_token", "create_jwt_token",
    "jsonwebtoken", "securitytokendescriptor", "jwtsecuritytoken", "jwt.create", "signasync",
    "registeredclaims", "mapclaims", "jwt::encode",
];

fn is_end(leaf: Node<'_>) -> bool {
    leaf.is_leaf() && leaf.text().len() < 30 && ENDS.contains(&squeezed(leaf.text()).as_str())
}

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let is_expiry = |leaf: Node<'_>| {
        let name = squeezed(leaf.text());
        ["exp", "lifetime", "maxage", "ttl"]
            .iter()
            .any(|word| name.contains(word))
    };
    if !context.is_small_change() || context.added_tokens().any(is_expiry) {
        return;
    }
    for old in context.old.changed_nodes().filter(|leaf| is_end(*leaf)) {
        let is_label = old.ancestors().take(4).any(|around| {
            around.is(&[
                "pair", "keyword_argument", "keyed_element", "field_initializer",
                "array_element_initializer",
            ]) || around
                .assignment()
                .is_some_and(|set| old.is_inside(set.target))
                || around.call().is_some_and(|call| call.name == old.text())
        });
        if !is_label || context.new_of(old).is_some() || context.is_in_removed_function(old) {
            continue;
        }
        let function = old
            .enclosing(Role::Function)
            .or_else(|| old.enclosing(Role::Lambda));
        let around = function.unwrap_or_else(|| old.statement());
        if makes_token(around)
            && around
                .leaves()
                .any(|leaf| leaf.has_role(Role::Name) && context.new_of(leaf).is_some())
        {
            let unit = old
                .ancestors()
                .find(|node| node.is(&["pair", "keyword_argument", "keyed_element"]))
                .unwrap_or(old);
            sink.report(
                old,
                format!(
                    "`{}` is no longer set: the token never expires.",
                    quote(unit.text())
                ),
            );
            return;
        }
    }
}

/// Whether a token is created in it.
fn makes_token(around: Node<'_>) -> bool {
    let text = around.text().to_ascii_lowercase();
    let is_token = ["jwt", "token", "claims"]
        .iter()
        .any(|word| text.contains(word));
    is_token
        && around.all(Role::Call).filter_map(Node::call).any(|call| {
            let (callee, name) = (
                call.callee.to_ascii_lowercase(),
                call.name.to_ascii_lowercase(),
            );
            MAKES.contains(&callee.as_str()) || MAKES.contains(&name.as_str())
        })
}
