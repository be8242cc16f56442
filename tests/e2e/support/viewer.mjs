// A viewer in twenty lines: watches a pane, types one line, prints what it sees until it comes back.
// node viewer.mjs ORIGIN COOKIE PANE LINE
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const WebSocket = require(require.resolve("ws", { paths: [process.env.NODE_PATH ?? "."] }));
const [origin, cookie, pane, line] = process.argv.slice(2);
const headers = { cookie, origin, "content-type": "application/json" };
const path = `${origin}/api/panes/${pane}/cli`;
const { ticket } = await (await fetch(`${path}/ticket`, { method: "POST", headers, body: "{}" })).json();
const socket = new WebSocket(`${path.replace("http", "ws")}/terminal?ticket=${ticket}`, { headers });
const send = (message) => socket.send(JSON.stringify(message));
socket.on("message", (frame) => {
  const message = JSON.parse(frame);
  if (message.type === "ready") send({ type: "input", data: `${line}\r` });
  if (message.type === "output" || message.type === "snapshot") process.stdout.write(message.data);
  if (message.data?.includes(`<${line}>`)) socket.close();
});
