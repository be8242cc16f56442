import { describe, expect, it } from "vitest";
import { DialPlan, EVENTS } from "./dial.ts";

describe("dialling", () => {
  it("asks once for all, what people look at first", () => {
    const plan = new DialPlan();
    plan.want("hidden", 2, 0, 0);
    plan.want("seen", 1, 0, 0);
    plan.want("focused", 0, 0, 0);
    plan.want(EVENTS, 0, 0, 0);
    expect(plan.next(0)).toEqual({ panes: ["focused", "seen", "hidden"], events: true });
    expect(plan.next(0)).toBeUndefined();
  });

  it("asks for sixteen at most, the rest right after", () => {
    const plan = new DialPlan();
    for (let n = 0; n < 20; n += 1) plan.want(`pane ${n}`, 1, 0, 0);
    expect(plan.next(0)?.panes.length).toBe(16);
    plan.onAnswered();
    expect(plan.next(0)?.panes.length).toBe(4);
  });

  it("has one question open while the core is away, and asks again after the wait", () => {
    const plan = new DialPlan();
    plan.want("a", 0, 0, 0);
    plan.want("b", 0, 0, 0);
    const probe = plan.next(0);
    if (probe === undefined) throw new Error("no probe");
    expect(plan.deadline()).toBeUndefined();
    plan.onUnanswered(probe, 10, 0);
    expect(plan.next(100)).toBeUndefined();
    expect(plan.deadline()).toBe(210);
    expect(plan.next(210)?.panes).toEqual(["a", "b"]);
  });

  it("asks seldom after two minutes", () => {
    const plan = new DialPlan();
    plan.want("a", 0, 0, 0);
    const first = plan.next(0);
    if (first === undefined) throw new Error("no probe");
    plan.onUnanswered(first, 0, 0);
    const late = plan.next(130_000);
    if (late === undefined) throw new Error("no probe");
    plan.onUnanswered(late, 130_000, 0);
    expect(plan.deadline()).toBe(135_000);
  });

  it("asks at once when hurried", () => {
    const plan = new DialPlan();
    plan.want("a", 0, 0, 0);
    const probe = plan.next(0);
    if (probe === undefined) throw new Error("no probe");
    plan.onUnanswered(probe, 0, 1);
    plan.hurry(50);
    expect(plan.next(50)?.panes).toEqual(["a"]);
  });

  it("waits before it dials again a socket that died young", () => {
    const plan = new DialPlan();
    plan.want("a", 0, 0, 0);
    plan.next(0);
    plan.onAnswered();
    plan.onUp("a", 100);
    plan.want("a", 0, 300, 0);
    expect(plan.next(300)).toBeUndefined();
    expect(plan.deadline()).toBe(500);
  });

  it("dials again at once a socket that had lived", () => {
    const plan = new DialPlan();
    plan.want("a", 0, 0, 0);
    plan.next(0);
    plan.onAnswered();
    plan.onUp("a", 100);
    plan.want("a", 0, 60_000, 0);
    expect(plan.next(60_000)?.panes).toEqual(["a"]);
  });

  it("leaves alone what is up or forgotten", () => {
    const plan = new DialPlan();
    plan.want("a", 0, 0, 0);
    plan.want("b", 0, 0, 0);
    plan.next(0);
    plan.onAnswered();
    plan.onUp("a", 1);
    plan.forget("b");
    plan.hurry(2);
    expect(plan.next(2)).toBeUndefined();
    expect(plan.deadline()).toBeUndefined();
  });
});
