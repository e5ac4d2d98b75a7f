//! An OpenID Connect issuer: its keys, documents and signed tokens, and the requests that it has received.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use ring::rand::SystemRandom;
use ring::signature::{
    self, ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair,
    EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair, RsaEncoding, RsaKeyPair,
    RsaPublicKeyComponents,
};
use serde_json::{Value, json};
use server::{CodeFlow, Fetch, SignIn};
use store::{Scope, UnixMillis};
use tokio::sync::Semaphore;

pub(crate) const ISSUER: &str = "https://id.example.com";
pub(crate) const AUDIENCE: &str = "hunkwise";
/// The service as a client, and its address.
pub(crate) const CLIENT: &str = "hunkwise-console";
pub(crate) const REDIRECT_URL: &str = "http://127.0.0.1:8080/sign-in/callback";

/// A key pair of an issuer, or of an impostor.
pub(crate) struct SigningKey {
    pub(crate) kid: String,
    pair: Pair,
}

enum Pair {
    Rsa(Box<RsaKeyPair>),
    P256(EcdsaKeyPair),
    P384(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

impl SigningKey {
    /// The only RSA key of all tests, because *ring* cannot generate one.
    pub(crate) fn rsa(kid: &str) -> Self {
        let text: String = include_str!("issuer_rsa_key.txt")
            .split_whitespace()
            .collect();
        let pair = RsaKeyPair::from_pkcs8(&STANDARD.decode(text).unwrap()).unwrap();
        Self {
            kid: kid.to_owned(),
            pair: Pair::Rsa(Box::new(pair)),
        }
    }

    pub(crate) fn p256(kid: &str) -> Self {
        Self {
            kid: kid.to_owned(),
            pair: Pair::P256(ecdsa(&ECDSA_P256_SHA256_FIXED_SIGNING)),
        }
    }

    pub(crate) fn p384(kid: &str) -> Self {
        Self {
            kid: kid.to_owned(),
            pair: Pair::P384(ecdsa(&ECDSA_P384_SHA384_FIXED_SIGNING)),
        }
    }

    pub(crate) fn ed25519(kid: &str) -> Self {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self {
            kid: kid.to_owned(),
            pair: Pair::Ed25519(Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap()),
        }
    }

    /// The algorithms that it can sign with, the default first.
    pub(crate) fn algorithms(&self) -> &'static [&'static str] {
        match self.pair {
            Pair::Rsa(_) => &["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
            Pair::P256(_) => &["ES256"],
            Pair::P384(_) => &["ES384"],
            Pair::Ed25519(_) => &["EdDSA", "Ed25519"],
        }
    }

    /// The public part, as a JSON Web Key.
    pub(crate) fn jwk(&self) -> Value {
        let point = |crv: &str, point: &[u8]| {
            let (x, y) = point[1..].split_at(point.len() / 2);
            json!({ "kty": "EC", "crv": crv, "x": encode(x), "y": encode(y) })
        };
        let mut jwk = match &self.pair {
            Pair::Rsa(pair) => {
                let RsaPublicKeyComponents::<Vec<u8>> { n, e } = pair.public().into();
                json!({ "kty": "RSA", "n": encode(&n), "e": encode(&e), "x5c": ["ignored"] })
            }
            Pair::P256(pair) => point("P-256", pair.public_key().as_ref()),
            Pair::P384(pair) => point("P-384", pair.public_key().as_ref()),
            Pair::Ed25519(pair) => {
                json!({ "kty": "OKP", "crv": "Ed25519", "x": encode(pair.public_key().as_ref()) })
            }
        };
        jwk["kid"] = json!(self.kid);
        jwk["use"] = json!("sig");
        jwk
    }

    /// A token with these claims, signed with the default algorithm.
    pub(crate) fn sign(&self, claims: &Value) -> String {
        self.sign_with(
            &json!({ "typ": "at+jwt", "alg": self.algorithms()[0], "kid": self.kid }),
            claims,
        )
    }

    /// A token with this header. It is signed with the header's `alg` if the key supports it.
    pub(crate) fn sign_with(&self, header: &Value, claims: &Value) -> String {
        let message = format!(
            "{}.{}",
            encode(header.to_string().as_bytes()),
            encode(claims.to_string().as_bytes())
        );
        let signature = self.signature(
            header["alg"].as_str().unwrap_or_default(),
            message.as_bytes(),
        );
        format!("{message}.{}", encode(&signature))
    }

    pub(crate) fn signature(&self, algorithm: &str, message: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match &self.pair {
            Pair::Rsa(pair) => {
                let encoding: &dyn RsaEncoding = match algorithm {
                    "RS384" => &signature::RSA_PKCS1_SHA384,
                    "RS512" => &signature::RSA_PKCS1_SHA512,
                    "PS256" => &signature::RSA_PSS_SHA256,
                    "PS384" => &signature::RSA_PSS_SHA384,
                    "PS512" => &signature::RSA_PSS_SHA512,
                    _ => &signature::RSA_PKCS1_SHA256,
                };
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(encoding, &random, message, &mut signature)
                    .unwrap();
                signature
            }
            Pair::P256(pair) | Pair::P384(pair) => {
                pair.sign(&random, message).unwrap().as_ref().to_vec()
            }
            Pair::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
        }
    }
}

fn ecdsa(algorithm: &'static EcdsaSigningAlgorithm) -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).unwrap()
}

/// The encoding of every part of a JWT.
pub(crate) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The claims of a valid token.
pub(crate) fn claims(now: UnixMillis) -> Value {
    let now = now.0 / 1_000;
    json!({
        "iss": ISSUER, "sub": "auth0|ada", "aud": AUDIENCE, "exp": now + 300, "iat": now, "jti": "1",
        "client_id": "ci", "name": "Ada Lovelace", "scope": "openid organizations:read organizations:write",
    })
}

/// The issuer. Clones share its state.
#[derive(Clone, Default)]
pub(crate) struct Issuer(Arc<Mutex<World>>);

#[derive(Default)]
struct World {
    /// The document at each address. No other address answers.
    documents: BTreeMap<String, Vec<u8>>,
    down: bool,
    asked: Vec<String>,
    /// The forms that its token endpoint received, and their `Authorization` header field.
    forms: Vec<(String, Option<String>)>,
    /// Responses wait for it.
    gate: Option<Arc<Semaphore>>,
}

impl Issuer {
    /// An issuer with these keys.
    pub(crate) fn with(keys: &[&SigningKey]) -> Self {
        let issuer = Self::default();
        issuer.describe(&json!({}));
        issuer.publish(keys);
        issuer
    }

    /// Adds this to its discovery document.
    pub(crate) fn describe(&self, more: &Value) {
        let mut discovery = json!({
            "issuer": ISSUER, "jwks_uri": format!("{ISSUER}/keys"), "unknown": {},
            "authorization_endpoint": format!("{ISSUER}/authorize"), "token_endpoint": format!("{ISSUER}/token"),
        });
        discovery
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        self.write("/.well-known/openid-configuration", discovery.to_string());
    }

    /// Replaces its keys.
    pub(crate) fn publish(&self, keys: &[&SigningKey]) {
        self.write(
            "/keys",
            json!({ "keys": keys.iter().map(|key| key.jwk()).collect::<Vec<_>>() }).to_string(),
        );
    }

    /// Adds or replaces this document.
    pub(crate) fn write(&self, path: &str, document: String) {
        self.0
            .lock()
            .unwrap()
            .documents
            .insert(format!("{ISSUER}{path}"), document.into_bytes());
    }

    pub(crate) fn set_down(&self, down: bool) {
        self.0.lock().unwrap().down = down;
    }

    /// Makes each response wait for a permit of the gate.
    pub(crate) fn set_gate(&self) -> Arc<Semaphore> {
        let gate = Arc::new(Semaphore::new(0));
        self.0.lock().unwrap().gate = Some(Arc::clone(&gate));
        gate
    }

    /// The last form that its token endpoint received.
    pub(crate) fn last_form(&self) -> (BTreeMap<String, String>, Option<String>) {
        let world = self.0.lock().unwrap();
        let (form, authorization) = world.forms.last().expect("a form was received");
        (
            form_urlencoded::parse(form.as_bytes())
                .into_owned()
                .collect(),
            authorization.clone(),
        )
    }

    /// How often its keys were fetched.
    pub(crate) fn key_fetches(&self) -> usize {
        self.0
            .lock()
            .unwrap()
            .asked
            .iter()
            .filter(|url| url.ends_with("/keys"))
            .count()
    }

    /// How often it received any request.
    pub(crate) fn requests(&self) -> usize {
        self.0.lock().unwrap().asked.len()
    }

    /// The settings of a service that trusts it.
    pub(crate) fn sign_in(&self, scopes: &[Scope]) -> SignIn {
        SignIn {
            issuer: ISSUER.to_owned(),
            audience: AUDIENCE.to_owned(),
            jwks_url: None,
            scopes: scopes.to_vec(),
            code_flow: None,
            fetch: Arc::new(self.clone()),
        }
    }

    /// The same, with a client for browsers.
    pub(crate) fn sign_in_of_browsers(&self, client_secret: Option<&str>) -> SignIn {
        let code_flow = CodeFlow {
            client_id: CLIENT.to_owned(),
            client_secret: client_secret.map(str::to_owned),
            redirect_url: REDIRECT_URL.to_owned(),
            request_scopes: "openid profile".to_owned(),
            session_scopes: vec![Scope::OrganizationsRead, Scope::OrganizationsWrite],
        };
        SignIn {
            code_flow: Some(code_flow),
            ..self.sign_in(&[])
        }
    }
}

impl Fetch for Issuer {
    fn fetch<'a>(
        &'a self,
        url: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<u8>, Box<dyn Error + Send + Sync>>> {
        async move {
            let gate = {
                let mut world = self.0.lock().unwrap();
                world.asked.push(url.to_owned());
                world.gate.clone()
            };
            if let Some(gate) = gate {
                gate.acquire().await.unwrap().forget();
            }
            let world = self.0.lock().unwrap();
            let document = world
                .documents
                .get(url)
                .filter(|_| !world.down)
                .ok_or("connection refused")?;
            if document.len() > limit {
                Err("too long".into())
            } else {
                Ok(document.clone())
            }
        }
        .boxed()
    }

    fn post_form<'a>(
        &'a self,
        url: &'a str,
        form: String,
        authorization: Option<String>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<u8>, Box<dyn Error + Send + Sync>>> {
        self.0.lock().unwrap().forms.push((form, authorization));
        self.fetch(url, limit)
    }
}
