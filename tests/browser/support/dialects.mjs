/**
 * How three model APIs are spoken: what a request said, and the events that stream an answer.
 *
 * Only the fields that the CLIs read are here, so none of this is a reference for the APIs.
 */

/**
 * One thing that was said, in the order it was said.
 * @typedef {{ by: "person" | "model" | "tool", text: string }} Said
 *
 * What the model answers: text in pieces, or one call of a tool.
 * @typedef {{ pieces: string[], pauseMs: number, call?: { name: string, input: unknown } }} Answer
 *
 * One server-sent event; `word` marks those that the answer's pace applies to.
 * @typedef {{ name?: string, data: unknown, word?: boolean }} Frame
 *
 * A way of speaking: what a request said, and an answer streamed or in one piece.
 * @typedef {{
 *   said: (body: any) => Said[],
 *   stream: (answer: Answer) => Iterable<Frame>,
 *   whole: (text: string) => unknown,
 * }} Dialect
 */

/**
 * The text of a content field, whichever of its shapes it has.
 *
 * @param {any} content
 * @returns {string}
 */
function textOf(content) {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map((part) => part?.text ?? "").join("\n");
  return content === undefined || content === null ? "" : JSON.stringify(content);
}

let calls = 0;
const USAGE = { input_tokens: 1, output_tokens: 1 };

/** @type {Dialect} */
export const messages = {
  said: ({ messages: turns = [] }) =>
    turns.flatMap((/** @type {any} */ { role, content }) => {
      if (role === "assistant") return [{ by: "model", text: "" }];
      const parts = Array.isArray(content) ? content : [{ type: "text", text: content }];
      return parts.map((part) =>
        part.type === "tool_result"
          ? { by: "tool", text: textOf(part.content) }
          : { by: "person", text: part.text ?? "" },
      );
    }),
  whole: (text) => ({ ...message(), content: [{ type: "text", text }], stop_reason: "end_turn" }),
  *stream({ pieces, call }) {
    /** @param {string} type @param {object} rest @returns {Frame} */
    const frame = (type, rest) => ({ name: type, data: { type, ...rest } });
    const input = JSON.stringify(call?.input ?? {});
    yield frame("message_start", { message: message() });
    yield frame("content_block_start", {
      index: 0,
      content_block: call
        ? { type: "tool_use", id: `toolu_${++calls}`, name: call.name, input: {} }
        : { type: "text", text: "" },
    });
    const deltas = call
      ? [{ type: "input_json_delta", partial_json: input }]
      : pieces.map((text) => ({ type: "text_delta", text }));
    for (const delta of deltas) {
      yield { ...frame("content_block_delta", { index: 0, delta }), word: true };
    }
    yield frame("content_block_stop", { index: 0 });
    yield frame("message_delta", {
      delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null },
      usage: USAGE,
    });
    yield frame("message_stop", {});
  },
};

function message() {
  return {
    id: `msg_${++calls}`,
    type: "message",
    role: "assistant",
    model: "stub",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: USAGE,
  };
}

/** @type {Dialect} */
export const responses = {
  said: ({ input = [] }) => {
    if (typeof input === "string") return [{ by: "person", text: input }];
    return input.flatMap((/** @type {any} */ { type = "message", role, content, output }) => {
      if (type.endsWith("_output")) return [{ by: "tool", text: textOf(output) }];
      if (type.endsWith("_call") || role === "assistant") return [{ by: "model", text: "" }];
      return role === "user" ? [{ by: "person", text: textOf(content) }] : [];
    });
  },
  whole: (text) => response("completed", [spoken(text, "completed")]),
  *stream({ pieces, call }) {
    /** @param {string} type @param {object} rest @returns {Frame} */
    const frame = (type, rest) => ({ name: type, data: { type, ...rest } });
    const at = { output_index: 0 };
    const done = call
      ? {
          type: "function_call",
          id: `fc_${++calls}`,
          call_id: `call_${calls}`,
          status: "completed",
          name: call.name,
          arguments: JSON.stringify(call.input),
        }
      : spoken(pieces.join(""), "completed");
    yield frame("response.created", { response: response("in_progress", []) });
    yield frame("response.output_item.added", {
      ...at,
      item: call ? done : { ...spoken("", "in_progress"), id: done.id, content: [] },
    });
    if (!call) {
      const inItem = { ...at, item_id: done.id, content_index: 0 };
      const part = { type: "output_text", text: "", annotations: [] };
      yield frame("response.content_part.added", { ...inItem, part });
      for (const delta of pieces) {
        yield { ...frame("response.output_text.delta", { ...inItem, delta }), word: true };
      }
    }
    yield frame("response.output_item.done", { ...at, item: done });
    yield frame("response.completed", { response: response("completed", [done]) });
  },
};

/** @param {string} text @param {string} status */
function spoken(text, status) {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: `msg_${++calls}`, role: "assistant", status, content };
}

/** @param {string} status @param {object[]} output */
function response(status, output) {
  const usage = { ...USAGE, total_tokens: 2 };
  return { id: `resp_${++calls}`, object: "response", status, output, usage };
}

/** @type {Dialect} */
export const completions = {
  said: ({ messages: turns = [] }) =>
    turns.flatMap((/** @type {any} */ { role, content }) => {
      if (role === "assistant") return [{ by: "model", text: "" }];
      if (role === "tool") return [{ by: "tool", text: textOf(content) }];
      return role === "user" ? [{ by: "person", text: textOf(content) }] : [];
    }),
  whole: (content) => ({
    ...completion("chat.completion"),
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  *stream({ pieces, call }) {
    /** @param {object} delta @param {string | null} [end] @returns {Frame} */
    const frame = (delta, end = null) => ({
      data: {
        ...completion("chat.completion.chunk"),
        choices: [{ index: 0, delta, finish_reason: end }],
      },
      word: end === null,
    });
    if (call) {
      const asked = { name: call.name, arguments: JSON.stringify(call.input) };
      const one = { index: 0, id: `call_${++calls}`, type: "function", function: asked };
      yield frame({ role: "assistant", tool_calls: [one] });
    }
    for (const content of pieces) yield frame({ role: "assistant", content });
    yield frame({}, call ? "tool_calls" : "stop");
    yield { data: "[DONE]" };
  },
};

/** @param {string} object */
function completion(object) {
  return { id: `chat_${++calls}`, object, created: 0, model: "stub" };
}
