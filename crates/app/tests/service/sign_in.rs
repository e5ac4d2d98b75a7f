//! Sign-in with tokens of an OpenID Connect issuer over HTTP. The issuer runs on this machine, signs tokens, rotates
//! its keys, goes down and sends invalid data.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Place, Serving};

/// More than socket buffers hold.
const ENDLESS: usize = 256 << 20;
static CHUNK: [u8; 1 << 16] = [b' '; 1 << 16];

/// The set of keys that the issuer serves.
#[derive(Clone)]
enum Keys {
    Set(Vec<Value>),
    /// A set of 10 MB, with or without a length.
    Large {
        announced: bool,
    },
    Elsewhere,
    Down,
}

struct Issuer {
    url: String,
    keys: Arc<Mutex<Keys>>,
    /// Bytes of large sets that were read.
    sent: Arc<Mutex<usize>>,
}

impl Issuer {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (keys, sent) = (Arc::new(Mutex::new(Keys::Down)), Arc::default());
        let issuer = Self { url, keys, sent };
        let (url, keys, sent) = (
            issuer.url.clone(),
            Arc::clone(&issuer.keys),
            Arc::clone(&issuer.sent),
        );
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let keys = keys.lock().unwrap().clone();
                // Some tests are about clients that stop reading.
                let _cut_off = stream.and_then(|stream| answer(stream, &url, &keys, &sent));
            }
        });
        issuer
    }

    fn set(&self, keys: Keys) {
        *self.keys.lock().unwrap() = keys;
    }

    fn settings(&self) -> String {
        format!(
            "[oidc]\nissuer = \"{}\"\naudience = \"hunkwise\"\n",
            self.url
        )
    }
}

fn answer(
    stream: TcpStream,
    issuer: &str,
    keys: &Keys,
    sent: &Mutex<usize>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().unwrap_or(Ok(String::new()))?;
    while lines
        .next()
        .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
    {}
    let mut stream = stream;
    let mut ok = |body: String| {
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
    };
    match keys {
        Keys::Down => Ok(()),
        _ if first.contains("/.well-known/openid-configuration ") => {
            ok(json!({ "issuer": issuer, "jwks_uri": format!("{issuer}/keys") }).to_string())
        }
        Keys::Set(keys) => ok(json!({ "keys": keys }).to_string()),
        Keys::Elsewhere => write!(
            stream,
            "HTTP/1.1 302 Found\r\nLocation: {issuer}/.well-known/x\r\n\r\n"
        ),
        Keys::Large { announced } => {
            let length = if *announced {
                "Content-Length: 10000000\r\n"
            } else {
                ""
            };
            write!(
                stream,
                "HTTP/1.1 200 OK\r\n{length}Connection: close\r\n\r\n{{\"keys\":["
            )?;
            for _ in 0..ENDLESS / CHUNK.len() {
                stream.write_all(&CHUNK)?;
                *sent.lock().unwrap() += CHUNK.len();
            }
            Ok(())
        }
    }
}

struct Key {
    kid: &'static str,
    pair: EcdsaKeyPair,
}

impl Key {
    fn new(kid: &'static str) -> Self {
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Self {
            kid,
            pair: EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).unwrap(),
        }
    }

    fn jwk(&self) -> Value {
        let (x, y) = self.pair.public_key().as_ref()[1..].split_at(32);
        json!({ "kty": "EC", "crv": "P-256", "kid": self.kid, "x": encode(x), "y": encode(y) })
    }

    fn token(&self, issuer: &Issuer, subject: &str) -> String {
        #[expect(
            clippy::disallowed_methods,
            reason = "the service under test uses the clock of the machine"
        )]
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_secs();
        let header = json!({ "alg": "ES256", "kid": self.kid, "typ": "at+jwt" });
        let claims = json!({
            "iss": issuer.url, "aud": "hunkwise", "sub": subject, "exp": now + 300, "scope": "organizations:write",
        });
        let message = format!(
            "{}.{}",
            encode(header.to_string().as_bytes()),
            encode(claims.to_string().as_bytes())
        );
        let signature = self
            .pair
            .sign(&SystemRandom::new(), message.as_bytes())
            .unwrap();
        format!("{message}.{}", encode(signature.as_ref()))
    }
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn me(serving: &Serving, token: &str) -> (u16, Value) {
    serving.send("GET", "/v1/me", token, "")
}

