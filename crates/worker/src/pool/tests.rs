//! Tests with workers that misbehave on demand: a shell script that sends the greeting and echoes each frame, unless
//! the job names a fault.

use std::collections::HashMap;
use std::fs;
use std::future::Future;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;

use super::{EarlyWorker, Failure, PoolOptions, WorkerCommand, WorkerPool, frame};

/// Echoes frames. `FOLDER` contains the greeting, and each start leaves a file there.
const SCRIPT: &str = r#"
PATH=/usr/local/bin:/usr/bin:/bin
cd FOLDER || exit 1
: > started.$$
cat greeting
while head -c 4 > head.$$ && [ -s head.$$ ]; do
  length=$(od -An -tu4 head.$$)
  head -c $length > body.$$
  case $(tr -d '\000' < body.$$) in
    *abort*) kill -ABRT $$ ;;
    *loop*) : > looping; while :; do :; done ;;
    *eat*) ulimit -v 200000; x=0123456789abcdef; while :; do x=$x$x; done ;;
    *garbage*) printf 'this is no frame, and it is long enough to be read as one' ;;
    *silent*) exec 1>&-; head -c 1 > /dev/null ;;
    *huge*) printf '\377\377\377\377' ;;
    *half*) head -c 3 head.$$; exit 0 ;;
    *twice*) cat head.$$ body.$$ head.$$ body.$$ ;;
    *) cat head.$$ body.$$ ;;
  esac
done
"#;

struct Rig {
    folder: tempfile::TempDir,
    pool: WorkerPool,
}

impl Rig {
    fn new(size: usize) -> Self {
        Self::with(SCRIPT, options(size))
    }

    fn with(script: &str, options: PoolOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("greeting"),
            frame::encode(&frame::GREETING, 100).unwrap(),
        )
        .unwrap();
        let file = folder.path().join("worker.sh");
        fs::write(
            &file,
            script.replace("FOLDER", folder.path().to_str().unwrap()),
        )
        .unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o700)).unwrap();
        let command = WorkerCommand {
            program: "/bin/sh".into(),
            args: vec![file.into()],
            first: Arc::default(),
        };
        Self {
            folder,
            pool: WorkerPool::new(command, options),
        }
    }

    async fn job(&self, text: &str) -> Result<String, Failure> {
        self.pool.run(&text, |answer: &String| answer == text).await
    }

    fn starts(&self) -> usize {
        self.files("started").len()
    }

    fn files(&self, prefix: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        entries
            .filter(|path| {
                path.file_name()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .starts_with(prefix)
            })
            .collect()
    }

    /// Asserts that every worker ever started, except for the idle ones, is gone and reaped.
    async fn all_others_are_reaped(&self) {
        let is_idle = |id| {
            self.pool
                .shared
                .idle()
                .0
                .iter()
                .any(|worker| worker.id() == Some(id))
        };
        for started in self.files("started") {
            let id: u32 = started
                .extension()
                .unwrap()
                .to_str()
                .unwrap()
                .parse()
                .unwrap();
            eventually(|| async { is_idle(id) || !PathBuf::from(format!("/proc/{id}")).exists() })
                .await;
        }
    }
}

fn options(size: usize) -> PoolOptions {
    PoolOptions {
        share: size,
        spare: 0,
        job: Duration::from_secs(20),
        start: Duration::from_secs(20),
        jobs_per_worker: 1_000,
    }
}

