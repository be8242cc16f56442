/** Small questions: a name, a yes or no. Focus returns to where it was. */

import type { JSX } from "solid-js";
import { onCleanup, onMount } from "solid-js";
import { Portal } from "solid-js/web";
import { NAME_MAX_CHARS } from "../wire/gen/limits.ts";

export function Dialog(props: {
  label: string;
  onClose: () => void;
  children: JSX.Element;
}): JSX.Element {
  let box: HTMLDivElement | undefined;
  const before = document.activeElement;
  onMount(() => {
    const first = box?.querySelector<HTMLElement>("input, .primary, button");
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
  });
  onCleanup(() => {
    if (before instanceof HTMLElement) before.focus();
  });
  return (
    <Portal>
      <div
        class="shade"
        onPointerDown={(event) => {
          if (event.target === event.currentTarget) props.onClose();
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") props.onClose();
        }}
      >
        <div
          ref={(element) => {
            box = element;
          }}
          class="dialog"
          role="dialog"
          aria-modal="true"
          aria-label={props.label}
        >
          {props.children}
        </div>
      </div>
    </Portal>
  );
}

export function Confirm(props: {
  title: string;
  text: string;
  action: string;
  onDone: (yes: boolean) => void;
}): JSX.Element {
  return (
    <Dialog label={props.title} onClose={() => props.onDone(false)}>
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={() => props.onDone(false)}>
          Cancel
        </button>
        <button type="button" class="button danger" onClick={() => props.onDone(true)}>
          {props.action}
        </button>
      </div>
    </Dialog>
  );
}

export function AskName(props: {
  title: string;
  value: string;
  onDone: (name: string | undefined) => void;
}): JSX.Element {
  let field: HTMLInputElement | undefined;
  return (
    <Dialog label={props.title} onClose={() => props.onDone(undefined)}>
      <h2>{props.title}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const name = field?.value.trim() ?? "";
          props.onDone(name === "" ? undefined : name);
        }}
      >
        <input
          ref={(element) => {
            field = element;
          }}
          class="field"
          aria-label="Name"
          maxLength={NAME_MAX_CHARS}
          value={props.value}
        />
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={() => props.onDone(undefined)}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}
