/** A small project to work on, and what the model says about it. */

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The project's folder in the home. */
export const PROJECT = "orchard";

const NAMES = `const MAX_NAME: usize = 20;

pub fn is_valid(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_NAME
}
`;

const ORDERS = `pub struct Order {
    pub fruit: String,
    pub crates: u32,
}
`;

/** What is committed, oldest first. */
const HISTORY = [
  { message: "Count the trees", files: { "README.md": "# Orchard\n" } },
  { message: "Give trees names", files: { "src/name.rs": NAMES } },
  { message: "Take orders 🍎", files: { "src/order.rs": ORDERS } },
  {
    message: "Deliver 注文 in order",
    files: { "src/order.rs": `${ORDERS}\nimpl Order {}\n`, "README.md": "# Orchard\n\nFruit.\n" },
  },
];

/** Makes the project, with its history, below a home. */
export async function plant(home: string): Promise<void> {
  const folder = join(home, PROJECT);
  const git = (...words: string[]) => run("git", ["-C", folder, ...words]);
  await mkdir(join(folder, "src"), { recursive: true });
  await git("init", "--quiet", "--initial-branch=main");
  for (const { message, files } of HISTORY) {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await git("add", "--all");
    const by = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    await git(...by, "commit", "--quiet", "-m", message);
  }
}

/** What the model answers, by what was typed. */
export const ANSWERS = [
  {
    to: "why are some names refused?",
    say: `The check in \`src/name.rs\` counts **bytes**, so a short name can be too long:

| name | letters | bytes |
|---|---|---|
| Ada | 3 | 3 |
| 김하늘 | 3 | 9 |
| Zoë 🌱 | 5 | 9 |

Count characters instead:

\`\`\`rust
name.chars().count() <= MAX_NAME
\`\`\`

> Two tests cover it ✅`,
  },
  {
    to: "plan the change",
    say: `Three steps, each with its test:

1. **Count characters** in \`is_valid\`; 日本語 names then fit.
2. **Say why** a name is refused, and *where* it is too long.
3. **Migrate** what is stored: 注文 goes first ✅

\`\`\`rust
enum Refused {
    Empty,
    TooLong { by: usize },
}
\`\`\``,
  },
  {
    to: "how are orders retried?",
    say: `Three times, and **never twice at once**:

| try | after | then |
|---|---|---|
| 1 | 0 s | 🍎 |
| 2 | 2 s | 🍐 |
| 3 | 8 s | ⚠️ |

- Names such as 한국어 and 👩‍💻 stay whole.
- See \`src/order.rs\`.`,
  },
];
