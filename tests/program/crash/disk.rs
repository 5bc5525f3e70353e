//! A disk as a crash of the machine may leave it.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;

use super::*;

/// What is lost of what was not put on the disk. Nothing else is promised to any program; file systems are kinder on most days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerLoss {
    /// Everything.
    All,
    /// What was written. Names are there, as where a file system delays the allocation of blocks.
    Contents,
    /// What was written, but not the length: there are zeros instead.
    Zeros,
}

pub const LOSSES: [PowerLoss; 3] = [PowerLoss::All, PowerLoss::Contents, PowerLoss::Zeros];

/// A file or a folder as it is seen by programs, and as it is on the disk.
#[derive(Clone)]
enum Inode {
    File { now: Vec<u8>, on_disk: Vec<u8> },
    Folder { now: BTreeMap<String, usize>, on_disk: BTreeMap<String, usize> },
}

/// The files below a folder.
#[derive(Clone)]
pub struct Disk {
    root: PathBuf,
    nodes: Vec<Inode>,
    /// The nodes by inodes. The number of an inode that is gone is given to another.
    by_inode: HashMap<u64, usize>,
}

impl Disk {
    /// A folder, all of which is on the disk.
    pub fn of(folder: &Path) -> Self {
        let root = folder.canonicalize().unwrap();
        let mut disk = Self { root: root.clone(), nodes: Vec::new(), by_inode: HashMap::new() };
        disk.add(&root);
        disk
    }

