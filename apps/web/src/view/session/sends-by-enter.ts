type Pressed = Pick<KeyboardEvent, "key" | "keyCode" | "shiftKey" | "ctrlKey" | "metaKey" | "isComposing">;

/** What Safari reports for the Enter that ends a composition, with `isComposing` false already. */
const COMPOSITION = 229;

/** The key belongs to an input method, which composes a word with it. */
export function isComposition({ isComposing, keyCode }: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return isComposing || keyCode === COMPOSITION;
}

/** Whether a key sends a text of several lines. On touch devices Enter is a new line: a button sends. */
export function sendsByEnter(event: Pressed, isTouch: boolean): boolean {
  const { key, shiftKey, ctrlKey, metaKey } = event;
  return key === "Enter" && !shiftKey && !isComposition(event) && (!isTouch || ctrlKey || metaKey);
}
