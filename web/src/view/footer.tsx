/** A pane's last line. It is there only when it has something to say, and says the most urgent. */

import type { JSX } from "solid-js";
import { createSignal, Match, onCleanup, Show, Switch } from "solid-js";
import { copyText } from "../page/clipboard.ts";
import { sessionOf } from "../page/pane-state.ts";
import type { PaneView } from "../page/pane-view.ts";
import { exitLabel } from "../rooms/attention.ts";
import type { Exit } from "../wire/gen/types.ts";
import { usePage } from "./context.ts";

export function PaneFooter(props: { place: string }): JSX.Element {
  const { model, pool, commands } = usePage();
  const view = (): PaneView | undefined => model.state.views[props.place];
  const session = () => sessionOf(model.state, props.place);
  const profile = () =>
    model.state.profiles?.find(({ name }) => name === model.state.panes[props.place]?.profile);
  const attachment = () => pool.get(props.place);
  const then = (act: () => void) => () => {
    act();
    commands.focusTerminal();
  };
  return (
    <Switch>
      <Match when={endReason(view())}>
        {(reason) => (
          <Foot stays tone="red" what={reason()}>
            <Action label="Connect again" run={then(() => attachment()?.connect())} />
          </Foot>
        )}
      </Match>
      <Match when={session()?.state === "exited" || session()?.state === "lost"}>
        <Foot stays tone={tone(session()?.exit)} what={endLabel(session()?.state, session()?.exit)}>
          <Action
            key="Enter"
            label="restart"
            run={then(() => void model.restart(props.place, false))}
          />
          <Show when={profile()?.resumes}>
            <Action
              key="R"
              label="resume session"
              run={then(() => void model.restart(props.place, true))}
            />
          </Show>
          <Action label="Close" run={() => void model.close(props.place)} />
        </Foot>
      </Match>
      <Match when={view() !== undefined && view()?.phase.at !== "live"}>
        <Reconnecting known={view()?.shown === true} />
      </Match>
      <Match when={view()?.ask}>
        {(ask) => (
          <Foot
            tone="amber"
            what={`Paste ${ask().text.split("\r").length} lines? They run one by one.`}
          >
            <Action label="Paste" run={then(() => attachment()?.paste(ask().text, true))} />
            <Action label="Cancel" run={then(() => attachment()?.dismiss("ask"))} />
          </Foot>
        )}
      </Match>
      <Match when={view()?.offer}>
        {(offer) => (
          <Foot
            tone="amber"
            what={`${OFFER_WORDS[offer().why]} It may not have arrived: ${preview(offer().text)}`}
          >
            <Action label="Copy" run={then(() => copyText(offer().text))} />
            <Action label="Dismiss" run={then(() => attachment()?.dismiss("offer"))} />
          </Foot>
        )}
      </Match>
      <Match when={view()?.requestedBy}>
        {(name) => (
          <Foot tone="amber" what={`${name()} asks for control.`}>
            <Action label="Give" run={then(() => attachment()?.act("give"))} />
            <Action label="Keep" run={then(() => attachment()?.act("renew"))} />
          </Foot>
        )}
      </Match>
      <Match when={blockedWords(view())}>
        {(words) => (
          <Foot what={words()}>
            <Show when={view()?.blocked?.why === "held"}>
              <Action label="Request" run={then(() => attachment()?.act("request"))} />
              <Action label="Take over" run={then(() => attachment()?.act("take"))} />
            </Show>
            <Action label="Dismiss" run={then(() => attachment()?.dismiss("blocked"))} />
          </Foot>
        )}
      </Match>
      <Match when={view()?.lag}>
        {(lag) => (
          <Foot tone="amber" what={`⧖ ${bytes(lag().behindBytes)} behind, skipped to now.`} />
        )}
      </Match>
      <Match when={RECORDING_WORDS[view()?.recording ?? "on"]}>
        {(words) => <Foot tone="amber" what={words()} />}
      </Match>
      <Match when={view()?.notice}>
        {(notice) => (
          <Foot what={notice()}>
            <Action label="Dismiss" run={then(() => attachment()?.dismiss("notice"))} />
          </Foot>
        )}
      </Match>
      <Match when={view()?.partial === "stored"}>
        <Foot what="From the record, redacted." />
      </Match>
    </Switch>
  );
}

