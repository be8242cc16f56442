/**
 * The real coding CLIs at work beside a shell, as a person sees them.
 *
 * They are a gigabyte, so they run only where `GLASSHOUSE_CLIS` names the folder of their programs;
 * `cargo dev test --clis` sees to that.
 */

import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { furnish } from "./support/clis.ts";
import { startModel } from "./support/model.mjs";
import { ANSWERS, PROJECT } from "./support/orchard.ts";
import { openBrowser, Person, SIZES, screenOf, type Tab } from "./support/page.ts";
import { World } from "./support/world.ts";

const BIN = process.env["GLASSHOUSE_CLIS"];
if (BIN === undefined) {
  process.stderr.write("clis.spec.ts: skipped; `cargo dev test --clis` drives the real CLIs\n");
}

/** Three CLIs that start at once on two busy cores have taken more than one minute. */
const SLOW_MS = 120_000;
/** Codex takes keys that follow each other faster for a paste, and Enter for a part of it. */
const KEY_MS = 15;

const CLIS = [
  {
    name: "Claude Code",
    ready: "manual mode on",
    prompt: "why are some names refused?",
    answer: [
      /│ Zoë 🌱 │ 5 {7}│ 9 {5}│/u,
      /name\.chars\(\)\.count\(\) <= MAX_NAME/u,
      /cover it ✅$/mu,
    ],
    call: 'do:tool Bash {"command":"touch by-claude","description":"make a file"}',
    asks: "Do you want to proceed?",
  },
  {
    name: "Codex",
    ready: "Ask Codex to do anything",
    prompt: "plan the change",
    answer: [
      /is_valid; 日本語 names then fit\.$/mu,
      /注文 goes first ✅$/mu,
      /TooLong \{ by: usize \},$/mu,
    ],
    call: 'do:tool exec_command {"cmd":"touch by-codex"}',
    asks: "Would you like to run the following command?",
  },
  {
    name: "OpenCode",
    ready: "Ask anything",
    prompt: "how are orders retried?",
    answer: [
      /│2 +│2 s +│🍐 +│$/mu,
      /│3 +│8 s +│⚠️ +│$/mu,
      /such as 한국어 and 👩‍💻 stay whole\.$/mu,
    ],
    call: 'do:tool bash {"command":"touch by-opencode","description":"make a file"}',
    asks: "Permission required",
  },
] as const;

const here = describe.skipIf(BIN === undefined);

