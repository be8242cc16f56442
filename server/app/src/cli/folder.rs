//! `glasshouse folder`: folders in which panes may start.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Subcommand;
use http::Method;
use wire::http::{Folder, FolderList, NewFolder};

use super::{client, say};
use crate::config::Dirs;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Let panes start in a folder and below it
    Add {
        /// The folder
        path: PathBuf,
    },
    /// Print the folders
    List,
    /// No longer let panes start in a folder; those that run there go on
    Remove {
        /// The folder
        path: PathBuf,
    },
}

pub(super) async fn run(dirs: &Dirs, verb: Verb) -> anyhow::Result<ExitCode> {
    match verb {
        Verb::Add { path } => {
            let new = NewFolder { path: absolute(&path)? };
            let added: Option<Folder> =
                client::ask(dirs, Method::POST, "/api/folders", Some(&new)).await?;
            if let Some(folder) = added {
                say(&folder.path)?;
            }
        }
        Verb::List => {
            for folder in folders(dirs).await? {
                say(&folder.path)?;
            }
        }
        Verb::Remove { path } => {
            let named = absolute(&path)?;
            let real = std::fs::canonicalize(&path).ok();
            let folder = folders(dirs)
                .await?
                .into_iter()
                .find(|folder| {
                    folder.path == named || real.as_deref() == Some(folder.path.as_ref())
                })
                .with_context(|| format!("{named} is not registered"))?;
            let path = format!("/api/folders/{}", folder.id);
            client::ask::<()>(dirs, Method::DELETE, &path, None::<&()>).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn folders(dirs: &Dirs) -> anyhow::Result<Vec<Folder>> {
    let list = client::ask::<FolderList>(dirs, Method::GET, "/api/folders", None::<&()>).await?;
    Ok(list.map(|list| list.items).unwrap_or_default())
}

fn absolute(path: &std::path::Path) -> anyhow::Result<String> {
    let path = std::path::absolute(path)?;
    Ok(path.to_str().context("the folder's name is not UTF-8")?.to_owned())
}
