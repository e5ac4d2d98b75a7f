//! The cost of a small authenticated request through all layers, the checks and SQLite, compared with an axum handler
//! that only returns the same bytes, including header fields. Both listen on a socket and serve the same clients.

mod clients;

use std::error::Error;

use axum::Router;
use axum::routing::get;
use criterion::{Criterion, Throughput};
use server::{Clock, Limits, Settings, State, Transport};
use store::{NewToken, Scope, Store, UnixMillis};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use clients::Clients;

type Fallible<T> = Result<T, Box<dyn Error>>;

/// 2026-11-20T12:00:00Z
const NOW: UnixMillis = UnixMillis(1_795_176_000_000);

fn main() -> Fallible<()> {
    let mut criterion = Criterion::default().configure_from_args();
    let runtime = Runtime::new()?;
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite://{}", folder.path().join("store.db").display());
    let (mut service, mut bare) = runtime.block_on(both(&url))?;

    let mut group = criterion.benchmark_group("GET organization");
    group.throughput(Throughput::Elements(clients::REQUESTS));
    for (name, clients) in [("service", &mut service), ("bare handler", &mut bare)] {
        let mut failure = None;
        group.bench_function(name, |bencher| {
            bencher.iter(|| failure = runtime.block_on(clients.round()).err().or(failure.take()));
        });
        if let Some(failure) = failure {
            return Err(failure.into());
        }
    }
    group.finish();
    criterion.final_summary();
    Ok(())
}

/// Clients of the service, and clients of the bare handler, which returns a recorded response of the service.
async fn both(url: &str) -> Fallible<(Clients, Clients)> {
    let store = Store::open(url).await?;
    let owner = store.insert_user("Someone", false, NOW).await?.id;
    let organization = store
        .insert_organization("Acme", owner, None, NOW)
        .await?
        .id;
    let new = NewToken {
        user: owner,
        name: "bench".into(),
        scopes: Scope::ALL.to_vec(),
        organization: None,
        expires_at: None,
    };
    let (_, secret) = store.insert_token(new, NOW).await?;
    let limits = Limits {
        requests_per_minute: u32::MAX,
        ..Limits::default()
    };
    let settings = Settings {
        limits,
        ..Settings::default()
    };
    let router = server::router(State::new(store, Vec::new(), settings, Clock::new(|| NOW)));

    let path = format!("/v1/organizations/{organization}");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\r\n",
        secret.expose()
    );
    let mut service = Clients::connect(listen(router).await?, request.clone()).await?;
    let answer = service.answer().await?;
    let bare = Router::new().route(&path, get(move || async move { answer }));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, bare).await });
    Ok((service, Clients::connect(address, request).await?))
}

/// Serves the service on a socket until the process ends.
async fn listen(router: Router) -> Fallible<std::net::SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        server::serve(
            listener,
            router,
            &Transport::default(),
            std::future::pending(),
        )
        .await
    });
    Ok(address)
}
