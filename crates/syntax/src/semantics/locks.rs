//! Locks: what takes and releases them, and the paths on which they are kept.

use crate::language::Role;
use crate::semantics::names::handed_over;
use crate::semantics::vocabulary;
use crate::tree::{Call, Node};

/// Functions and methods that take a lock, and those that release it.
const PAIRS: &[(&[&str], &[&str])] = &[
    (&["Lock"], &["Unlock"]),
    (&["RLock"], &["RUnlock"]),
    (
        &["lock", "lockInterruptibly", "lock_exclusive", "lock_shared"],
        &["unlock", "unlock_shared"],
    ),
    (&["acquire", "acquireUninterruptibly"], &["release"]),
    (&["Acquire"], &["Release"]),
    (&["Wait", "WaitAsync"], &["Release"]),
    (&["WaitOne"], &["ReleaseMutex"]),
    (&["EnterReadLock"], &["ExitReadLock"]),
    (&["EnterWriteLock"], &["ExitWriteLock"]),
    (&["EnterUpgradeableReadLock"], &["ExitUpgradeableReadLock"]),
    (&["Enter"], &["Exit"]),
    (&["enter"], &["exit"]),
    (&["mon_enter"], &["mon_exit"]),
    (&["sem_acquire"], &["sem_release"]),
    (&["pthread_mutex_lock"], &["pthread_mutex_unlock"]),
    (
        &["pthread_rwlock_rdlock", "pthread_rwlock_wrlock"],
        &["pthread_rwlock_unlock"],
    ),
    (&["pthread_spin_lock"], &["pthread_spin_unlock"]),
    (&["mtx_lock"], &["mtx_unlock"]),
    (&["mutex_lock"], &["mutex_unlock"]),
    (&["spin_lock"], &["spin_unlock"]),
    (&["spin_lock_bh"], &["spin_unlock_bh"]),
    (&["spin_lock_irq"], &["spin_unlock_irq"]),
    (&["spin_lock_irqsave"], &["spin_unlock_irqrestore"]),
    (&["read_lock"], &["read_unlock"]),
    (&["write_lock"], &["write_unlock"]),
    (&["rcu_read_lock"], &["rcu_read_unlock"]),
    (&["down_read"], &["up_read"]),
    (&["down_write"], &["up_write"]),
    (&["g_mutex_lock"], &["g_mutex_unlock"]),
    (&["uv_mutex_lock"], &["uv_mutex_unlock"]),
    (&["SDL_LockMutex"], &["SDL_UnlockMutex"]),
    (&["EnterCriticalSection"], &["LeaveCriticalSection"]),
    (&["AcquireSRWLockExclusive"], &["ReleaseSRWLockExclusive"]),
    (&["AcquireSRWLockShared"], &["ReleaseSRWLockShared"]),
];

/// A lock that a statement takes.
pub struct Lock<'t> {
    statement: Node<'t>,
    /// The lock as written, or the function that takes it.
    pub name: &'t str,
    /// The call that takes it.
    pub call: Node<'t>,
    /// The lock, or the function that releases it.
    key: Option<Node<'t>>,
    /// The functions that release it; empty if the key does.
    gives: &'static [&'static str],
    takes: &'static [&'static str],
}

/// A lock with the exits that keep it.
pub struct Kept<'t> {
    /// The lock.
    pub lock: Lock<'t>,
    /// In document order; there is one at least.
    pub exits: Vec<Node<'t>>,
    /// The release below the exits.
    pub release: Node<'t>,
}

/// The locks that a function keeps on a path, up to a place in it. None if its name, which may say that it hands out a lock, is
/// not visible.
pub fn kept<'t>(function: Node<'t>, until: Node<'t>) -> impl Iterator<Item = Kept<'t>> {
    let start = function
        .function()
        .map(|function| function.name)
        .or_else(|| function.leaves().next());
    let is_visible = start.is_some_and(Node::is_within_hunk);
    let calls = function
        .all(Role::Call)
        .filter(move |call| is_visible && call.index() <= until.index());
    calls.filter_map(move |call| {
        let lock = Lock::taken_by(call)?;
        let (exits, release) = lock.kept(function).filter(|(exits, _)| !exits.is_empty())?;
        Some(Kept {
            lock,
            exits,
            release,
        })
    })
}

/// Whether a call may take or release a lock, by its name.
pub fn may_lock(call: &Call<'_>) -> bool {
    PAIRS
        .iter()
        .any(|(takes, gives)| takes.contains(&call.name) || gives.contains(&call.name))
}

