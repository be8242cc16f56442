/** Puts the page together: sign-in, model, attachments, views. */

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/pane.css";
import "./styles/overlay.css";
import { createEffect, createRoot } from "solid-js";
import { render } from "solid-js/web";
import * as tree from "./layout/tree.ts";
import { api } from "./net/api.ts";
import { watchActivity } from "./page/activity.ts";
import { Commands } from "./page/commands.ts";
import { Model } from "./page/model.ts";
import { Pool } from "./page/pool.ts";
import { currentScheme, onScheme } from "./page/scheme.ts";
import { signInFromUrl } from "./page/signin.ts";
import { NARROW_PX } from "./page/state.ts";
import { installTrustedTypes } from "./page/trusted-types.ts";
import { newViewerId } from "./page/viewer.ts";
import { App } from "./view/app.tsx";
import { PageContext } from "./view/context.ts";

installTrustedTypes();

async function start(): Promise<void> {
  const root = document.getElementById("page");
  if (root === null) return;
  const failed = await signInFromUrl();
  const model = new Model();
  const pool = new Pool({
    viewer: newViewerId(),
    touch: window.matchMedia("(pointer: coarse)").matches,
    scheme: currentScheme,
    isSameCaller: ({ name, kind }) => kind === "person" && name === model.state.me?.name,
    openLink: (url) => void window.open(url, "_blank", "noopener,noreferrer"),
  });
  const commands = new Commands(model, pool);
  pool.attached.on((attachment) => {
    model.onView(attachment.pane, attachment.view);
    attachment.changed.on((view) => model.onView(attachment.pane, view));
  });
  pool.detached.on((pane) => model.onDetached(pane));
  pool.events.on(({ event }) => model.onEvent(event));
  pool.connection.on((connection) => model.onConnection(connection));
  pool.signedOut.on(() => model.onSignedOut());
  comeBackWhenSignedIn(model);
  watchActivity(model, pool);
  onScheme((scheme) => pool.setScheme(scheme));
  if (failed === undefined) await model.load();
  else model.onSignedOut();
  createRoot(() => {
    createEffect(() => showInPool(model, pool));
    createEffect(() => {
      if (model.state.phase === "ready") pool.start();
      if (model.state.phase === "signed_out") pool.stop();
    });
  });
  render(
    () => (
      <PageContext.Provider value={{ model, pool, commands }}>
        <App signInFailed={failed} />
      </PageContext.Provider>
    ),
    root,
  );
  window.addEventListener("beforeunload", (event) => {
    const isAlive = Object.values(model.state.panes).some(
      (pane) => pane.session?.state === "running",
    );
    // Ctrl+W deletes a word in every shell: it must not close the workspace unasked.
    if (isAlive && model.state.phase === "ready") event.preventDefault();
  });
}

/** Tells the attachments what is looked at, whenever that changes. */
function showInPool(model: Model, pool: Pool): void {
  const { state } = model;
  if (state.phase !== "ready") return;
  const { room } = state;
  const layout = room === undefined ? undefined : state.trees[room];
  const places = layout === undefined ? [] : tree.panesOf(layout);
  const zoom = room === undefined ? undefined : state.zoom[room];
  const focused = model.places.focused();
  const alone = window.innerWidth <= NARROW_PX ? focused : zoom;
  const visible = new Set(alone === undefined ? places : [alone]);
  const panesByRoom = new Map(state.rooms.map(({ id }) => [id, model.panesOf(id)]));
  pool.show({ room, visible, focused }, panesByRoom);
}

/** Somebody may sign in in another tab, or Glasshouse may start after the page did. */
function comeBackWhenSignedIn(model: Model): void {
  const look = (): void => {
    const { phase } = model.state;
    if (document.visibilityState !== "visible") return;
    if (phase === "unreachable") void model.load();
    if (phase === "signed_out") {
      api.me().then(
        () => window.location.reload(),
        // Still signed out.
        () => {},
      );
    }
  };
  document.addEventListener("visibilitychange", look);
  window.setInterval(() => {
    if (model.state.phase === "unreachable") look();
  }, RETRY_MS);
}

const RETRY_MS = 2_000;

void start();
