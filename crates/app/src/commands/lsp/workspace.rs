//! The folders that are open in the editor.

use std::path::{Path, PathBuf};

use gen_lsp_types::{WorkspaceFolder, WorkspaceFoldersChangeEvent};

use crate::commands::file_uri;

/// The folders, each with its URI.
#[derive(Debug, Default)]
pub(super) struct Workspace(Vec<(String, PathBuf)>);

impl Workspace {
    pub(super) fn add(&mut self, folders: Vec<WorkspaceFolder>) {
        let path = |uri: &str| file_uri::path(uri)?.canonicalize().ok();
        let folders = folders
            .into_iter()
            .filter_map(|folder| Some((path(&folder.uri.0)?, folder.uri.0)));
        self.0.extend(folders.map(|(path, uri)| (uri, path)));
    }

    pub(super) fn change(&mut self, event: WorkspaceFoldersChangeEvent) {
        self.0
            .retain(|(uri, _)| !event.removed.iter().any(|folder| folder.uri.0 == *uri));
        self.add(event.added);
    }

    /// Whether a file is in one of the folders. If no folder is open, a file may be anywhere.
    pub(super) fn contains(&self, file: &Path) -> bool {
        let parent = || Some(file.parent()?.canonicalize().ok()?.join(file.file_name()?));
        let file = file
            .canonicalize()
            .ok()
            .or_else(parent)
            .unwrap_or_else(|| file.to_owned());
        self.0.is_empty() || self.0.iter().any(|(_, folder)| file.starts_with(folder))
    }
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::{WorkspaceFolder, WorkspaceFoldersChangeEvent};

    use super::Workspace;

    #[test]
    fn a_file_is_in_one_of_the_folders() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let [one, two] = folders.each_ref().map(|folder| {
            WorkspaceFolder::new(
                format!("file://{}", folder.path().display()).into(),
                "a folder".to_owned(),
            )
        });
        let files = folders
            .each_ref()
            .map(|folder| folder.path().join("new/a.py"));
        let mut workspace = Workspace::default();
        let seen = |workspace: &Workspace| files.each_ref().map(|file| workspace.contains(file));
        assert_eq!(seen(&workspace), [true, true], "no folder is open");
        workspace.add(vec![
            one.clone(),
            WorkspaceFolder::new("untitled:x".into(), "no folder".to_owned()),
        ]);
        assert_eq!(seen(&workspace), [true, false]);
        workspace.change(WorkspaceFoldersChangeEvent::new(vec![two], vec![one]));
        assert_eq!(seen(&workspace), [false, true]);
    }
}
