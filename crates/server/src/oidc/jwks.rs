//! The issuer's keys (RFC 7517) and the signatures that they verify (RFC 7518, RFC 8037).
//!
//! Signatures are verified with *ring* directly. `jsonwebtoken` 11 brings aws-lc or the crate `rsa`, or needs a provider for the whole
//! process with signers and HMAC that nothing here uses. Such a provider would be as long as this file, which maps nine algorithms to
//! *ring*'s and cannot express any other.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{
    self, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use serde::Deserialize;
use serde_json::Value;

use super::AuthError;
use super::algorithm::Algorithm;
use super::jwt::Signed;

/// Maximum size of a key set, in bytes.
pub(super) const JWKS_BYTES: usize = 1 << 20;
/// Maximum number of keys; issuers have a handful.
const KEYS: usize = 100;
/// The prefix of the two coordinates of an uncompressed point (SEC 1, section 2.3.3).
const UNCOMPRESSED: u8 = 4;

/// A public key of the issuer.
#[derive(Debug)]
struct Key {
    kid: Option<String>,
    /// The only algorithm that the issuer uses it with, if specified.
    algorithm: Option<Algorithm>,
    material: Material,
}

#[derive(Debug)]
enum Material {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    P256(Vec<u8>),
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

impl Key {
    /// Whether the key made this signature of the message; never with an algorithm for another kind of key.
    fn verifies(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        match (&self.material, algorithm) {
            (Material::Rsa { n, e }, _) => rsa(algorithm).is_some_and(|parameters| {
                RsaPublicKeyComponents { n, e }
                    .verify(parameters, message, signature)
                    .is_ok()
            }),
            (Material::P256(point), Algorithm::Es256) => verifies(
                &signature::ECDSA_P256_SHA256_FIXED,
                point,
                message,
                signature,
            ),
            (Material::P384(point), Algorithm::Es384) => verifies(
                &signature::ECDSA_P384_SHA384_FIXED,
                point,
                message,
                signature,
            ),
            (Material::Ed25519(point), Algorithm::EdDsa) => {
                verifies(&signature::ED25519, point, message, signature)
            }
            _ => false,
        }
    }

    fn may_have_signed(&self, signed: &Signed<'_>) -> bool {
        let fits = match self.material {
            Material::Rsa { .. } => rsa(signed.algorithm).is_some(),
            Material::P256(_) => signed.algorithm == Algorithm::Es256,
            Material::P384(_) => signed.algorithm == Algorithm::Es384,
            Material::Ed25519(_) => signed.algorithm == Algorithm::EdDsa,
        };
        fits && self
            .algorithm
            .is_none_or(|algorithm| algorithm == signed.algorithm)
    }
}

/// At least 2,048 bits.
fn rsa(algorithm: Algorithm) -> Option<&'static RsaParameters> {
    Some(match algorithm {
        Algorithm::Rs256 => &signature::RSA_PKCS1_2048_8192_SHA256,
        Algorithm::Rs384 => &signature::RSA_PKCS1_2048_8192_SHA384,
        Algorithm::Rs512 => &signature::RSA_PKCS1_2048_8192_SHA512,
        Algorithm::Ps256 => &signature::RSA_PSS_2048_8192_SHA256,
        Algorithm::Ps384 => &signature::RSA_PSS_2048_8192_SHA384,
        Algorithm::Ps512 => &signature::RSA_PSS_2048_8192_SHA512,
        Algorithm::Es256 | Algorithm::Es384 | Algorithm::EdDsa => return None,
    })
}

fn verifies(
    algorithm: &'static dyn VerificationAlgorithm,
    point: &[u8],
    message: &[u8],
    signature: &[u8],
) -> bool {
    UnparsedPublicKey::new(algorithm, point)
        .verify(message, signature)
        .is_ok()
}

/// The public keys that verify an issuer's signatures.
#[derive(Debug)]
pub(super) struct KeySet(Vec<Key>);