impl<'t> Lock<'t> {
    fn taken_by(node: Node<'t>) -> Option<Self> {
        let call = node.call()?;
        let (takes, gives) = PAIRS.iter().find(|(takes, _)| takes.contains(&call.name))?;
        let statement = node.statement();
        let lock = |key: Option<Node<'t>>, gives| Self {
            statement,
            call: node,
            name: key_of(&call).map_or(call.callee, Node::text),
            key,
            gives,
            takes,
        };
        if is_alone(node, statement) {
            let is_raii = matches!(node.tree().grammar().name(), "C++") && holds_by_object(node);
            return (!is_raii).then(|| lock(key_of(&call), gives));
        }
        // JavaScript's locks return the function that releases them.
        let is_script = matches!(
            node.tree().grammar().name(),
            "JavaScript" | "TypeScript" | "TSX"
        );
        let is_lock = call
            .receiver
            .is_some_and(|of| vocabulary::locks(of.last_name()));
        let set = statement
            .descendants()
            .find_map(Node::assignment)
            .filter(|_| is_script && is_lock)?;
        let release = set
            .target
            .names()
            .last()
            .filter(|_| node.is_inside(set.value))?;
        Some(lock(Some(release), &[]))
    }

    /// The exits that keep the lock, in order, and the release below them.
    fn kept(&self, function: Node<'t>) -> Option<(Vec<Node<'t>>, Node<'t>)> {
        let is_own = self.statement.enclosing_function() == Some(function);
        let is_handed_out = function
            .function()
            .is_some_and(|function| hands_out(function.name.text()));
        if !is_own || is_handed_out || self.is_deferred() {
            return None;
        }
        let mut early = Vec::new();
        for next in self.statement.following() {
            let releases: Vec<Node<'t>> = self.releases(next).collect();
            if let Some(release) = releases.iter().find(|release| is_certain(**release, next)) {
                return Some((early, *release));
            }
            let exits = std::iter::once(next)
                .chain(next.descendants())
                .filter(|exit| exit.enclosing_function() == Some(function));
            early.extend(
                exits.filter(|exit| {
                    self.is_left_by(*exit) && !self.is_released_on_path(*exit, next)
                }),
            );
            // A branch that releases it and continues: whether the rest holds it is unknown.
            let goes_on = |release: &Node<'t>| {
                let after = release.statement();
                let mut ends = after
                    .following()
                    .chain([after])
                    .flat_map(|part| std::iter::once(part).chain(part.descendants()));
                !ends.any(|part| {
                    is_exit(part)
                        || part
                            .call()
                            .is_some_and(|call| self.takes.contains(&call.name))
                })
            };
            if releases.iter().any(goes_on) {
                return None;
            }
        }
        None
    }

    /// Whether a construct that always runs releases it, such as an earlier `defer` or an `ensure` of the whole method.
    fn is_deferred(&self) -> bool {
        self.statement.ancestors().any(|around| {
            let is_block = around.has_role(Role::Block);
            around.children().any(|part| {
                let is_defer = part.is(&["defer_statement"]);
                let always_runs = part.has_role(Role::Finally) || is_defer && !is_block;
                always_runs && self.releases(part).next().is_some()
                    || is_defer
                        && part.index() < self.statement.index()
                        && part.text().contains("nlock")
            })
        })
    }

    fn releases(&self, within: Node<'t>) -> impl Iterator<Item = Node<'t>> {
        within
            .all(Role::Call)
            .filter(|node| node.call().is_some_and(|call| self.is_released_by(&call)))
    }

    /// Whether a call releases it.
    pub fn is_released_by(&self, call: &Call<'t>) -> bool {
        let same = |of: Node<'t>| self.key.is_none_or(|key| of.says_same(key));
        if self.gives.is_empty() {
            let is_it = |of: &str| self.key.is_some_and(|key| key.text() == of);
            return is_it(call.callee) || call.name == "release" && call.receiver.is_some_and(same);
        }
        self.gives.contains(&call.name) && key_of(call).map_or(self.key.is_none(), same)
    }

    /// Whether a node leaves the code between the lock and its release.
    fn is_left_by(&self, exit: Node<'t>) -> bool {
        if !is_exit(exit) || says_why(exit) {
            return false;
        }
        let word = exit.text();
        let around = || {
            exit.ancestors()
                .take_while(|around| !self.statement.is_inside(*around))
        };
        if is_throw(exit) {
            let is_caught = around().any(|around| {
                around.has_role(Role::Try)
                    && !exit
                        .ancestors()
                        .any(|inner| inner.has_role(Role::Catch) && inner.is_inside(around))
            });
            return !is_caught && !self.is_released_by_handler(exit);
        }
        if exit.is(&["goto_statement"]) {
            return false;
        }
        let is_jump = exit.has_role(Role::Break)
            || exit.has_role(Role::Continue)
            || word.starts_with("break")
            || word.starts_with("continue");
        if is_jump {
            let is_break = exit.has_role(Role::Break) || word.starts_with("break");
            // A jump with a label, and a `break` of a `switch`, lead elsewhere.
            let is_plain = exit.named_children().next().is_none() && !word.contains('@');
            let is_inner = around().any(|around| {
                around.has_role(Role::Loop) || is_break && around.has_role(Role::Switch)
            });
            return is_plain && !is_break && !is_inner;
        }
        let value = exit.named_children().next();
        let base = self
            .key
            .map(|key| key.leaves().next().unwrap_or(key).text());
        let is_holder = value.is_some_and(|value| Some(value.text()) == base);
        !is_holder && !word.starts_with("return@")
    }

    /// Whether a `catch` around the lock and the exit releases it.
    fn is_released_by_handler(&self, exit: Node<'t>) -> bool {
        let mut handlers = exit
            .ancestors()
            .filter(|around| around.has_role(Role::Try))
            .flat_map(Node::children);
        handlers.any(|part| {
            part.has_role(Role::Catch) && part.text().to_ascii_lowercase().contains("unlock")
                || part.has_role(Role::Catch) && self.releases(part).next().is_some()
        })
    }

    /// Whether it is released on the way to an exit, inside the statement.
    fn is_released_on_path(&self, exit: Node<'t>, statement: Node<'t>) -> bool {
        let may_release = |part: Node<'t>| {
            part.all(Role::Call).filter_map(Node::call).any(|call| {
                let callee = call.callee.to_ascii_lowercase();
                let has_it = |argument: &Node<'t>| {
                    self.key
                        .is_some_and(|key| handed_over(*argument).says_same(key))
                };
                self.is_released_by(&call)
                    || ["unlock", "release", "cleanup"]
                        .iter()
                        .any(|word| callee.contains(word))
                    || call.arguments.iter().any(has_it)
            })
        };
        if may_release(exit) {
            return true;
        }
        let mut path = std::iter::once(exit)
            .chain(exit.ancestors())
            .take_while(|inner| *inner != statement);
        let is_in_any_case = |inner: Node<'t>| {
            inner
                .children()
                .any(|part| part.has_role(Role::Finally) && may_release(part))
        };
        let mut around = exit
            .ancestors()
            .take_while(|around| !self.statement.is_inside(*around));
        path.any(|inner| inner.preceding().any(may_release)) || around.any(is_in_any_case)
    }
}

