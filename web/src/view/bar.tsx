/** The bottom line: the connection, how many panes are how, who is signed in. */

import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { paneState } from "../page/pane-state.ts";
import type { PaneState } from "../rooms/attention.ts";
import { usePage } from "./context.ts";
import { Icon } from "./icons.tsx";

export function Bar(props: { narrow: boolean }): JSX.Element {
  const { model, pool, commands } = usePage();
  const counts = createMemo(() => {
    const counted = new Map<PaneState, number>();
    for (const pane of Object.keys(model.state.panes)) {
      const state = paneState(model.state, pane);
      counted.set(state, (counted.get(state) ?? 0) + 1);
    }
    return counted;
  });
  const count = (state: PaneState): number => counts().get(state) ?? 0;
  const isUp = (): boolean => model.state.connection.at === "up";
  return (
    <footer class="bar">
      <Show when={props.narrow}>
        <button
          type="button"
          class="bar-item"
          aria-label="Rooms and panes"
          onClick={() => model.toggleRail()}
        >
          <Icon name="rooms" />
        </button>
      </Show>
      <button
        type="button"
        class="bar-item"
        title={isUp() ? "Connected to Glasshouse" : "Try to connect now"}
        onClick={() => pool.wake()}
      >
        <span class="dot" classList={{ down: !isUp() }} />
        {isUp() ? "Connected" : "Reconnecting"}
      </button>
      <Show when={model.state.me?.hostUp === false}>
        <span class="bar-item bad">Pane host is down</span>
      </Show>
      <Show when={model.state.me?.storeUp === false}>
        <span class="bar-item bad">Store is down</span>
      </Show>
      <Show when={count("needs_you") > 0}>
        <button type="button" class="bar-item you" onClick={() => commands.nextNeedsYou()}>
          {count("needs_you")} need you
        </button>
      </Show>
      <Show when={count("working") > 0}>
        <span class="bar-item">{count("working")} working</span>
      </Show>
      <Show when={count("failed") > 0}>
        <button type="button" class="bar-item bad" onClick={() => commands.nextNeedsYou()}>
          {count("failed")} failed
        </button>
      </Show>
      <span class="spacer" />
      <Show when={model.state.notice}>
        {(notice) => (
          <button
            type="button"
            class="bar-item clip"
            title="Dismiss"
            onClick={() => model.notice(undefined)}
          >
            {notice()}
          </button>
        )}
      </Show>
      <Show when={!props.narrow}>
        <button type="button" class="bar-item" onClick={() => model.setPalette("")}>
          <kbd>F1</kbd> commands
        </button>
        <span class="bar-item">{model.state.me?.name}</span>
      </Show>
    </footer>
  );
}
