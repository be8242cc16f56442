import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["*.spec.ts"],
    reporters: ["verbose"],
    environment: "node",
    // Each file has a Glasshouse and a Chromium of its own, and the machine may have two cores.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
