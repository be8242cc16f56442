/** Two tabs on one pane, and a core that dies: both see the same, one types, nothing is lost. */

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, Person, poll, SIZES, screenOf, type Tab } from "./support/page.ts";
import { story } from "./support/story.ts";
import { World } from "./support/world.ts";

/** Numbers, one a line, for as long as it lives. */
const COUNTER = "i=0; while :; do i=$((i+1)); echo n$i; sleep 0.02; done";

describe("several tabs and a core that dies", () => {
  story();
  let world: World;
  let browser: Browser;
  let person: Person;
  let first: Tab;
  let second: Tab;

  beforeAll(async () => {
    [world, browser] = await Promise.all([World.start(), openBrowser()]);
    person = await Person.enter(browser);
    first = await person.signIn(world);
    await first.firstRoom("Together");
    await first.start("bash --norc");
    second = await person.open(world.origin);
    await second.pane("bash").waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it("shows the same to both", async () => {
    await first.page.bringToFront();
    await first.pane("bash").locator(".term").click();
    await first.type("echo seen-by-both");
    await first.shows(first.pane("bash"), "seen-by-both");
    await second.page.bringToFront();
    await second.shows(second.pane("bash"), "seen-by-both");
  });

  it("lets one type; the other takes over with its first key and loses none", async () => {
    await second.pane("bash").locator(".term").click();
    await second.type("echo typed-in-the-second");
    await second.shows(second.pane("bash"), "typed-in-the-second");
    await second.pane("bash").locator(".chip.you").waitFor();
    await first.pane("bash").locator(".chip:not(.you)").waitFor();
  });

  it("does not change the size for who only watches, and shows the same grid smaller", async () => {
    const grid = async (tab: Tab): Promise<string> =>
      (await tab.pane("bash").locator(".pane-size").textContent()) ?? "";
    const before = await grid(second);
    const phone = await Person.enter(browser, SIZES[2]);
    await phone.context.addCookies(await person.context.cookies());
    const watching = await phone.open(world.origin);
    await watching.shows(watching.pane("bash"), "typed-in-the-second");
    expect(await grid(watching)).toBe(before);
    await watching.picture("watching-phone");
    await phone.leave();
    expect(await grid(second)).toBe(before);
  });

  it("is back with every number once, in order, after the core was killed", async () => {
    await second.page.bringToFront();
    await second.pane("bash").locator(".term").click();
    await second.type(`clear; ${COUNTER}`);
    const seen = new Set<number>();
    const collect = async (): Promise<number[]> => {
      const numbers = numbersOf(await screenOf(second.pane("bash")));
      for (const number of numbers) seen.add(number);
      return numbers;
    };
    await poll(async () => expect((await collect()).length).toBeGreaterThan(5));
    for (let round = 0; round < 3; round += 1) {
      await world.killCore();
      await second.page.locator(".pane.lost").first().waitFor();
      await world.startCore();
      const startedMs = Date.now();
      await second.pane("bash").and(second.page.locator(":not(.lost)")).waitFor();
      expect(Date.now() - startedMs).toBeLessThan(5_000);
      const last = Math.max(...seen);
      await poll(async () => expect(Math.max(...(await collect()))).toBeGreaterThan(last + 20));
      const numbers = await collect();
      expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
    }
    await second.page.keyboard.press("Control+KeyC");
  });

  it("goes through all of it without an error in the page", () => {
    expect(person.wrongs).toEqual([]);
  });
});

/** The whole numbers on a screen; the last may be cut. */
function numbersOf(screen: string): number[] {
  const lines = screen.split("\n").filter((line) => /^n\d+$/u.test(line));
  return lines.slice(0, -1).map((line) => Number(line.slice(1)));
}
