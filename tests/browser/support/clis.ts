/**
 * A home in which the real coding CLIs work offline, against the stand-in for a model.
 *
 * The files answer what each CLI would ask at its first start (onboarding, trust, a sign-in), and
 * the login shell's profile names the model: panes get the environment of a login shell.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PROJECT, plant } from "./orchard.ts";

/** Not a key: the last 20 characters are what Claude Code remembers as approved. */
const CLAUDE_KEY = `sk-ant-fake-${"0".repeat(24)}`;

export interface Wanted {
  /** Where the CLIs' programs are. */
  readonly bin: string;
  readonly modelUrl: string;
}

interface Place extends Wanted {
  /** The folder they work in and trust. */
  readonly folder: string;
}

/** Plants the project in a home, and writes the settings of the shell and the CLIs. */
export async function furnish(home: string, wanted: Wanted): Promise<void> {
  await plant(home);
  const what: Place = { ...wanted, folder: join(home, PROJECT) };
  const files = {
    ".bash_profile": profile(what),
    ".bashrc": "PS1='\\[\\e[32m\\]\\W\\[\\e[m\\] $ '\nexport PAGER=cat\nalias ls='ls --color'\n",
    ".claude.json": JSON.stringify(claude(what)),
    // It would otherwise judge calls by itself, and a person would never be asked.
    ".claude/settings.json": JSON.stringify({ permissions: { defaultMode: "default" } }),
    ".codex/config.toml": codex(what),
    ".codex/rules/default.rules": 'prefix_rule(pattern = ["touch"], decision = "prompt")\n',
    ".config/opencode/opencode.json": JSON.stringify(opencode(what)),
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(home, name, ".."), { recursive: true });
    await writeFile(join(home, name), text);
  }
}

/** What the CLIs are told by their environment. */
function environment({ modelUrl }: Place): Record<string, string> {
  return {
    ANTHROPIC_API_KEY: CLAUDE_KEY,
    ANTHROPIC_BASE_URL: modelUrl,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // OpenCode fetches a package at its first start and waits for it: nothing is asked to answer.
    NPM_CONFIG_REGISTRY: modelUrl,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    STUB_KEY: "none",
  };
}

function profile(what: Place): string {
  const lines = Object.entries(environment(what)).map(([name, value]) => `export ${name}=${value}`);
  return [`export PATH="${what.bin}:$PATH"`, ...lines, ". ~/.bashrc", ""].join("\n");
}

function claude({ folder }: Place): object {
  const trusted = {
    hasTrustDialogAccepted: true,
    hasCompletedProjectOnboarding: true,
    allowedTools: [],
  };
  return {
    hasCompletedOnboarding: true,
    hasSeenAutoDefaultNudge: true,
    theme: "auto",
    customApiKeyResponses: { approved: [CLAUDE_KEY.slice(-20)], rejected: [] },
    projects: { [folder]: trusted },
  };
}

function codex({ folder, modelUrl }: Place): string {
  return `# A name that Codex knows (it warns about others), and whose tools are called one by one.
model = "gpt-5.5"
model_provider = "stub"
approval_policy = "on-request"
# Its sandbox needs user namespaces, which containers seldom have.
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[features]
# The daemon outlives the pane, and copies 400 MB into the home.
daemon_auto_start = false

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"

[model_providers.stub]
name = "stub"
base_url = "${modelUrl}/v1"
env_key = "STUB_KEY"
wire_api = "responses"

[projects."${folder}"]
trust_level = "trusted"
`;
}

function opencode({ modelUrl }: Place): object {
  return {
    autoupdate: false,
    model: "stub/stub",
    small_model: "stub/stub",
    permission: { bash: "ask" },
    provider: {
      stub: {
        npm: "@ai-sdk/openai-compatible",
        name: "Stub",
        options: { baseURL: `${modelUrl}/v1`, apiKey: "none" },
        models: { stub: { name: "Stub" } },
      },
    },
  };
}
