/** A person's way through the page: sign in, start, split, move, leave, come back. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, Person, poll, SIZES, screenOf, type Tab } from "./support/page.ts";
import { story } from "./support/story.ts";
import { World } from "./support/world.ts";

describe("a person at the page", () => {
  story();
  let world: World;
  let browser: Browser;
  let person: Person;
  let tab: Tab;

  beforeAll(async () => {
    [world, browser] = await Promise.all([World.start(), openBrowser()]);
    person = await Person.enter(browser);
    tab = await person.signIn(world);
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it("signs in by the printed link, which works once and leaves no trace in the address", async () => {
    await tab.page.getByRole("heading", { name: "Your first room" }).waitFor();
    expect(tab.page.url()).toBe(`${world.origin}/`);
    const stranger = await Person.enter(browser);
    const second = await stranger.open(world.signInUrl ?? "");
    await second.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await tab.picture("sign-in");
    await stranger.leave();
  });

  it("types into bash and sees the answer", async () => {
    await tab.firstRoom("First");
    await tab.start("bash --norc");
    await tab.type("echo $((6 * 7))-answer");
    await tab.shows(tab.pane("bash"), "42-answer");
  });

  it("splits panes, and goes from one to the other by keys", async () => {
    await tab.page.keyboard.press("Control+Shift+KeyD");
    await tab.start("cat");
    await tab.page.keyboard.press("Control+Shift+KeyE");
    await tab.start("sleep 1000");
    const focuses = (names: readonly string[]): Promise<void> =>
      poll(async () => expect(names).toContain(await name(tab)));
    // The new pane has the focus once its program runs: a key before that goes from elsewhere.
    await focuses(["sleep"]);
    expect(await tab.panes.count()).toBe(3);
    await tab.page.keyboard.press("Control+Shift+ArrowLeft");
    await focuses(["bash"]);
    await tab.page.keyboard.press("Control+Shift+ArrowRight");
    await focuses(["cat", "sleep"]);
  });

  it("tells the program the size of its pane, at once and after a divider was dragged", async () => {
    await tab.page.keyboard.press("Control+Shift+Digit1");
    const columns = async (): Promise<number> => {
      await tab.type("clear; echo cols=$(tput cols)=");
      let found = 0;
      await poll(async () => {
        const [, cols] = /cols=(\d+)=/u.exec(await screenOf(tab.pane("bash"))) ?? [];
        if (cols === undefined) throw new Error("no columns yet");
        found = Number(cols);
      });
      return found;
    };
    const before = await columns();
    const divider = tab.page.locator(".room-layer:not(.away) .divider.row").first();
    const { x = 0, y = 0 } = (await divider.boundingBox()) ?? {};
    await tab.page.mouse.move(x + 3, y + 100);
    await tab.page.mouse.down();
    await tab.page.mouse.move(x + 203, y + 100, { steps: 5 });
    await tab.page.mouse.up();
    await poll(async () => {
      if ((await columns()) < before + 20) throw new Error("not wider yet");
    });
  });

  it("zooms a pane and shows all again", async () => {
    await tab.page.keyboard.press("Control+Shift+Enter");
    expect(await tab.panes.count()).toBe(1);
    await tab.page.keyboard.press("Control+Shift+Enter");
    expect(await tab.panes.count()).toBe(3);
  });

  it("finds commands and panes in the palette, and gives the focus back", async () => {
    await tab.page.keyboard.press("F1");
    await tab.page.getByRole("combobox", { name: /Search/u }).fill("@cat");
    await tab.page.keyboard.press("Enter");
    await poll(async () => expect(await name(tab)).toBe("cat"));
    await tab.type("typed after the palette");
    await tab.shows(tab.pane("cat"), "typed after the palette");
  });

  it("keeps everything over a reload", async () => {
    await tab.page.reload();
    await tab.shows(tab.pane("bash"), "cols=");
    await tab.shows(tab.pane("cat"), "typed after the palette");
    expect(await tab.panes.count()).toBe(3);
  });

  it("goes to another room and back, and finds what was printed meanwhile", async () => {
    await tab.pane("bash").locator(".term").click();
    await tab.type("clear; (sleep 1; echo printed-$((5 + 5))-unseen) &");
    await tab.page.getByRole("button", { name: "New room" }).click();
    await tab.page.getByRole("dialog").getByLabel("Name").fill("Second");
    await tab.page.getByRole("button", { name: "Open room" }).click();
    await tab.start("bash --norc");
    await tab.type("echo in-the-second");
    await tab.shows(tab.pane("bash"), "in-the-second");
    await tab.page.locator(".room-row").getByText("First", { exact: true }).click();
    await tab.shows(tab.pane("bash"), "printed-10-unseen");
    expect(await tab.panes.count()).toBe(3);
  });

  it("shows how a program ended, and starts it again by Enter", async () => {
    await tab.pane("bash").locator(".term").click();
    await tab.type("exit 3");
    const footer = tab.pane("bash").locator(".pane-foot");
    await footer.getByText("Exited 3").waitFor();
    await tab.page.keyboard.press("Enter");
    await footer.waitFor({ state: "detached" });
    await tab.type("echo alive-again");
    await tab.shows(tab.pane("bash"), "alive-again");
  });

  it("closes a pane and gives its space to the others", async () => {
    const sleep = tab.pane("sleep");
    await sleep.getByRole("button", { name: "Menu of the pane" }).click();
    await tab.page.getByRole("menuitem", { name: "Close pane" }).click();
    await tab.page.getByRole("button", { name: "End and close" }).click();
    await sleep.waitFor({ state: "detached" });
    expect(await tab.panes.count()).toBe(2);
  });

  it("looks right at three sizes, light and dark", async () => {
    for (const scheme of ["dark", "light"] as const) {
      for (const size of SIZES) {
        await tab.page.emulateMedia({ colorScheme: scheme });
        await tab.page.setViewportSize(size);
        await poll(async () => {
          const { width = 0 } = (await tab.focused.boundingBox()) ?? {};
          if (width > size.width) throw new Error("not laid out yet");
        });
        const overflow = await tab.page.evaluate(
          () => document.documentElement.scrollWidth - window.innerWidth,
        );
        expect(overflow).toBe(0);
        await tab.picture(`workspace-${size.name}-${scheme}`);
      }
    }
  });

  it("goes through all of it without an error in the page", () => {
    expect(person.wrongs).toEqual([]);
  });
});

async function name(tab: Tab): Promise<string> {
  return (await tab.focused.locator(".pane-name").textContent()) ?? "";
}
