/** A menu at a button. It closes by Escape, by a click elsewhere, and by what is chosen. */

import type { JSX } from "solid-js";
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { Portal } from "solid-js/web";
import { Icon, type IconName } from "./icons.tsx";

export interface MenuItem {
  readonly label: string;
  readonly key?: string | undefined;
  readonly danger?: boolean;
  /** A line above it. */
  readonly apart?: boolean;
  run(): void;
}

export function MenuButton(props: {
  icon: IconName;
  label: string;
  items: () => readonly MenuItem[];
  onClosed?: () => void;
}): JSX.Element {
  const [at, setAt] = createSignal<DOMRect>();
  let button: HTMLButtonElement | undefined;
  const close = (): void => {
    setAt(undefined);
    props.onClosed?.();
  };
  return (
    <>
      <button
        ref={(element) => {
          button = element;
        }}
        type="button"
        class="icon-button"
        title={props.label}
        aria-label={props.label}
        aria-haspopup="menu"
        aria-expanded={at() !== undefined}
        onClick={(event) => {
          event.stopPropagation();
          if (at() === undefined) setAt(button?.getBoundingClientRect());
          else close();
        }}
      >
        <Icon name={props.icon} />
      </button>
      <Show when={at()} keyed>
        {(rect) => <Menu anchor={rect} items={props.items()} onClose={close} />}
      </Show>
    </>
  );
}

function Menu(props: {
  anchor: DOMRect;
  items: readonly MenuItem[];
  onClose: () => void;
}): JSX.Element {
  let menu: HTMLDivElement | undefined;
  const onPointer = (event: PointerEvent): void => {
    if (!(event.target instanceof Node) || menu?.contains(event.target) !== true) props.onClose();
  };
  onMount(() => {
    document.addEventListener("pointerdown", onPointer, true);
    menu?.querySelector("button")?.focus();
    const box = menu?.getBoundingClientRect();
    if (menu === undefined || box === undefined) return;
    const right = Math.max(8, Math.min(props.anchor.right - box.width, innerWidth - box.width - 8));
    const below = props.anchor.bottom + 2;
    const top = below + box.height > innerHeight ? props.anchor.top - box.height - 2 : below;
    menu.style.left = `${right}px`;
    menu.style.top = `${Math.max(8, top)}px`;
  });
  onCleanup(() => document.removeEventListener("pointerdown", onPointer, true));
  const step = (by: number): void => {
    const buttons = [...(menu?.querySelectorAll("button") ?? [])];
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(now + by + buttons.length) % buttons.length]?.focus();
  };
  return (
    <Portal>
      <div
        ref={(element) => {
          menu = element;
        }}
        class="menu"
        role="menu"
        tabIndex={-1}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") props.onClose();
          else if (event.key === "ArrowDown") step(1);
          else if (event.key === "ArrowUp") step(-1);
          else return;
          event.preventDefault();
        }}
      >
        <For each={props.items}>
          {(item) => (
            <>
              <Show when={item.apart}>
                <hr />
              </Show>
              <button
                type="button"
                role="menuitem"
                classList={{ danger: item.danger ?? false }}
                onClick={() => {
                  props.onClose();
                  item.run();
                }}
              >
                <span>{item.label}</span>
                <span class="spacer" />
                <Show when={item.key}>{(key) => <kbd>{key()}</kbd>}</Show>
              </button>
            </>
          )}
        </For>
      </div>
    </Portal>
  );
}