/// Polls a condition, yielding to other tasks in between.
async fn eventually<F: Future<Output = bool>>(mut condition: impl FnMut() -> F) {
    let give_up = Instant::now() + Duration::from_secs(20);
    while !condition().await {
        assert!(Instant::now() < give_up, "the condition never became true");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_worker_serves_many_jobs_and_only_needed_workers_start() {
    let rig = Rig::new(4);
    for n in 0..20 {
        assert_eq!(rig.job(&format!("job {n}")).await, Ok(format!("job {n}")));
    }
    assert_eq!(rig.starts(), 1);
    let texts: Vec<String> = (0..40).map(|n| format!("job {n}")).collect();
    let answers = join_all(texts.iter().map(|text| rig.job(text))).await;
    assert!(
        answers
            .into_iter()
            .zip(&texts)
            .all(|(answer, text)| answer.as_ref() == Ok(text))
    );
    assert!(rig.starts() <= 4);
}

#[tokio::test]
async fn a_worker_that_started_early_gets_the_first_job() {
    let rig = Rig::new(2);
    let early = EarlyWorker::start(rig.pool.shared.command.clone(), Duration::from_secs(20));
    rig.pool.adopt(early).await;
    assert_eq!(rig.job("first").await, Ok("first".to_owned()));
    assert_eq!((rig.starts(), rig.pool.counts().starts), (1, 1));
}

#[tokio::test]
async fn a_failed_start_of_an_early_worker_is_reported_by_the_first_job() {
    let rig = Rig::with("exit 1", options(1));
    let early = EarlyWorker::start(rig.pool.shared.command.clone(), Duration::from_secs(20));
    rig.pool.adopt(early).await;
    let reason = Failure::Unavailable("it ended before it was ready".to_owned());
    assert_eq!(rig.job("first").await, Err(reason));
}

#[tokio::test]
async fn only_the_job_that_kills_its_worker_is_lost() {
    let rig = Rig::new(2);
    for (text, expected) in [
        ("abort", Failure::Died),
        ("eat", Failure::Died),
        ("silent", Failure::Died),
        ("half", Failure::Died),
        ("garbage", Failure::Garbage),
        ("huge", Failure::Garbage),
    ] {
        let (before, lost, after) =
            tokio::join!(rig.job("before"), rig.job(text), rig.job("after"));
        assert_eq!(
            (before, after),
            (Ok("before".to_owned()), Ok("after".to_owned())),
            "{text}"
        );
        assert_eq!(lost, Err(expected), "{text}");
        assert_eq!(rig.job("next").await, Ok("next".to_owned()), "{text}");
    }
    rig.all_others_are_reaped().await;
}

#[tokio::test]
async fn an_endless_job_is_ended_at_the_deadline() {
    let rig = Rig::with(
        SCRIPT,
        PoolOptions {
            job: Duration::from_millis(300),
            ..options(1)
        },
    );
    let start = Instant::now();
    assert_eq!(rig.job("loop").await, Err(Failure::TimedOut));
    assert!(start.elapsed() >= Duration::from_millis(300));
    rig.all_others_are_reaped().await;
    assert_eq!(rig.pool.shared.slots.free(), 1);
}

#[tokio::test]
async fn dropping_a_job_frees_its_slot_and_kills_its_worker() {
    let rig = Rig::new(1);
    let looping = rig.folder.path().join("looping");
    tokio::select! {
        answer = rig.job("loop") => panic!("{answer:?}"),
        () = eventually(|| async { looping.exists() }) => {}
    }
    assert_eq!(rig.job("next").await, Ok("next".to_owned()));
    rig.all_others_are_reaped().await;
    assert_eq!(rig.starts(), 2);
}

#[tokio::test]
async fn an_answer_to_another_job_is_rejected() {
    let rig = Rig::new(1);
    assert_eq!(rig.job("twice").await, Ok("twice".to_owned()));
    assert_eq!(rig.job("next").await, Err(Failure::Garbage));
    assert_eq!(rig.job("next").await, Ok("next".to_owned()));
    let refused: Result<String, _> = rig.pool.run(&"text", |_: &String| false).await;
    assert_eq!(refused, Err(Failure::Garbage));
    assert_eq!(rig.job("next").await, Ok("next".to_owned()));
    assert_eq!(rig.starts(), 3);
}

#[tokio::test]
async fn a_worker_that_ended_while_idle_fails_no_job() {
    let rig = Rig::new(1);
    rig.pool.warm_up().await.unwrap();
    let id = rig
        .pool
        .shared
        .idle()
        .0
        .first()
        .and_then(super::process::Worker::id)
        .unwrap();
    let pid = rustix::process::Pid::from_raw(i32::try_from(id).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    eventually(|| async {
        rig.pool
            .shared
            .idle()
            .0
            .iter_mut()
            .all(|worker| !worker.runs())
    })
    .await;
    assert_eq!(rig.job("next").await, Ok("next".to_owned()));
}

#[tokio::test]
async fn a_warm_pool_starts_all_workers_and_replaces_them_on_its_own() {
    let rig = Rig::new(3);
    rig.pool.warm_up().await.unwrap();
    assert_eq!((rig.starts(), rig.pool.shared.idle().0.len()), (3, 3));
    assert_eq!(rig.job("abort").await, Err(Failure::Died));
    eventually(|| async { rig.pool.shared.idle().0.len() == 3 }).await;
    assert_eq!(rig.starts(), 4);
}

#[tokio::test]
async fn a_worker_is_replaced_after_its_maximum_number_of_jobs() {
    let rig = Rig::with(
        SCRIPT,
        PoolOptions {
            jobs_per_worker: 2,
            ..options(1)
        },
    );
    for n in 0..6 {
        assert_eq!(rig.job(&format!("job {n}")).await, Ok(format!("job {n}")));
    }
    assert_eq!(rig.starts(), 3);
    rig.all_others_are_reaped().await;
}

/// The process ID of the worker that answers a job of this tenant.
async fn process_for(rig: &Rig, tenant: &str) -> u32 {
    let mut lease = rig.pool.of_tenant(tenant).lease().await.unwrap();
    lease.ready().await.unwrap();
    let request = frame::encode(&(0u64, "job"), 100).unwrap();
    lease.exchange(&request).await.unwrap();
    lease.healthy = true;
    lease
        .worker
        .as_ref()
        .and_then(super::process::Worker::id)
        .unwrap()
}

#[tokio::test]
async fn a_worker_only_gets_jobs_of_one_tenant() {
    let rig = Rig::with(
        SCRIPT,
        PoolOptions {
            share: 2,
            spare: 1,
            ..options(2)
        },
    );
    rig.pool.warm_up().await.unwrap();
    let mut owners = HashMap::new();
    for tenant in ["a", "a", "b", "a", "c", "d", "a", "b", "b", "e", "a", "c"] {
        let process = process_for(&rig, tenant).await;
        assert_eq!(
            *owners.entry(process).or_insert(tenant),
            tenant,
            "process {process}"
        );
    }
    rig.all_others_are_reaped().await;
}

#[tokio::test]
async fn workers_are_replaced_only_for_new_tenants() {
    let rig = Rig::with(
        SCRIPT,
        PoolOptions {
            share: 2,
            spare: 1,
            ..options(2)
        },
    );
    rig.pool.warm_up().await.unwrap();
    for _ in 0..10 {
        tokio::join!(process_for(&rig, "a"), process_for(&rig, "a"));
    }
    assert_eq!(rig.starts(), 3);
    for _ in 0..10 {
        tokio::join!(process_for(&rig, "a"), process_for(&rig, "b"));
    }
    assert!(
        rig.starts() <= 4,
        "one of the two workers of a is replaced by an unused one"
    );
}

#[tokio::test]
async fn a_new_tenant_gets_a_started_worker() {
    let rig = Rig::with(
        SCRIPT,
        PoolOptions {
            share: 1,
            spare: 1,
            ..options(1)
        },
    );
    rig.pool.warm_up().await.unwrap();
    for number in 0..6 {
        eventually(|| async { rig.pool.shared.idle().has_unused() }).await;
        let starts = rig.starts();
        process_for(&rig, &number.to_string()).await;
        eventually(|| async { rig.pool.shared.slots.free() == 2 }).await;
        assert!(rig.starts() <= starts + 1, "one is replaced");
    }
    assert_eq!(rig.starts(), 2 + 5);
}

#[tokio::test]
async fn there_are_never_more_workers_than_slots_when_tenants_change() {
    let rig = Rig::with(
        SCRIPT,
        PoolOptions {
            share: 2,
            spare: 1,
            ..options(2)
        },
    );
    rig.pool.warm_up().await.unwrap();
    let jobs = (0..60).map(|number| {
        let rig = &rig;
        async move {
            process_for(rig, &(number * 7 % 5).to_string()).await;
            let runs = |path: &PathBuf| {
                let id = path.extension().unwrap().to_str().unwrap();
                fs::read_to_string(format!("/proc/{id}/stat"))
                    .is_ok_and(|stat| !stat.contains(") Z "))
            };
            assert!(
                rig.files("started")
                    .iter()
                    .filter(|path| runs(path))
                    .count()
                    <= 3
            );
        }
    });
    join_all(jobs).await;
    rig.all_others_are_reaped().await;
}

#[tokio::test]
async fn workers_that_die_at_the_start_are_reported_and_not_restarted_endlessly() {
    for (script, reason) in [
        (
            ": > FOLDER/started.$$; exit 7", "it ended before it was ready",
        ),
        (
            ": > FOLDER/started.$$; printf '\\003\\000\\000\\000abc'; while :; do :; done",
            "it is not a worker of this version",
        ),
    ] {
        let rig = Rig::with(script, options(2));
        let failures = join_all((0..200).map(|_| rig.job("job"))).await;
        assert!(
            failures
                .into_iter()
                .all(|failure| failure == Err(Failure::Unavailable(reason.to_owned())))
        );
        assert!(rig.starts() < 20, "{} processes", rig.starts());
        rig.all_others_are_reaped().await;
    }
}

#[tokio::test]
async fn a_missing_program_is_reported_with_the_reason() {
    let command = WorkerCommand {
        program: "/no/such/program".into(),
        args: Vec::new(),
        first: Arc::default(),
    };
    let pool = WorkerPool::new(command, options(1));
    let failure = pool.run(&"job", |_: &String| true).await.unwrap_err();
    assert!(
        matches!(&failure, Failure::Unavailable(reason) if reason.contains("No such file")),
        "{failure}"
    );
    assert_eq!(pool.warm_up().await, Err(failure));
}

#[tokio::test]
async fn a_stopped_pool_has_no_workers_and_rejects_jobs() {
    let rig = Rig::new(2);
    rig.pool.warm_up().await.unwrap();
    rig.pool.stop().await;
    assert!(matches!(rig.job("job").await, Err(Failure::Unavailable(_))));
    rig.all_others_are_reaped().await;
}

#[tokio::test]
async fn a_job_too_large_for_a_frame_is_rejected_before_it_is_sent() {
    let rig = Rig::new(1);
    let text = "x".repeat(frame::REQUEST_BYTES);
    assert_eq!(
        rig.pool.run(&text, |_: &String| true).await,
        Err(Failure::TooLarge)
    );
    assert_eq!(rig.starts(), 0);
}
