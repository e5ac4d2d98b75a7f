//! Finding the secrets to mask before code is shown to a model, in text that repeats one part over and over. The
//! throughput of the two sizes shows whether the cost grows faster than the text.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use syntax::semantics::secrets::secret_places;

/// Starts and halves of secrets, each of which could make a detector scan the rest of the text again.
const PIECES: &[&str] = &[
    "-----BEGIN PRIVATE KEY-----\n",
    "-----END PRIVATE KEY-----\n",
    "BEGIN ",
    "q7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxPq7Hm2ZxP\n",
    "password=\n",
    "password=",
    "password=\"",
    "password: '\\\"",
    "password=${",
    "pass ",
    "----",
    "a://b:",
    "a://b:c",
    "a://b:c@",
    "cookie: a=",
    "cookie;",
    "Authorization: Bearer ",
    "eyJ",
    "eyJhbGciOiJIUzI1NiJ9.",
    "LS0tLS1CRUdJTi",
    "x \\\n",
    "\"a\" +\n",
    "password:\n",
    "data:\n  a: b\n",
    "kind: Secret\n---\n",
    "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 ",
    "mysql -u root login ",
    "curl -u ",
    "$2y$10$",
];

/// Bytes of the texts.
const SIZES: [usize; 2] = [32 * 1024, 256 * 1024];

pub(super) fn measure(criterion: &mut Criterion) {
    for piece in PIECES {
        let mut group = criterion.benchmark_group(format!("masking {}", piece.escape_debug()));
        for size in SIZES {
            let text = piece.repeat(size / piece.len());
            let lines: Vec<&str> = text.split('\n').collect();
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_with_input(
                BenchmarkId::from_parameter(size),
                &lines,
                |bencher, lines| {
                    bencher.iter(|| secret_places("a.yaml", black_box(&[lines.as_slice()])));
                },
            );
        }
        group.finish();
    }
}
