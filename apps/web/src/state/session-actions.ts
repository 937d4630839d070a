import { hasTerminal } from "../words/session-words.js";
import { isPhone } from "./layout.js";
import { hashOf, route, type SessionView, shownView } from "./route.js";
import { sessions } from "./sessions.js";

export function focusOn(id: string): void {
  document.getElementById(id)?.focus();
}

/** Shows or hides the evidence for its state. */
export function toggleWhy(): void {
  document.getElementById("why")?.click();
}

export function toggleView(): void {
  const { value } = route;
  if (value.page !== "session") return;
  const session = sessions.value.get(value.id);
  const shown = shownView(value.view, { isPhone: isPhone.value, terminal: session !== undefined && hasTerminal(session) });
  toView(shown === "terminal" ? "reading" : "terminal");
}

export function toView(view: SessionView): void {
  const { value } = route;
  if (value.page === "session") location.hash = hashOf({ ...value, view });
}
