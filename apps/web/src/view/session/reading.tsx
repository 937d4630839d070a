import type { SessionAnswer } from "@tmpm/api";
import { useScreen } from "./use-screen.js";

/** The screen as text: it wraps where the window ends, and can be selected. */
export function Reading({ session }: { readonly session: SessionAnswer }) {
  const { lines, failure } = useScreen(session);
  return (
    <section class="reading" aria-label="Screen">
      {failure !== null && <p class="soft">{failure}</p>}
      <pre class="screen">{lines.join("\n")}</pre>
    </section>
  );
}
