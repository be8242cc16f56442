/** The whole page: before sign-in, before the first room, and the workspace. */

import type { JSX } from "solid-js";
import { createSignal, Match, onCleanup, onMount, Show, Switch } from "solid-js";
import { NARROW_PX } from "../page/state.ts";
import { Bar } from "./bar.tsx";
import { usePage } from "./context.ts";
import { Dock } from "./dock.tsx";
import { FirstRoom, NewRoom, SignInNotice, Unreachable } from "./landing.tsx";
import { Palette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { TouchBar } from "./touch-bar.tsx";

export function App(props: { signInFailed: string | undefined }): JSX.Element {
  const { model } = usePage();
  return (
    <Switch>
      <Match when={model.state.phase === "signed_out"}>
        <SignInNotice failed={props.signInFailed} />
      </Match>
      <Match when={model.state.phase === "unreachable"}>
        <Unreachable notice={model.state.notice} retry={() => void model.load()} />
      </Match>
      <Match when={model.state.phase === "ready" && model.state.rooms.length === 0}>
        <FirstRoom />
      </Match>
      <Match when={model.state.phase === "ready"}>
        <Workspace />
      </Match>
    </Switch>
  );
}

function Workspace(): JSX.Element {
  const { model, commands } = usePage();
  const query = window.matchMedia(`(max-width: ${NARROW_PX}px)`);
  const [narrow, setNarrow] = createSignal(query.matches);
  const [numbers, setNumbers] = createSignal(false);
  const [asking, setAsking] = createSignal(false);
  onMount(() => {
    const onChange = (): void => {
      setNarrow(query.matches);
      if (query.matches) model.toggleRail(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && model.state.palette === undefined) {
        if (event.code === "F6") cycleRegions(event);
        else commands.onKey(event);
      }
    };
    const onModifiers = (event: KeyboardEvent): void => {
      setNumbers(event.ctrlKey && event.shiftKey && !event.altKey);
    };
    const onBlur = (): void => {
      setNumbers(false);
    };
    commands.newRoom = () => setAsking(true);
    window.addEventListener("keydown", onModifiers, true);
    window.addEventListener("keyup", onModifiers, true);
    window.addEventListener("blur", onBlur);
    query.addEventListener("change", onChange);
    window.addEventListener("keydown", onKey);
    onCleanup(() => {
      query.removeEventListener("change", onChange);
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("keydown", onModifiers, true);
      window.removeEventListener("keyup", onModifiers, true);
      window.removeEventListener("blur", onBlur);
    });
  });
  return (
    <>
      <div class="page" classList={{ numbers: numbers() }}>
        <Rail narrow={narrow()} onPicked={() => narrow() && model.toggleRail(false)} />
        <Dock narrow={narrow()} />
        <div class="page-foot">
          <Show when={narrow()}>
            <TouchBar />
          </Show>
          <Bar narrow={narrow()} />
        </div>
      </div>
      <Show when={model.state.palette !== undefined}>
        <Palette />
      </Show>
      <Show when={asking()}>
        <NewRoom onDone={() => setAsking(false)} />
      </Show>
    </>
  );

  /** F6 goes from rail to dock to bar and round, Shift+F6 the other way. */
  function cycleRegions(event: KeyboardEvent): void {
    event.preventDefault();
    const regions = [".rail", ".dock", ".bar"];
    const now = regions.findIndex((region) => document.activeElement?.closest(region));
    const step = event.shiftKey ? regions.length - 1 : 1;
    const next = regions[(Math.max(now, 0) + step) % regions.length] ?? ".dock";
    if (next === ".dock") commands.focusTerminal();
    else document.querySelector<HTMLElement>(`${next} button`)?.focus();
  }
}