function Reconnecting(props: { known: boolean }): JSX.Element {
  const { model, pool } = usePage();
  const [now, setNow] = createSignal(performance.now());
  const timer = setInterval(() => setNow(performance.now()), 500);
  onCleanup(() => clearInterval(timer));
  const wait = (): string => {
    const { connection } = model.state;
    const at = connection.at === "down" ? connection.retryAtMs : undefined;
    const seconds = at === undefined ? 0 : Math.ceil((at - now()) / 1000);
    if (!props.known) return "Connecting…";
    return seconds > 1 ? `Reconnecting in ${seconds} s` : "Reconnecting…";
  };
  return (
    <Foot late what={wait()}>
      <Action label="now" run={() => pool.wake()} />
    </Foot>
  );
}

function Foot(props: {
  tone?: "red" | "amber" | "";
  /** In the flow, for a screen that nothing is printed to any more. */
  stays?: boolean;
  /** Not worth a word if it is over soon. */
  late?: boolean;
  what: string;
  children?: JSX.Element;
}): JSX.Element {
  return (
    <footer
      class="pane-foot"
      classList={{
        red: props.tone === "red",
        amber: props.tone === "amber",
        over: props.stays !== true,
        late: props.late ?? false,
      }}
      role="status"
    >
      <span class="what clip">{props.what}</span>
      {props.children}
    </footer>
  );
}

function Action(props: { key?: string; label: string; run: () => void }): JSX.Element {
  return (
    <button type="button" class="link-button" onClick={() => props.run()}>
      <Show when={props.key}>{(key) => <kbd>{key()}</kbd>}</Show>
      {props.label}
    </button>
  );
}

const OFFER_WORDS = {
  refused: "Refused.",
  taken: "Somebody else types now.",
  too_old: "The connection was gone too long.",
  disconnected: "The connection was lost.",
} as const;

const RECORDING_WORDS = {
  on: undefined,
  off: "Not recorded.",
  behind: "The record is behind; nothing is lost.",
  gap: "The record has a gap.",
} as const;

function endReason(view: PaneView | undefined): string | undefined {
  if (view?.phase.at !== "ended") return undefined;
  switch (view.phase.why) {
    case "superseded":
      return "Shown somewhere else now.";
    case "signed_out":
      return "Signed out.";
    case "session_lost":
      return "The session ended with its host.";
    case "refused":
      return "Glasshouse refuses the connection.";
  }
}

function endLabel(state: string | undefined, exit: Exit | undefined): string {
  return state === "lost" ? "Ended with its host" : `Exited ${exitLabel(exit)}`;
}

function tone(exit: Exit | undefined): "red" | "" {
  return exit !== undefined && "code" in exit && exit.code === 0 ? "" : "red";
}

function blockedWords(view: PaneView | undefined): string | undefined {
  switch (view?.blocked?.why) {
    case "held":
      return view.you ? undefined : `${view.holder?.name ?? "Somebody"} types. Nothing was sent.`;
    case "read_only":
      return "You may only watch.";
    case "full":
      return "The program is not reading. Nothing more was taken.";
    case "disconnected":
    case "ended":
    case undefined:
      return undefined;
  }
}

function preview(text: string): string {
  const printable = JSON.stringify(text).slice(1, -1);
  return printable.length > 60 ? `${printable.slice(0, 60)}…` : printable;
}

function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 1024 * 1024
    ? `${Math.round(count / 1024)} KB`
    : `${(count / 1024 / 1024).toFixed(1)} MB`;
}