/// The lock of a call: its receiver, or its first argument.
fn key_of<'t>(call: &Call<'t>) -> Option<Node<'t>> {
    let is_class = |of: &Node<'t>| matches!(of.last_name(), "Monitor" | "SDL");
    let argument = || call.arguments.first().map(|first| handed_over(*first));
    call.receiver.filter(|of| !is_class(of)).or_else(argument)
}

/// Whether a call, awaited or not, is the whole statement.
fn is_alone(call: Node<'_>, statement: Node<'_>) -> bool {
    let mut within = call
        .ancestors()
        .take_while(|around| around.is_inside(statement) || *around == statement);
    call == statement
        || within.all(|around| {
            around.has_role(Role::Await)
                || around.is(&["expression_statement", "unsafe_block"])
                || around.is(&["block"])
                    && around
                        .parent()
                        .is_some_and(|outer| outer.is(&["unsafe_block"]))
        })
}

/// Whether objects that release their lock when they are destroyed are used around a call of C++.
fn holds_by_object(node: Node<'_>) -> bool {
    let function = node.enclosing_function();
    let text = function.map_or("", Node::text);
    [
        "unique_lock", "shared_lock", "Locker", "defer_lock", "UniqueLock",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// Whether a function may return with the lock held, by its name.
fn hands_out(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [
        "lock", "acquire", "enter", "begin", "hold", "claim", "reserve",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// Whether a release certainly runs when its statement does.
fn is_certain(release: Node<'_>, statement: Node<'_>) -> bool {
    let mut around = release
        .ancestors()
        .take_while(|around| around.is_inside(statement) || *around == statement);
    let is_plain = is_alone(release, statement) || statement.is(&["defer_statement"]);
    is_plain || around.any(|around| around.has_role(Role::Finally))
}

/// Whether a node leaves a function or a round of a loop.
pub fn is_exit(node: Node<'_>) -> bool {
    let roles = [Role::Return, Role::Throw, Role::Continue, Role::Break];
    roles.into_iter().any(|role| node.has_role(role)) || is_throw(node)
}

/// Whether it is an exit with an error: `throw`, Ruby's `raise`, Rust's `?`.
fn is_throw(node: Node<'_>) -> bool {
    let is_raise = || {
        node.call().is_some_and(|call| {
            matches!(call.callee, "raise" | "fail") && node.tree().grammar().name() == "Ruby"
        })
    };
    node.has_role(Role::Throw) && !node.is(&["goto_statement"])
        || node.is(&["try_expression"]) && node.text().ends_with('?')
        || node.text().starts_with("throw") && node.has_role(Role::Return)
        || is_raise()
}

/// Whether a comment at an exit is about the lock.
fn says_why(exit: Node<'_>) -> bool {
    let block = exit.statement().parent();
    let mut comments = block
        .into_iter()
        .flat_map(Node::children)
        .filter(|part| part.has_role(Role::Comment));
    let is_near = |comment: &Node<'_>| {
        comment.line() >= exit.line().map(|line| line.saturating_sub(2))
            && comment.line() <= exit.line()
    };
    comments.any(|comment| {
        is_near(&comment)
            && ["lock", "held", "release"]
                .iter()
                .any(|word| comment.text().to_ascii_lowercase().contains(word))
    })
}