/// A service that trusts the issuer, one of the service's own tokens, and that token's ID.
fn serve(place: &Place, issuer: &Issuer) -> (Serving, String, String) {
    place.write("a.toml", &issuer.settings());
    let serving = place.serve(&["--config", "a.toml", "--database", "sqlite://a.db"]);
    let admin = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        place.json(
            &[
                &["admin", "--json", "--database", "sqlite://a.db"],
                &words[..],
            ]
            .concat(),
        )
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let user = text(&admin("user create --name Ada")["userId"]);
    let made = admin(&format!("token create --user {user}"));
    (serving, text(&made["token"]), text(&made["tokenId"]))
}

#[test]
fn sign_in_survives_a_late_issuer_and_rotated_keys() {
    let (place, issuer) = (Place::new(), Issuer::start());
    let (serving, own, _) = serve(&place, &issuer);
    let (old, new) = (Key::new("old"), Key::new("new"));
    let token = old.token(&issuer, "ada");
    let (status, refused) = me(&serving, &token);
    assert_eq!(
        (status, &refused["code"]),
        (503, &json!("NOT_READY")),
        "{refused}"
    );
    assert_eq!(me(&serving, &own).0, 200, "its own tokens need no issuer");

    issuer.set(Keys::Set(vec![old.jwk()]));
    let (status, ada) = me(&serving, &token);
    assert_eq!(
        (status, &ada["scopes"], &ada["displayName"]),
        (200, &json!(["organizations:write"]), &json!("ada"))
    );
    issuer.set(Keys::Set(vec![old.jwk(), new.jwk()]));
    assert_eq!(
        me(&serving, &new.token(&issuer, "ada")).1["userId"],
        ada["userId"]
    );
    assert_ne!(
        me(&serving, &new.token(&issuer, "ben")).1["userId"],
        ada["userId"]
    );
    issuer.set(Keys::Down);
    assert_eq!(me(&serving, &token).0, 200);
    assert_eq!(me(&serving, &Key::new("old").token(&issuer, "ada")).0, 401);

    serving.process.signal(Signal::TERM);
    let ended = serving.process.end();
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(
        ended.stderr.contains("its signature is invalid")
            && ended.stderr.contains("could not fetch the keys"),
        "{ended:?}"
    );
    assert!(
        !ended.stderr.contains(&token) && !ended.stderr.contains(&own),
        "{ended:?}"
    );
}

#[test]
fn a_token_that_was_revoked_by_another_process_is_refused_at_the_next_request() {
    let (place, issuer) = (Place::new(), Issuer::start());
    let (serving, token, id) = serve(&place, &issuer);
    let line = ["admin", "token", "revoke", "--database", "sqlite://a.db"];
    for _ in 0..3 {
        assert_eq!(me(&serving, &token).0, 200);
    }
    assert_eq!(place.run(&[&line[..], &[&id]].concat()).status, 0);
    assert_eq!(me(&serving, &token).0, 401);
}

#[test]
fn invalid_key_sets_are_not_read_completely() {
    for (keys, words) in [
        (
            Keys::Large { announced: true },
            "the response is longer than 1048576 bytes",
        ),
        (
            Keys::Large { announced: false },
            "the response is longer than 1048576 bytes",
        ),
        (Keys::Elsewhere, "the response has the status 302"),
    ] {
        let (place, issuer) = (Place::new(), Issuer::start());
        let (serving, own, _) = serve(&place, &issuer);
        issuer.set(keys);
        assert_eq!(me(&serving, &Key::new("1").token(&issuer, "ada")).0, 503);
        assert_eq!(me(&serving, &own).0, 200);
        serving.process.signal(Signal::TERM);
        let ended = serving.process.end();
        assert!(ended.stderr.contains(words), "{words}: {ended:?}");
        assert!(
            *issuer.sent.lock().unwrap() < ENDLESS / 2,
            "the connection was cut"
        );
    }
}
