/** What every view needs: the model, the attachments and what can be done. */

import { createContext, useContext } from "solid-js";
import type { Commands } from "../page/commands.ts";
import type { Model } from "../page/model.ts";
import type { Pool } from "../page/pool.ts";

export interface Page {
  readonly model: Model;
  readonly pool: Pool;
  readonly commands: Commands;
}

export const PageContext = createContext<Page>();

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error("a view stands outside the page");
  return page;
}