here.each(["dark", "light"] as const)(
  "the real coding CLIs, %s",
  { timeout: 3 * SLOW_MS },
  (scheme) => {
    let model: Awaited<ReturnType<typeof startModel>>;
    let world: World;
    let browser: Browser;
    let person: Person;
    let tab: Tab;
    /** Ids of the panes, by what was started in them. */
    const ids = new Map<string, string>();

    beforeAll(async () => {
      model = await startModel({ lines: ANSWERS });
      const prepare = (home: string) => furnish(home, { bin: BIN ?? "", modelUrl: model.url });
      [world, browser] = await Promise.all([World.start(prepare), openBrowser()]);
      // CLIs ask for the terminal's colors as they start.
      person = await Person.enter(browser, SIZES[0], scheme);
      tab = await person.signIn(world);
    });

    afterAll(async () => {
      await browser?.close();
      await world?.stop();
      await model?.close();
    });

    it("start from the launcher, each in a pane of its own", async () => {
      await tab.page.getByLabel("Folder").fill(`${world.home}/${PROJECT}`);
      await tab.firstRoom("Orchard");
      await launch("Shell");
      await tab.page.keyboard.press("Control+Shift+KeyD");
      await launch("Claude Code");
      await tab.page.keyboard.press("Control+Shift+KeyE");
      await launch("OpenCode");
      await tab.page.keyboard.press("Control+Shift+Digit1");
      await tab.page.keyboard.press("Control+Shift+KeyE");
      await launch("Codex");
      for (const { name, ready } of CLIS) await shows(name, ready);
      expect(await tab.panes.count()).toBe(4);
    });

    it("stream an answer with code, a table, emoji and CJK into their panes", async () => {
      await turnTo("Shell");
      await tab.type("git log --oneline --graph; git diff --stat HEAD~1");
      await shows("Shell", "insertions");
      for (const { name, prompt } of CLIS) await ask(name, prompt);
      for (const { name, answer } of CLIS) for (const line of answer) await shows(name, line);
    });

    it("draw every column of a table at one place, whatever the width of what stands in it", async () => {
      for (const name of ["Claude Code", "OpenCode"]) {
        const places = await columnsOf(pane(name));
        expect(places.length, name).toBeGreaterThan(4);
        expect(new Set(places).size, `${name}: ${places.join(" | ")}`).toBe(1);
      }
    });

    it("look right at three sizes", async () => {
      for (const size of [SIZES[1], SIZES[0]]) {
        await tab.page.setViewportSize(size);
        await fitted();
        // A CLI draws anew when it has heard of the size.
        await shows("Claude Code", /┘$/mu);
        await shows("OpenCode", /┘$/mu);
        await tab.picture(`clis-${size.name}-${scheme}`);
      }
      const phone = await onPhone();
      await phone.picture(`clis-phone-${scheme}`);
      await phone.page.context().close();
    });

    it("lay themselves out for a phone that takes over, and for the desktop at its next key", async () => {
      const phone = await onPhone();
      await phone.page.getByRole("button", { name: "Fit to me" }).click();
      await eventually(async () => expect(await fits(phone.panes.first())).toBe(true));
      await phone.picture(`clis-phone-fitted-${scheme}`);
      await phone.page.context().close();
      await turnTo("Claude Code");
      await tab.page.keyboard.press("Escape");
      await fitted();
    });

    it("ask before they run a command, run it, and tell what came of it", async () => {
      for (const { name, call } of CLIS) await ask(name, call);
      for (const { name, asks } of CLIS) await shows(name, asks);
      await tab.picture(`clis-asking-${scheme}`);
      for (const { name } of CLIS) {
        await turnTo(name);
        await tab.page.keyboard.press("Enter");
        await shows(name, "The tool said:");
      }
      await turnTo("Shell");
      await tab.type("clear; ls");
      for (const made of ["by-claude", "by-codex", "by-opencode"]) await shows("Shell", made);
    });

    it("work without an error in the page", () => {
      expect(person.wrongs).toEqual([]);
    });

    async function launch(title: string): Promise<void> {
      const launcher = tab.focused.getByRole("combobox", { name: "What to start" });
      await launcher.fill(title);
      await tab.page.getByRole("option", { name: title }).first().waitFor();
      await launcher.press("Enter");
      await tab.focused.locator(".chip.you").waitFor();
      ids.set(title, (await tab.focused.getAttribute("data-pane")) ?? "");
    }

    function pane(title: string): Locator {
      return tab.page.locator(`[data-pane="${ids.get(title)}"]`);
    }

    /** Gives a pane the keyboard, by its number: a click could mean something to the program. */
    async function turnTo(name: string): Promise<void> {
      const label = (await pane(name).getAttribute("aria-label")) ?? "";
      await tab.page.keyboard.press(`Control+Shift+Digit${/\d/u.exec(label)?.[0]}`);
      await pane(name).locator("textarea:focus").waitFor({ state: "attached" });
    }

    async function ask(name: string, prompt: string): Promise<void> {
      await turnTo(name);
      await tab.page.keyboard.type(prompt, { delay: KEY_MS });
      await shows(name, prompt.slice(0, 20));
      await tab.page.keyboard.press("Enter");
    }

    async function shows(name: string, wanted: string | RegExp): Promise<void> {
      await eventually(async () => {
        const screen = await screenOf(pane(name));
        if (typeof wanted === "string") expect(screen).toContain(wanted);
        else expect(screen).toMatch(wanted);
      });
    }

    /** Waits until every grid has the size that its pane has room for. */
    async function fitted(): Promise<void> {
      await eventually(async () => {
        for (const one of await tab.panes.all()) expect(await fits(one)).toBe(true);
      });
    }

    /** The same person looks at Claude Code from a phone. */
    async function onPhone(): Promise<Tab> {
      const phone = await Person.enter(browser, SIZES[2], scheme);
      await phone.context.addCookies(await person.context.cookies());
      const watching = await phone.open(world.origin);
      const name = (await pane("Claude Code").locator(".pane-name").textContent()) ?? "";
      await watching.page.getByRole("button", { name: "Rooms and panes" }).click();
      await watching.page.locator(".rail").getByText(name, { exact: true }).click();
      await eventually(async () => {
        expect(await screenOf(watching.panes.first())).toContain("cover it ✅");
        expect(phone.wrongs).toEqual([]);
      });
      return watching;
    }
  },
);

async function eventually(check: () => Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: SLOW_MS, interval: 100 });
}

/** The grid leaves no more free in its pane than an inset and the scroll bar. */
async function fits(pane: Locator): Promise<boolean> {
  const body = await pane.locator(".pane-body").boundingBox();
  const grid = await pane.locator(".xterm-screen").boundingBox();
  if (body === null || grid === null) return false;
  const free = [body.width - grid.width, body.height - grid.height];
  return free.every((pixels) => pixels >= 0 && pixels < 40);
}

/** Where the borders of a table's columns are drawn, in cells, for each of its rows. */
async function columnsOf(pane: Locator): Promise<string[]> {
  return await pane.locator(".xterm-rows").evaluate((rows) => {
    const places: string[] = [];
    for (const row of rows.children) {
      if (!/[┌├└].*[┐┤┘]|│.*│.*│/u.test(row.textContent ?? "")) continue;
      const from = row.getBoundingClientRect().left;
      const borders: number[] = [];
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const { index } of (text.textContent ?? "").matchAll(/[┌┬┐├┼┤└┴┘│]/gu)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + 1);
          const { left, width } = range.getBoundingClientRect();
          borders.push(Math.round((left - from) / width));
        }
      }
      places.push(borders.join(" "));
    }
    return places;
  });
}
