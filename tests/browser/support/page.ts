/** A browser tab with the page in it, driven as a person would. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { WITHIN_MS, type World } from "./world.ts";

export const SIZES = [
  { name: "desktop", width: 1440, height: 900 },
  { name: "small", width: 1024, height: 768 },
  { name: "phone", width: 390, height: 844 },
] as const;

export type Size = (typeof SIZES)[number];

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: process.env["GLASSHOUSE_CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      // Text is read from the page, which WebGL draws as a picture.
      "--disable-3d-apis",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Somebody's browser: cookies, and what went wrong in its pages. */
export class Person {
  readonly context: BrowserContext;
  readonly wrongs: string[] = [];

  private constructor(context: BrowserContext) {
    this.context = context;
    context.setDefaultTimeout(WITHIN_MS);
  }

  static async enter(
    browser: Browser,
    size: Size = SIZES[0],
    colorScheme: "dark" | "light" = "dark",
  ): Promise<Person> {
    const isPhone = size.name === "phone";
    return new Person(
      await browser.newContext({
        viewport: { width: size.width, height: size.height },
        colorScheme,
        hasTouch: isPhone,
        isMobile: isPhone,
        permissions: ["clipboard-read", "clipboard-write"],
      }),
    );
  }

  /** Opens a tab. */
  async open(url: string): Promise<Tab> {
    const page = await this.context.newPage();
    page.on("pageerror", (error) => this.wrongs.push(error.message));
    page.on("dialog", (dialog) => void dialog.accept());
    await page.goto(url);
    return new Tab(page);
  }

  /** Uses the link that the core printed, and waits for the page behind it. */
  async signIn(world: World): Promise<Tab> {
    const tab = await this.open(world.signInUrl ?? world.origin);
    await tab.page.waitForURL(`${world.origin}/`);
    return tab;
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}

export class Tab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Panes that can be seen. */
  get panes(): Locator {
    return this.page.locator(".room-layer:not(.away) [data-pane]:not(.away)");
  }

  /** The pane of this name. */
  pane(name: string): Locator {
    return this.panes.filter({ has: this.page.locator(`.pane-name:text-is("${name}")`) });
  }

  get focused(): Locator {
    return this.page.locator("[data-pane].focused");
  }

  /** Makes the first room from the page that offers it. */
  async firstRoom(name: string): Promise<void> {
    await this.page.getByLabel("Name").fill(name);
    await this.page.getByRole("button", { name: "Open room" }).click();
    await this.page.getByRole("combobox", { name: "What to start" }).waitFor();
  }

  /** Starts a command in the focused launcher and gives its pane a name. */
  async start(command: string): Promise<void> {
    const launcher = this.focused.getByRole("combobox", { name: "What to start" });
    await launcher.fill(command);
    await this.page.getByRole("option", { name: `Run “${command}”` }).click();
    await this.focused.locator(".chip.you").waitFor();
  }

  /** Types into the focused pane. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
  }

  /** Waits until a pane shows a text. */
  async shows(pane: Locator, text: string): Promise<void> {
    await poll(async () => {
      const screen = await screenOf(pane);
      if (!screen.includes(text)) throw new Error(`no “${text}” in:\n${screen}`);
    });
  }

  /** Writes a picture where `GLASSHOUSE_PICTURES` says, if it says so. */
  async picture(name: string): Promise<void> {
    const folder = process.env["GLASSHOUSE_PICTURES"];
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }
}

/** The text on a pane's screen, row by row. */
export async function screenOf(pane: Locator): Promise<string> {
  const rows = await pane.locator(".xterm-rows > div").allTextContents();
  return rows.map((row) => row.trimEnd()).join("\n");
}

/** Tries until it succeeds; the last failure is the one that is told. */
export async function poll(check: () => Promise<void>): Promise<void> {
  const endMs = Date.now() + WITHIN_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > endMs) throw error;
      await new Promise((next) => setTimeout(next, 50));
    }
  }
}
