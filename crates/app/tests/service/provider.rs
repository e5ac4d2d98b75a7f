//! A slow provider of a language model that counts concurrent requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

pub(crate) struct Provider {
    pub(crate) address: SocketAddr,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    now: AtomicUsize,
    most: AtomicUsize,
    all: AtomicUsize,
}

impl Provider {
    /// Each response takes this long. It runs as long as the test process.
    pub(crate) fn start(work: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, counts) = (listener.local_addr().unwrap(), Arc::new(Counts::default()));
        let shared = Arc::clone(&counts);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let counts = Arc::clone(&shared);
                // A disconnecting caller just ends its connection.
                std::thread::spawn(move || serve(stream, work, &counts));
            }
        });
        Self { address, counts }
    }

    /// The maximum number of concurrent requests.
    pub(crate) fn max_concurrent(&self) -> usize {
        self.counts.most.load(Ordering::SeqCst)
    }

    /// The number of requests.
    pub(crate) fn questions(&self) -> usize {
        self.counts.all.load(Ordering::SeqCst)
    }
}

fn serve(stream: TcpStream, work: Duration, counts: &Counts) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let head = head.to_lowercase();
        let length: usize = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())?;
        stream.read_exact(&mut vec![0; length]).ok()?;
        counts.most.fetch_max(
            counts.now.fetch_add(1, Ordering::SeqCst) + 1,
            Ordering::SeqCst,
        );
        counts.all.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(work);
        counts.now.fetch_sub(1, Ordering::SeqCst);
        let body = json!({
            "id": "1", "object": "chat.completion", "created": 1, "model": "m",
            "choices": [{"index": 0, "finish_reason": "stop",
                "message": {"role": "assistant", "content": "{\"findings\":[]}"}}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        });
        let body = body.to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.get_mut().write_all((head + &body).as_bytes()).ok()?;
    }
}
