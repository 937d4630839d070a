import { kept } from "./kept.js";

/** Whether terminals expose their text to screen readers. Expensive with much output, so opt-in. */
export const screenReader = kept<"on" | "off">("screen-reader", "off", (value) => (value === "on" ? "on" : "off"));
