//! The capabilities of the client and the server.

use gen_lsp_types::{
    ChangeNotifications, CodeActionKind, CodeActionOptions, DiagnosticOptions, InitializeResult,
    Save, SaveOptions, ServerCapabilities, ServerInfo, TextDocumentSyncKind,
    TextDocumentSyncOptions, WorkspaceFolder, WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::positions::Encoding;

/// Files that can change the findings: the repository's configuration and rules, and git's records of commits,
/// checkouts and the index.
const WATCHED: [&str; 3] = [
    "**/.hunkwise.toml", "**/.hunkwise/rules/**", "**/.git/{HEAD,index,logs/HEAD}",
];

/// The capabilities of the client.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Supports {
    pub(super) encoding: Encoding,
    /// It requests diagnostics, so they are not pushed.
    pub(super) pull: bool,
    /// It supports a request to refresh its diagnostics.
    pub(super) refresh: bool,
    /// It watches files on request.
    pub(super) watch: bool,
    /// It supports edits of a specific document version.
    pub(super) versioned_edits: bool,
}

impl Supports {
    /// Reads the parameters of `initialize`. A capability that is missing or of another type is not supported.
    pub(super) fn of(params: &Value) -> Self {
        let at = |place: &str| params.pointer(&format!("/capabilities{place}"));
        let is = |place: &str| at(place).and_then(Value::as_bool).unwrap_or(false);
        let encodings = at("/general/positionEncodings").and_then(Value::as_array);
        let encoding = encodings
            .and_then(|names| names.iter().find_map(|name| Encoding::find(name.as_str()?)));
        Self {
            encoding: encoding.unwrap_or_default(),
            pull: at("/textDocument/diagnostic").is_some_and(Value::is_object),
            refresh: is("/workspace/diagnostics/refreshSupport"),
            watch: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            versioned_edits: is("/workspace/workspaceEdit/documentChanges"),
        }
    }
}

/// The options of the user (`initializationOptions`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(super) struct Options {
    /// The revision to compare with instead of HEAD.
    pub(super) base: Option<String>,
    /// The pause in typing after which a review begins.
    pub(super) pause_milliseconds: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            base: None,
            pause_milliseconds: 150,
        }
    }
}

impl Options {
    /// Reads the parameters of `initialize`.
    ///
    /// # Errors
    /// An option is unknown or has another type. The message names it.
    pub(super) fn of(params: &Value) -> Result<Self, String> {
        let options = params
            .get("initializationOptions")
            .filter(|options| !options.is_null());
        let read = options
            .map(|options| Self::deserialize(options.clone()))
            .transpose();
        read.map(Option::unwrap_or_default)
            .map_err(|error| format!("initializationOptions: {error}"))
    }
}

/// The folders that are open in the client. An old client has only one folder.
pub(super) fn folders(params: &Value) -> Vec<WorkspaceFolder> {
    let read = |folders: &Value| Vec::deserialize(folders.clone()).ok();
    let root = || {
        Some(vec![WorkspaceFolder::new(
            params.get("rootUri")?.as_str()?.into(),
            String::new(),
        )])
    };
    params
        .get("workspaceFolders")
        .and_then(read)
        .or_else(root)
        .unwrap_or_default()
}

/// The client's process; when it ends, the client is gone.
pub(super) fn process(params: &Value) -> Option<i32> {
    params.get("processId")?.as_i64()?.try_into().ok()
}

/// The response to `initialize`.
pub(super) fn introduction(client: &Supports) -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(Save::SaveOptions(SaveOptions::default())),
        ..TextDocumentSyncOptions::default()
    };
    let folders =
        WorkspaceFoldersServerCapabilities::new(Some(true), Some(ChangeNotifications::Bool(true)));
    let kinds = Some(vec![CodeActionKind::QuickFix]);
    let capabilities = ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(sync.into()),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: kinds,
                ..Default::default()
            }
            .into(),
        ),
        diagnostic_provider: client.pull.then(|| DiagnosticOptions::default().into()),
        workspace: Some(WorkspaceOptions {
            workspace_folders: Some(folders),
            ..WorkspaceOptions::default()
        }),
        ..ServerCapabilities::default()
    };
    let version = env!("CARGO_PKG_VERSION").to_owned();
    InitializeResult::new(
        capabilities,
        Some(ServerInfo::new("hunkwise".to_owned(), Some(version))),
    )
}

/// Asks the client to watch files.
pub(super) fn registration() -> Value {
    let watchers = WATCHED.map(|pattern| json!({ "globPattern": pattern }));
    let options = json!({ "watchers": watchers });
    json!({ "registrations": [{ "id": "watch", "method": "workspace/didChangeWatchedFiles", "registerOptions": options }] })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Options, Supports, folders, introduction, process};
    use crate::commands::lsp::positions::Encoding;

    #[test]
    fn undeclared_capabilities_are_unsupported() {
        for params in [
            json!({}),
            Value::Null,
            json!({ "capabilities": { "general": [], "workspace": 7 } }),
        ] {
            assert_eq!(Supports::of(&params), Supports::default(), "{params}");
            assert!(folders(&params).is_empty() && process(&params).is_none());
        }
        let modern = json!({ "capabilities": {
            "general": { "positionEncodings": ["utf-7", "utf-32", "utf-8"] },
            "textDocument": { "diagnostic": {} },
        } });
        let supports = Supports::of(&modern);
        assert_eq!((supports.encoding, supports.pull), (Encoding::Utf32, true));
        let answer = serde_json::to_value(introduction(&supports)).unwrap();
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-32");
        assert_eq!(
            answer["capabilities"]["diagnosticProvider"]["interFileDependencies"],
            false
        );
    }

    #[test]
    fn unknown_options_are_named() {
        let of = |options: Value| Options::of(&json!({ "initializationOptions": options }));
        assert_eq!(of(Value::Null).unwrap(), Options::default());
        let options = of(json!({ "base": "main", "pauseMilliseconds": 0 })).unwrap();
        assert_eq!(
            (options.base.as_deref(), options.pause_milliseconds),
            (Some("main"), 0)
        );
        assert!(
            of(json!({ "bass": "main" }))
                .unwrap_err()
                .contains("unknown field `bass`")
        );
    }

    #[test]
    fn folders_are_the_listed_ones_or_the_root() {
        let root = json!({ "rootUri": "file:///a", "workspaceFolders": null, "processId": 7 });
        assert_eq!(
            (folders(&root)[0].uri.0.as_str(), process(&root)),
            ("file:///a", Some(7))
        );
        let listed = json!({ "rootUri": "file:///a", "workspaceFolders": [{ "uri": "file:///b", "name": "b" }] });
        assert_eq!(folders(&listed)[0].uri.0, "file:///b");
    }
}
