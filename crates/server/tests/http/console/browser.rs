//! Simulates a browser on the console's pages.

use axum::http::Method;

use crate::support::{Answer, Call, Service, User};

/// A browser on this machine that requests pages and submits their forms.
pub(super) struct Browser<'a> {
    pub(super) service: &'a Service,
    /// `name=value` of its session.
    pub(super) cookie: String,
}

impl<'a> Browser<'a> {
    pub(super) const fn new(service: &'a Service) -> Self {
        Self {
            service,
            cookie: String::new(),
        }
    }

    /// A browser that is signed in with the user's token.
    pub(super) async fn of(service: &'a Service, user: &User) -> Self {
        let mut browser = Self::new(service);
        let answer = browser.sign_in(&user.token).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("location")),
            (303, "/"),
            "{}",
            answer.text()
        );
        browser
    }

    /// Submits the form of the sign-in page, and keeps the cookie of the response.
    pub(super) async fn sign_in(&mut self, token: &str) -> Answer {
        let answer = self.form("/sign-in", &[("token", token)]).visit().await;
        self.keep(&answer);
        answer
    }

    /// Keeps the cookie of a response.
    pub(super) fn keep(&mut self, answer: &Answer) {
        if let Some((pair, _)) = answer.header("set-cookie").split_once(';') {
            self.cookie = pair.to_owned();
        }
    }

    pub(super) fn get(&self, path: &str) -> Call<'a> {
        self.call(Method::GET, path)
    }

    /// A form submitted by a page of the service.
    pub(super) fn form(&self, path: &str, fields: &[(&str, &str)]) -> Call<'a> {
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields)
            .finish();
        let call = self
            .call(Method::POST, path)
            .header("content-type", "application/x-www-form-urlencoded");
        call.header("sec-fetch-site", "same-origin")
            .header("origin", "http://127.0.0.1:8080")
            .body(body)
    }

    /// Submits a form of one of its own pages.
    pub(super) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.own_form_token();
        self.form(
            path,
            &[&[("form_token", token.as_str())][..], fields].concat(),
        )
        .visit()
        .await
    }

    /// Follows a redirect, with the cookie that the response sets.
    pub(super) async fn follow(&self, answer: &Answer) -> Answer {
        assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
        let (pair, _) = answer
            .header("set-cookie")
            .split_once(';')
            .unwrap_or_default();
        self.get(answer.header("location"))
            .header("cookie", pair)
            .visit()
            .await
    }

    /// The form of the review page, as browsers send it.
    pub(super) fn review(&self, path: &str, fields: &[(&str, &str)]) -> Call<'a> {
        const BOUNDARY: &str = "----hunkwise";
        let part = |(name, text): &(&str, &str)| {
            let file = if *name == "patch" {
                "; filename=\"a.diff\"\r\nContent-Type: text/plain"
            } else {
                ""
            };
            format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{text}\r\n"
            )
        };
        let body: String = fields.iter().map(part).collect();
        let call = self
            .call(Method::POST, path)
            .header("sec-fetch-site", "same-origin");
        let call = call.header(
            "content-type",
            &format!("multipart/form-data; boundary={BOUNDARY}"),
        );
        call.body(format!("{body}--{BOUNDARY}--\r\n"))
    }

    pub(super) fn call(&self, method: Method, path: &str) -> Call<'a> {
        let call = self
            .service
            .call(method, path)
            .header("host", "127.0.0.1:8080")
            .header("accept", "text/html,*/*;q=0.8");
        if self.cookie.is_empty() {
            call
        } else {
            call.header("cookie", &self.cookie)
        }
    }

    /// The token of its pages' forms, computed as the service does.
    pub(super) fn own_form_token(&self) -> String {
        use base64::Engine as _;
        use sha2::{Digest as _, Sha256};
        let session = self
            .cookie
            .split_once('=')
            .map_or("", |(_, session)| session);
        let digest = Sha256::new()
            .chain_update("form token of ")
            .chain_update(session)
            .finalize();
        base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(digest)
    }

    /// The token in the forms of a page.
    pub(super) async fn form_token(&self) -> String {
        let mut page = self.get("/").visit().await;
        if page.status.as_u16() == 303 {
            page = self.get(page.header("location")).visit().await;
        }
        let (_, rest) = page
            .text()
            .split_once("name=\"form_token\" value=\"")
            .expect("the page has a form");
        rest.split('"').next().unwrap().to_owned()
    }

    /// Whether the service recognizes the session.
    pub(super) async fn is_signed_in(&self) -> bool {
        match self.get("/").visit().await {
            page if page.status.is_success()
                || page.header("location").starts_with("/organizations/") =>
            {
                true
            }
            page => {
                assert_eq!(
                    (page.status.as_u16(), page.header("location")),
                    (303, "/sign-in"),
                    "{}",
                    page.text()
                );
                false
            }
        }
    }
}
