//! What few cells have: an underline color, a link.
//!
//! Cells and packed history name an entry by number; entry 0 is "neither". Entries are not counted:
//! when the table has doubled, the owner marks what is still named and the rest is reused. A
//! program that makes a new link for every cell runs into the bounds, and its further links are
//! plain text.

use std::collections::BTreeMap;

use crate::num;

/// Longest target of a link; a longer one is not a link.
pub(crate) const LINK_MAX_BYTES: usize = 2 * 1024;

/// Most bytes of link targets a terminal keeps.
const LINKS_MAX_BYTES: usize = 1024 * 1024;

/// Most entries: one for each cell of the largest screen, and then some.
const ENTRIES_MAX: usize = 128 * 1024;

/// Fewest entries added before a collection.
const COLLECT_FROM: usize = 1024;

/// A link that found no room brings the next collection closer than one that did.
const REFUSED_COUNTS: usize = 16;

/// A link as OSC 8 opened it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    /// Cells of links with the same id and target belong together.
    pub(crate) id: Option<Box<str>>,
    pub(crate) uri: Box<str>,
}

/// One entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Extra {
    /// As in [`color`](crate::cell::color); 0 is the text's color.
    pub(crate) underline_color: u32,
    /// Number of the link; 0 is none.
    pub(crate) link: u32,
}

/// The table.
#[derive(Clone, Debug)]
pub(crate) struct Extras {
    entries: Vec<Extra>,
    free_entries: Vec<u32>,
    by_entry: BTreeMap<Extra, u32>,
    links: Vec<Option<Link>>,
    free_links: Vec<u32>,
    by_link: BTreeMap<Link, u32>,
    link_bytes: usize,
    /// Entries and links added, or refused, since the last collection.
    since: usize,
    /// How many of them call for the next.
    collect_after: usize,
}

impl Default for Extras {
    fn default() -> Self {
        Self {
            entries: vec![Extra::default()],
            free_entries: Vec::new(),
            by_entry: BTreeMap::new(),
            links: vec![None],
            free_links: Vec::new(),
            by_link: BTreeMap::new(),
            link_bytes: 0,
            since: 0,
            collect_after: COLLECT_FROM,
        }
    }
}

impl Extras {
    /// The entry numbered `number`.
    pub(crate) fn get(&self, number: u32) -> Extra {
        self.entries.get(num::index(number)).copied().unwrap_or_default()
    }

    /// The link numbered `number`.
    pub(crate) fn link(&self, number: u32) -> Option<&Link> {
        self.links.get(num::index(number))?.as_ref()
    }

    /// The number of `extra`; 0 when the table is full.
    pub(crate) fn intern(&mut self, extra: Extra) -> u32 {
        if extra == Extra::default() {
            return 0;
        }
        if let Some(&number) = self.by_entry.get(&extra) {
            return number;
        }
        self.since += 1;
        let number = if let Some(number) = self.free_entries.pop() {
            self.entries[num::index(number)] = extra;
            number
        } else if self.entries.len() < ENTRIES_MAX {
            self.entries.push(extra);
            num::word(self.entries.len() - 1)
        } else {
            return 0;
        };
        self.by_entry.insert(extra, number);
        number
    }

    /// The number of a link; links without an id are never the same. 0 when the table is full.
    pub(crate) fn intern_link(&mut self, link: Link) -> u32 {
        if link.id.is_some()
            && let Some(&number) = self.by_link.get(&link)
        {
            return number;
        }
        self.since += 1;
        let bytes = size(&link);
        if self.link_bytes + bytes > LINKS_MAX_BYTES || self.links.len() > ENTRIES_MAX {
            self.since += REFUSED_COUNTS;
            return 0;
        }
        self.link_bytes += bytes;
        let keyed = link.id.is_some().then(|| link.clone());
        let number = if let Some(number) = self.free_links.pop() {
            self.links[num::index(number)] = Some(link);
            number
        } else {
            self.links.push(Some(link));
            num::word(self.links.len() - 1)
        };
        if let Some(key) = keyed {
            self.by_link.insert(key, number);
        }
        number
    }

    /// Whether as much was added since the last collection as was left by it.
    pub(crate) fn needs_collection(&self) -> bool {
        self.since >= self.collect_after
    }

    /// A set of marks, none set.
    pub(crate) fn marks(&self) -> Vec<bool> {
        vec![false; self.entries.len()]
    }

    /// Frees every entry that is not marked, and every link that no entry and not `pen` names.
    pub(crate) fn collect(&mut self, marks: &[bool], pen: Extra) {
        let mut used_links = vec![false; self.links.len()];
        used_links[0] = true;
        if let Some(used) = used_links.get_mut(num::index(pen.link)) {
            *used = true;
        }
        for (number, marked) in marks.iter().enumerate().skip(1) {
            let extra = self.entries[number];
            if *marked {
                if let Some(used) = used_links.get_mut(num::index(extra.link)) {
                    *used = true;
                }
            } else if self.by_entry.get(&extra).copied() == Some(num::word(number)) {
                self.by_entry.remove(&extra);
                self.entries[number] = Extra::default();
                self.free_entries.push(num::word(number));
            }
        }
        for (number, used) in used_links.iter().enumerate() {
            if !used && let Some(link) = self.links[number].take() {
                self.link_bytes = self.link_bytes.saturating_sub(size(&link));
                self.by_link.remove(&link);
                self.free_links.push(num::word(number));
            }
        }
        let live = self.by_entry.len() + self.links.len() - self.free_links.len();
        self.since = 0;
        self.collect_after = live.max(COLLECT_FROM);
    }
}

fn size(link: &Link) -> usize {
    link.uri.len() + link.id.as_ref().map_or(0, |id| id.len()) + 48
}
