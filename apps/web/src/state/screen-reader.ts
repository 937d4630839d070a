import { kept } from "./kept.js";

/** Whether terminals tell a screen reader what they show. It costs much where they print much, so it is asked for. */
export const screenReader = kept<"on" | "off">("screen-reader", "off", (value) => (value === "on" ? "on" : "off"));
