//! Sign-in links, which work once and only on this machine.

use server::Transport;

use super::Server;

async fn post(server: &Server, code: &str, host: &str) -> String {
    let body = format!("code={code}");
    server
        .ask(&format!(
            "POST /sign-in/link HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ))
        .await
}

#[tokio::test]
async fn a_link_signs_in_once_and_opening_it_does_not_use_it_up() {
    let server = Server::start(Transport::default()).await;
    let user = server.service.user().await;
    let code = server.service.state.offer_sign_in(user.token_id);
    let host = server.address.to_string();
    for _ in 0..2 {
        let open = format!(
            "GET /sign-in/link/{} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n",
            code.expose()
        );
        let page = server.ask(&open).await;
        assert!(
            page.starts_with("HTTP/1.1 200") && page.contains("action=\"/sign-in/link\""),
            "{page}"
        );
        assert!(!page.contains("set-cookie"), "{page}");
    }
    let elsewhere = post(&server, code.expose(), "hunkwise.example.com").await;
    assert!(elsewhere.starts_with("HTTP/1.1 404"), "{elsewhere}");
    let answer = post(&server, code.expose(), &host).await;
    assert!(
        answer.starts_with("HTTP/1.1 303") && answer.contains("set-cookie: hunkwise=hws_"),
        "{answer}"
    );
    let (_, cookie) = answer.split_once("set-cookie: ").unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let home =
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n");
    assert!(server.ask(&home).await.starts_with("HTTP/1.1 200"));
    let again = post(&server, code.expose(), &host).await;
    assert!(again.starts_with("HTTP/1.1 404"), "{again}");
    let late = server.service.state.offer_sign_in(user.token_id);
    server.service.advance(std::time::Duration::from_secs(600));
    let answer = post(&server, late.expose(), &host).await;
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
    server.stop().await;
}