#[derive(Deserialize)]
struct Jwks {
    keys: Vec<Value>,
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    key_ops: Option<Vec<String>>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl KeySet {
    /// Parses a key set. Keys for other purposes, or of unknown kinds, are skipped.
    ///
    /// # Errors
    /// The problem with the set as a whole.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, &'static str> {
        if bytes.len() > JWKS_BYTES {
            return Err("the set of keys is too large");
        }
        let jwks: Jwks =
            serde_json::from_slice(bytes).map_err(|_| "the response is not a JSON Web Key Set")?;
        if jwks.keys.len() > KEYS {
            return Err("the set has too many keys");
        }
        let keys: Vec<_> = jwks
            .keys
            .into_iter()
            .filter_map(|key| read(serde_json::from_value(key).ok()?))
            .collect();
        if keys.is_empty() {
            return Err("the set has no usable signature key");
        }
        Ok(Self(keys))
    }

    /// Verifies the token's signature.
    ///
    /// # Errors
    /// There is no key with the token's key ID, or none that verifies it.
    pub(super) fn verify(&self, signed: &Signed<'_>) -> Result<(), AuthError> {
        let keys = self.find(signed);
        if keys.is_empty() {
            return Err(AuthError::UnknownKey);
        }
        let verifies =
            |key: &&Key| key.verifies(signed.algorithm, signed.message, &signed.signature);
        keys.iter()
            .any(verifies)
            .then_some(())
            .ok_or(AuthError::Signature)
    }

    /// The keys with the token's key ID that may sign with its algorithm: several if an issuer gives one ID to more
    /// than one, which is allowed (RFC 7517, section 4.5). For a token without a key ID, the only key that may sign.
    fn find(&self, signed: &Signed<'_>) -> Vec<&Key> {
        let fitting = self.0.iter().filter(|key| key.may_have_signed(signed));
        match &signed.kid {
            Some(_) => fitting.filter(|key| key.kid == signed.kid).collect(),
            None => {
                let fitting: Vec<_> = fitting.collect();
                if fitting.len() == 1 {
                    fitting
                } else {
                    Vec::new()
                }
            }
        }
    }
}

fn read(jwk: Jwk) -> Option<Key> {
    let signs = jwk
        .purpose
        .as_deref()
        .is_none_or(|purpose| purpose == "sig");
    let verifies = jwk
        .key_ops
        .as_ref()
        .is_none_or(|operations| operations.iter().any(|name| name == "verify"));
    let algorithm = match &jwk.alg {
        Some(name) => Some(Algorithm::named(name)?),
        None => None,
    };
    let material = material(&jwk)?;
    (signs && verifies).then_some(Key {
        kid: jwk.kid,
        algorithm,
        material,
    })
}

fn material(jwk: &Jwk) -> Option<Material> {
    let bytes = |text: &Option<String>| URL_SAFE_NO_PAD.decode(text.as_ref()?).ok();
    let point = |coordinate: usize| {
        let (x, y) = (bytes(&jwk.x)?, bytes(&jwk.y)?);
        (x.len() == coordinate && y.len() == coordinate)
            .then(|| [vec![UNCOMPRESSED], x, y].concat())
    };
    Some(match (jwk.kty.as_str(), jwk.crv.as_deref()) {
        ("RSA", _) => Material::Rsa {
            n: number(bytes(&jwk.n)?),
            e: number(bytes(&jwk.e)?),
        },
        ("EC", Some("P-256")) => Material::P256(point(32)?),
        ("EC", Some("P-384")) => Material::P384(point(48)?),
        ("OKP", Some("Ed25519")) => Material::Ed25519(bytes(&jwk.x)?),
        _ => return None,
    })
}

/// Some issuers write a leading zero byte, which *ring* does not accept.
fn number(bytes: Vec<u8>) -> Vec<u8> {
    bytes.into_iter().skip_while(|&byte| byte == 0).collect()
}
