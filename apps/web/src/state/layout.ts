import { computed, signal } from "@preact/signals";
import { kept } from "./kept.js";
import { route } from "./route.js";

/** Below this width in pixels one pane is shown at a time. */
const PHONE = "(max-width: 719px)";
/** From this width on, rows have columns. */
const WIDE = "(min-width: 1000px)";

function media(query: string) {
  const list = typeof matchMedia === "undefined" ? null : matchMedia(query);
  const value = signal(list?.matches ?? false);
  list?.addEventListener("change", ({ matches }) => {
    value.value = matches;
  });
  return value;
}

export const isPhone = media(PHONE);
const isWide = media(WIDE);

/** Whether the list is next to a session, which otherwise has the whole window. */
export const listBeside = kept<"shown" | "hidden">("list", "shown", (value) => (value === "hidden" ? "hidden" : "shown"));

export function toggleList(): void {
  listBeside.value = listBeside.value === "shown" ? "hidden" : "shown";
}

/** The layout of a session in the list: in columns, in two lines next to another pane, or in three lines on a touch screen. */
type RowForm = "columns" | "beside" | "touch";

export const rowForm = computed<RowForm>(() => {
  if (isPhone.value) return "touch";
  return isWide.value && route.value.page === "list" ? "columns" : "beside";
});
