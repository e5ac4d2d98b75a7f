//! Watched bodies: a request's body must make progress, and a response's body keeps its request in flight.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Request, header};
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep, sleep, timeout};

use super::activity::InFlight;

/// Minimum number of bytes per period that count as progress: a trickle of single bytes would hold a connection, too.
const PROGRESS_BYTES: usize = 16 << 10;
/// Maximum number of bytes of an unwanted body that are read and discarded, so that the client can read the refusal
/// before the connection is closed.
const DISCARDED_BYTES: usize = 16 << 20;
const DISCARDING_TIME: Duration = Duration::from_secs(5);

/// The body did not arrive in time.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("The body made no progress for {0:?}.")]
pub(crate) struct BodyStalled(Duration);

/// A request's body.
pub(super) struct Watched {
    /// `None` if it was read to its end, failed, or is being discarded.
    inner: Option<Incoming>,
    period: Duration,
    deadline: Pin<Box<Sleep>>,
    /// Since when no more was requested: the client is not responsible for that time.
    left_alone: Option<Instant>,
    /// Bytes since the start of the period.
    progress: usize,
    /// The client waits for `100 Continue` before it sends the body (RFC 9110 section 10.1.1).
    expects_word: bool,
}

impl Watched {
    /// Watches the body of this request, if it has one.
    pub(super) fn wrap(request: Request<Incoming>, period: Duration) -> Request<Body> {
        let expects_word = request.headers().contains_key(header::EXPECT);
        request.map(|inner| {
            if inner.is_end_stream() {
                return Body::empty();
            }
            Body::new(Self {
                inner: Some(inner),
                period,
                deadline: Box::pin(sleep(period)),
                left_alone: None,
                progress: 0,
                expects_word,
            })
        })
    }

    /// The handler requests more.
    fn ask(&mut self) {
        if let Some(since) = self.left_alone.take() {
            let later = self.deadline.deadline() + since.elapsed();
            self.deadline.as_mut().reset(later);
        }
    }

    /// Counts received bytes. Enough of them start a new period.
    fn advance(&mut self, bytes: usize) {
        self.left_alone = Some(Instant::now());
        self.progress += bytes;
        if self.progress >= PROGRESS_BYTES {
            self.progress = 0;
            let next = Instant::now() + self.period;
            self.deadline.as_mut().reset(next);
        }
    }
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.ask();
        let Some(inner) = self.inner.as_mut() else {
            return Poll::Ready(None);
        };
        match Pin::new(inner).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) => {
                self.advance(frame.data_ref().map_or(0, Bytes::len));
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(last) => {
                self.inner = None;
                Poll::Ready(last.map(|frame| frame.map_err(Into::into)))
            }
            Poll::Pending => {
                ready!(self.deadline.as_mut().poll(cx));
                self.inner = None;
                Poll::Ready(Some(Err(BodyStalled(self.period).into())))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(rest) = self.inner.take().filter(|_| !self.expects_word)
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(timeout(DISCARDING_TIME, discard(rest)));
        }
    }
}

async fn discard(mut body: Incoming) {
    let mut left = DISCARDED_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        let Some(less) = left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) else {
            return;
        };
        left = less;
    }
}

/// Maximum size of a piece of the response. A piece counts as sent when the connection accepts it, so little unread
/// data is left in the connection's buffers.
const PIECE_BYTES: usize = 16 << 10;

/// The body of a response. Its request is in flight until it was sent.
pub(super) struct BodyGuard {
    body: Body,
    /// Data of the body that the client has not read yet.
    rest: Bytes,
    busy: InFlight,
}

impl BodyGuard {
    pub(super) fn new(body: Body, mut busy: InFlight) -> Self {
        busy.offer();
        Self {
            body,
            rest: Bytes::new(),
            busy,
        }
    }

    fn piece(&mut self) -> Frame<Bytes> {
        self.busy.taken();
        Frame::data(self.rest.split_to(self.rest.len().min(PIECE_BYTES)))
    }
}

impl HttpBody for BodyGuard {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if !self.rest.is_empty() {
            return Poll::Ready(Some(Ok(self.piece())));
        }
        let Poll::Ready(next) = Pin::new(&mut self.body).poll_frame(cx) else {
            self.busy.exhausted();
            return Poll::Pending;
        };
        match next.map(|frame| frame.map(Frame::into_data)) {
            Some(Ok(Ok(data))) => {
                self.rest = data;
                Poll::Ready(Some(Ok(self.piece())))
            }
            Some(Ok(Err(trailers))) => Poll::Ready(Some(Ok(trailers))),
            Some(Err(error)) => Poll::Ready(Some(Err(error))),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (mut hint, rest) = (self.body.size_hint(), self.rest.len() as u64);
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}