    fn add(&mut self, path: &Path) -> usize {
        let node = if path.is_dir() {
            let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name());
            let names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
            // The folder comes before what is in it.
            let number = self.make(path.metadata().unwrap().ino(), Inode::folder(BTreeMap::new()));
            let entries = names.into_iter().map(|name| (name.clone(), self.add(&path.join(name)))).collect();
            self.nodes[number] = Inode::folder(entries);
            return number;
        } else {
            let bytes = std::fs::read(path).unwrap();
            Inode::File { now: bytes.clone(), on_disk: bytes }
        };
        self.make(path.metadata().unwrap().ino(), node)
    }

    fn make(&mut self, inode: u64, node: Inode) -> usize {
        self.nodes.push(node);
        self.by_inode.insert(inode, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Does what a log says, and calls a function after each operation.
    pub fn replay(mut self, mut log: &[u8], mut after: impl FnMut(&Self)) {
        while !log.is_empty() {
            let end = log.iter().position(|&byte| byte == b'\n').unwrap();
            let line = std::str::from_utf8(&log[..end]).unwrap().to_string();
            log = &log[end + 1..];
            let (operation, rest) = line.split_once(' ').unwrap();
            let fields: Vec<&str> = rest.splitn(3, ' ').collect();
            let number = |field: usize| fields[field].parse::<u64>().unwrap();
            let paths = || rest.split_once('\t').unwrap();
            match operation {
                "make" => {
                    let node = self.make(number(0), Inode::File { now: Vec::new(), on_disk: Vec::new() });
                    self.name(rest.split_once(' ').unwrap().1, node);
                }
                "folder" => {
                    let node = self.make(number(0), Inode::folder(BTreeMap::new()));
                    self.name(rest.split_once(' ').unwrap().1, node);
                }
                "write" => {
                    let (at, length) = (number(1) as usize, number(2) as usize);
                    let bytes = self.file(number(0));
                    bytes.resize(bytes.len().max(at + length), 0);
                    bytes[at..at + length].copy_from_slice(&log[..length]);
                    log = &log[length..];
                }
                "cut" => {
                    let length = number(1) as usize;
                    self.file(number(0)).resize(length, 0);
                }
                "sync" => {
                    let node = self.by_inode[&number(0)];
                    match &mut self.nodes[node] {
                        Inode::File { now, on_disk } => on_disk.clone_from(now),
                        Inode::Folder { now, on_disk } => on_disk.clone_from(now),
                    }
                }
                "rename" => {
                    let (from, to) = paths();
                    let node = self.remove(from);
                    self.name(to, node);
                }
                "link" => {
                    let (from, to) = paths();
                    let (folder, name) = self.place(from);
                    let node = folder[&name];
                    self.name(to, node);
                }
                "remove" => drop(self.remove(rest)),
                _ => panic!("{line}"),
            }
            after(&self);
        }
    }

    /// What there is after a crash, in which something is lost.
    pub fn after_crash(&self, loss: PowerLoss) -> Tree {
        let mut tree = Tree::new();
        self.add_after_crash(0, Path::new(""), loss, &mut tree);
        tree
    }

    fn add_after_crash(&self, folder: usize, below: &Path, loss: PowerLoss, tree: &mut Tree) {
        let Inode::Folder { now, on_disk } = &self.nodes[folder] else { panic!("it is a folder") };
        for (name, &node) in if loss == PowerLoss::All { on_disk } else { now } {
            let path = below.join(name);
            match &self.nodes[node] {
                Inode::Folder { .. } => {
                    tree.insert(path.clone(), None);
                    self.add_after_crash(node, &path, loss, tree);
                }
                Inode::File { now, on_disk } => {
                    let mut bytes = on_disk.clone();
                    if loss == PowerLoss::Zeros {
                        bytes.resize(now.len(), 0);
                    }
                    tree.insert(path, Some(bytes));
                }
            }
        }
    }

    fn file(&mut self, inode: u64) -> &mut Vec<u8> {
        match &mut self.nodes[self.by_inode[&inode]] {
            Inode::File { now, .. } => now,
            Inode::Folder { .. } => panic!("a folder is not written"),
        }
    }

    /// The names in the folder of a path, and the path's own.
    fn place(&mut self, path: &str) -> (&mut BTreeMap<String, usize>, String) {
        let path = Path::new(path).strip_prefix(&self.root).unwrap();
        let mut folder = 0;
        for name in path.parent().unwrap() {
            let Inode::Folder { now, .. } = &self.nodes[folder] else { panic!("it is a folder") };
            folder = now[name.to_str().unwrap()];
        }
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let Inode::Folder { now, .. } = &mut self.nodes[folder] else { panic!("it is a folder") };
        (now, name)
    }

    fn name(&mut self, path: &str, node: usize) {
        let (folder, name) = self.place(path);
        folder.insert(name, node);
    }

    fn remove(&mut self, path: &str) -> usize {
        let (folder, name) = self.place(path);
        folder.remove(&name).unwrap()
    }
}

impl Inode {
    fn folder(entries: BTreeMap<String, usize>) -> Self {
        Self::Folder { now: entries.clone(), on_disk: entries }
    }
}

#[test]
fn the_model_of_a_disk_loses_what_was_not_synced() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("old"), "old").unwrap();
    let root = folder.path().canonicalize().unwrap();
    let inode = std::fs::metadata(&root).unwrap().ino();
    let root = root.display();
    let log =
        format!("make 1 {root}/new\nwrite 1 0 3\nnewrename {root}/new\t{root}/old\nsync {inode}\nsync 1\n");
    let mut states = Vec::new();
    Disk::of(folder.path()).replay(log.as_bytes(), |disk| {
        states.push(LOSSES.map(|loss| {
            let tree = disk.after_crash(loss);
            tree.into_iter()
                .map(|(path, bytes)| {
                    format!("{}={}", path.display(), String::from_utf8(bytes.unwrap()).unwrap())
                })
                .collect::<Vec<_>>()
                .join(" ")
        }));
    });
    let all_three = |state: &str| [state; 3].map(str::to_string);
    let expected = [
        ["old=old", "new= old=old", "new= old=old"].map(str::to_string),
        ["old=old", "new= old=old", "new=\0\0\0 old=old"].map(str::to_string),
        ["old=old", "old=", "old=\0\0\0"].map(str::to_string),
        ["old=", "old=", "old=\0\0\0"].map(str::to_string),
        all_three("old=new"),
    ];
    assert_eq!(states, expected);
}
