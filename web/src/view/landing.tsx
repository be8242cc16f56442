/** The pages before the workspace: signing in, and the first room. */

import type { JSX } from "solid-js";
import { createSignal, For, onMount, Show } from "solid-js";
import { NAME_MAX_CHARS } from "../wire/gen/limits.ts";
import { usePage } from "./context.ts";
import { Dialog } from "./dialogs.tsx";
import { Icon } from "./icons.tsx";

function Brand(): JSX.Element {
  return (
    <div class="brand">
      <Icon name="glass" />
      Glasshouse
    </div>
  );
}

export function SignInNotice(props: { failed: string | undefined }): JSX.Element {
  return (
    <div class="landing">
      <div class="landing-box">
        <Brand />
        <h1>Sign in</h1>
        <p>
          {props.failed ?? "You are not signed in on this browser."} Ask for a sign-in link where
          Glasshouse runs, and open it here. It works once, for 15 minutes.
        </p>
        <code>glasshouse signin</code>
      </div>
    </div>
  );
}

export function Unreachable(props: { notice: string | undefined; retry: () => void }): JSX.Element {
  return (
    <div class="landing">
      <div class="landing-box">
        <Brand />
        <h1>Glasshouse does not answer</h1>
        <p>{props.notice} Your sessions go on without it.</p>
        <p>
          <br />
          <button type="button" class="button primary" onClick={() => props.retry()}>
            Try again
          </button>
        </p>
      </div>
    </div>
  );
}

/** First run: the room's name and folder, with what was found on this machine beside it. */
export function FirstRoom(): JSX.Element {
  const { model } = usePage();
  const shown = () =>
    (model.state.profiles ?? []).filter((profile) => profile.found || !profile.shell);
  return (
    <div class="landing">
      <div class="landing-box">
        <Brand />
        <h1>Your first room</h1>
        <p>
          A room holds up to 16 panes. Each runs one program, and goes on when you close the tab.
        </p>
        <RoomForm action="Open room" onDone={() => {}} />
        <ul class="clis" aria-label="Programs on this machine">
          <For each={shown().slice(0, 8)}>
            {(profile) => (
              <li class="cli" classList={{ muted: !profile.found }}>
                <span class="letter" aria-hidden="true">
                  {profile.shell ? "$" : [...profile.title][0]}
                </span>
                <span class="clip">{profile.title}</span>
                <span class="spacer" />
                <span class="muted clip">
                  {profile.found ? (profile.version ?? "") : "not found"}
                </span>
              </li>
            )}
          </For>
        </ul>
      </div>
    </div>
  );
}

export function NewRoom(props: { onDone: () => void }): JSX.Element {
  return (
    <Dialog label="New room" onClose={() => props.onDone()}>
      <h2>New room</h2>
      <RoomForm action="Open room" onDone={() => props.onDone()} />
    </Dialog>
  );
}

function RoomForm(props: { action: string; onDone: () => void }): JSX.Element {
  const { model } = usePage();
  const [name, setName] = createSignal("");
  const [folder, setFolder] = createSignal<string>();
  const [busy, setBusy] = createSignal(false);
  onMount(() => void model.loadProfiles());
  const where = (): string => folder() ?? model.state.folders[0]?.path ?? "";
  const submit = async (): Promise<void> => {
    setBusy(true);
    const title = name().trim() || (where().split("/").at(-1) ?? "") || "Room";
    const done = await model.createRoom(title, where() === "" ? undefined : where());
    setBusy(false);
    if (done) props.onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label>
        Name
        <input
          class="field"
          maxLength={NAME_MAX_CHARS}
          placeholder={where().split("/").at(-1) || "Room"}
          value={name()}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label>
        Folder
        <input
          class="field mono"
          list="folders"
          spellcheck={false}
          value={where()}
          onInput={(event) => setFolder(event.currentTarget.value)}
        />
        <datalist id="folders">
          <For each={model.state.folders}>{(known) => <option value={known.path} />}</For>
        </datalist>
      </label>
      <Show when={model.state.notice}>
        {(notice) => (
          <p class="wrong" role="alert">
            {notice()}
          </p>
        )}
      </Show>
      <div class="dialog-buttons">
        <button type="submit" class="button primary" disabled={busy()}>
          {props.action}
        </button>
      </div>
    </form>
  );
}
