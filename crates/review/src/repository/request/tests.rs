use std::collections::BTreeSet;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, ready};

use super::{ContextSearch, RequestRepository};
use crate::diff::Diff;
use crate::repository::{
    ContextFiles, ContextPaths, InThisThread, MentionSearch, Mentions, Query, QueryAnswer,
    QueryFailure, QueryRunner, Refusal, Repository as _,
};

const DIFF: &str = "--- a/app/cart.py\n+++ b/app/cart.py\n@@ -1,2 +1,2 @@\n import tax\n-total()\n+total(1)\n\
    --- a/app/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-total()\n";
const PATHS: &str = "app/cart.py\napp/gone.py\napp/tax.py\nlib/total.js\n.gitignore\n";

fn files(files: &[(&str, &str)]) -> ContextFiles {
    let mut all = ContextFiles::default();
    for (path, content) in files {
        all.add((*path).to_owned(), (*content).to_owned()).unwrap();
    }
    all
}

fn texts(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn search(names: &[&str], extensions: Option<&[&str]>) -> ContextSearch {
    ContextSearch {
        names: texts(names),
        extensions: extensions.map(texts),
    }
}

fn repository(
    known: &[(&str, &str)],
    searches: Vec<ContextSearch>,
    whole: bool,
) -> RequestRepository {
    let diff = Diff::parse(DIFF).unwrap();
    let paths = ContextPaths::parse(PATHS).unwrap();
    RequestRepository::new(files(known)).with_paths(paths, searches, &diff, whole)
}

fn mentions(repository: &RequestRepository, name: &str) -> Mentions {
    let search = MentionSearch {
        names: vec![name.to_owned()],
        extensions: vec!["py"],
        ..MentionSearch::default()
    };
    let found = repository.mentions(&search, &InThisThread).now_or_never();
    found.unwrap().unwrap()
}

fn listed(repository: &RequestRepository) -> (Vec<String>, bool) {
    let listing = repository.list(&["py", "js"]).now_or_never();
    let listing = listing.unwrap().unwrap();
    (listing.paths, listing.is_complete)
}

fn ignored(repository: &RequestRepository, paths: &[&str]) -> BTreeSet<String> {
    let paths: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
    let ignored = repository.ignored(&paths, &InThisThread).now_or_never();
    ignored.unwrap().unwrap()
}

#[test]
fn without_paths_nothing_is_known_to_be_missing() {
    let repository = RequestRepository::new(files(&[("app/tax.py", "total()\n")]));
    assert_eq!(listed(&repository), (vec!["app/tax.py".to_owned()], false));
    let found = mentions(&repository, "total");
    assert_eq!(found.files.len(), 1);
    assert_eq!(found.unsearched, texts(&["total"]));
    assert_eq!(ignored(&repository, &["app/x.py"]), texts(&["app/x.py"]));
}

#[test]
fn the_list_is_that_after_the_change() {
    let (paths, is_complete) = listed(&repository(&[("app/new.py", "")], Vec::new(), true));
    assert_eq!(
        paths,
        ["app/cart.py", "app/new.py", "app/tax.py", "lib/total.js"]
    );
    assert!(is_complete);
}

#[test]
fn a_name_is_searched_if_all_files_are_known() {
    let found = mentions(
        &repository(&[("app/tax.py", "x = 1\n")], Vec::new(), true),
        "total",
    );
    let paths: Vec<&str> = found.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!((paths, found.unsearched), (vec!["app/cart.py"], texts(&[])));
    assert_eq!(found.files[0].text, "import tax\ntotal(1)\n");
    assert_eq!(found.paths, ["app/cart.py", "app/tax.py"]);
}

#[test]
fn a_name_is_searched_if_the_sender_searched_for_it_in_such_files() {
    for (own, whole, expected) in [
        (search(&["total", "tax"], None), true, texts(&[])),
        (search(&["total"], Some(&["py", "js"])), true, texts(&[])),
        (search(&["total"], Some(&["js"])), true, texts(&["total"])),
        (search(&["tax"], None), true, texts(&["total"])),
        // The text of the changed file is not known.
        (search(&["total"], None), false, texts(&["total"])),
    ] {
        let found = mentions(&repository(&[], vec![own.clone()], whole), "total");
        assert_eq!(found.unsearched, expected, "{own:?} {whole}");
    }
}

#[test]
fn a_name_in_too_many_files_is_not_searched() {
    let many: Vec<String> = (0..80).map(|at| format!("app/{at}.py")).collect();
    let many: Vec<(&str, &str)> = many
        .iter()
        .map(|path| (path.as_str(), "total()\n"))
        .collect();
    let found = mentions(
        &repository(&many, vec![search(&["total"], None)], true),
        "total",
    );
    assert_eq!(
        (found.files.len(), found.unsearched),
        (0, texts(&["total"]))
    );
}

#[test]
fn files_that_git_ignores_may_exist() {
    let paths = ["app/build/x.py", "app/x.py"];
    let unknown = repository(&[], Vec::new(), true);
    assert_eq!(ignored(&unknown, &paths), texts(&paths));
    let known = repository(&[(".gitignore", "build/\n")], Vec::new(), true);
    assert_eq!(ignored(&known, &paths), texts(&["app/build/x.py"]));
}

/// A runner whose worker fails.
struct Failing;

impl QueryRunner for Failing {
    fn run<'a>(&'a self, _: &'a Query<'a>) -> BoxFuture<'a, Result<QueryAnswer, QueryFailure>> {
        Box::pin(ready(Err(QueryFailure)))
    }
}

#[test]
fn without_a_runner_there_is_no_answer() {
    let repository = repository(&[(".gitignore", "build/\n")], Vec::new(), true);
    let paths = ["app/build/x.py".to_owned()];
    let ignored = repository.ignored(&paths, &Failing).now_or_never();
    assert_eq!(ignored.unwrap(), Err(Refusal::Failed));
    let search = MentionSearch {
        names: vec!["total".to_owned()],
        extensions: vec!["py"],
        ..MentionSearch::default()
    };
    let mentions = repository.mentions(&search, &Failing).now_or_never();
    assert_eq!(mentions.unwrap(), Err(Refusal::Failed));
}

#[test]
fn models_look_only_into_the_files_that_were_sent() {
    assert!(!repository(&[], Vec::new(), true).is_for_models());
    let sent = repository(&[("app/tax.py", "x = 1\n")], Vec::new(), true);
    assert!(sent.is_for_models() && !sent.is_empty());
    assert!(RequestRepository::default().is_empty());
}
