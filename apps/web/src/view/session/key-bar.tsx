import { useRef } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { inOrder } from "../../state/in-order.js";
import { say } from "../../state/notices.js";
import { failureText } from "../../words/failure-words.js";

/** Keys missing on a phone's keyboard, by tmux's names. */
const KEYS: readonly { readonly key: string; readonly title: string; readonly label: string }[] = [
  { key: "Escape", title: "Esc", label: "Esc" },
  { key: "Tab", title: "Tab", label: "Tab" },
  { key: "Up", title: "↑", label: "Up" },
  { key: "Down", title: "↓", label: "Down" },
  { key: "Left", title: "←", label: "Left" },
  { key: "Right", title: "→", label: "Right" },
  { key: "C-c", title: "^C", label: "Control C" },
  { key: "Enter", title: "⏎", label: "Enter" },
];

export function KeyBar({ session }: { readonly session: string }) {
  const pressing = useRef(inOrder<string>((keys) => tmpm.keys({ session, keys: [...keys] }).then(() => undefined)));
  const press = (key: string) => pressing.current(key).catch((error: unknown) => say(failureText(error), { tone: "error" }));
  return (
    <div class="keys" role="toolbar" aria-label="Keys">
      {KEYS.map(({ key, title, label }) => (
        <button key={key} type="button" class="button" aria-label={label} onClick={() => void press(key)}>
          {title}
        </button>
      ))}
    </div>
  );
}
