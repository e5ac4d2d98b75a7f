//! Single-use sign-in links. They exist only in the process that created them: the demo prints one to its terminal.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use store::{SignInCode, SignInDigest, TokenId, UnixMillis};

/// Lifetime of a link.
const LIFE: Duration = Duration::from_secs(10 * 60);

/// The open links: the token that each signs in with, and its expiry.
#[derive(Debug, Default)]
pub(crate) struct SignInLinks(Mutex<HashMap<SignInDigest, (TokenId, UnixMillis)>>);

impl SignInLinks {
    /// Creates a link's code, which signs in with this token.
    pub(crate) fn offer(&self, token: TokenId, now: UnixMillis) -> SignInCode {
        let code = SignInCode::generate();
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, (_, expires_at)| *expires_at > now);
        open.insert(code.digest(), (token, now + LIFE));
        code
    }

    /// Redeems a code for its token. The code becomes invalid.
    pub(crate) fn redeem(&self, code: &SignInCode, now: UnixMillis) -> Option<TokenId> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.remove(&code.digest())
            .filter(|(_, expires_at)| *expires_at > now)
            .map(|(token, _)| token)
    }
}

#[cfg(test)]
mod tests {
    use store::{SignInCode, TokenId, UnixMillis};

    use super::{LIFE, SignInLinks};

    #[test]
    fn a_code_is_redeemed_once_and_within_ten_minutes() {
        let (links, now) = (SignInLinks::default(), UnixMillis(0));
        let token = TokenId::new(now);
        let (used, late) = (links.offer(token, now), links.offer(token, now));
        assert_eq!(links.redeem(&used, UnixMillis(599_999)), Some(token));
        assert_eq!(links.redeem(&used, now), None);
        assert_eq!(links.redeem(&late, now + LIFE), None);
        assert_eq!(links.redeem(&SignInCode::generate(), now), None);
    }
}
