import { useEffect, useRef, useState } from "preact/hooks";
import { isPhone } from "../../state/layout.js";
import { mayChange } from "../../state/me.js";
import { Find } from "./find.js";
import type { TerminalProps } from "./lazy-terminal.js";
import { OPENING, type OpenScreen, openScreen, type ScreenStanding } from "./open-screen.js";
import "@xterm/xterm/css/xterm.css";
import "./terminal.css";

/** The session's terminal. Watching never changes its size: a viewer takes the size explicitly, and all viewers see who decides it. */
export function TerminalView({ session, small = false }: TerminalProps) {
  const { id, name, launched_at } = session;
  const place = useRef<HTMLDivElement>(null);
  const [standing, setStanding] = useState(OPENING);
  const [screen, setScreen] = useState<OpenScreen | null>(null);
  const writable = mayChange.value;
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const opened = openScreen(current, { session: id, writable, label: name, small, onStanding: setStanding });
    setScreen(opened);
    return () => {
      opened.close();
      setScreen(null);
    };
  }, [id, launched_at, writable, small]);
  return (
    <section class={small ? "console small" : "console"} aria-label={`Terminal of ${name}`}>
      <div class="glass" ref={place} />
      {small && isTroubled(standing) && (
        <p class="console-foot" role="status">
          {(standing.ended !== null || standing.link === "cut") && <span>{linkText(standing)}</span>}
          <Trouble standing={standing} />
        </p>
      )}
      {!small && (
        <p class="console-foot" role="status">
          <span>{linkText(standing)}</span>
          {writable && !isPhone.value && standing.ended === null && <SizeTools standing={standing} screen={screen} />}
          {screen !== null && <Find screen={screen} />}
          <Trouble standing={standing} />
          <span class="soft keys-hint">
            <kbd>Ctrl</kbd>+<kbd>.</kbd> leaves the terminal
          </span>
        </p>
      )}
    </section>
  );
}

function isTroubled({ link, ended, missed, refusal }: ScreenStanding): boolean {
  return link === "cut" || ended !== null || missed || refusal !== null;
}

function Trouble({ standing: { missed, refusal } }: { readonly standing: ScreenStanding }) {
  return (
    <>
      {missed && <span class="need">What you type now is not sent.</span>}
      {refusal !== null && <span class="need">{refusal}</span>}
    </>
  );
}

function SizeTools({ standing, screen }: { readonly standing: ScreenStanding; readonly screen: OpenScreen | null }) {
  if (standing.size === "mine") {
    return (
      <button type="button" class="link" onClick={() => screen?.release()}>
        Release the size
      </button>
    );
  }
  return (
    <button type="button" class="link" onClick={() => screen?.takeSize()}>
      {standing.size === "others" ? "Take over the size" : "Fit to this window"}
    </button>
  );
}

function linkText({ link, columns, rows, size, ended }: ScreenStanding): string {
  if (ended !== null) return ended;
  if (link === "opening") return "Connecting…";
  if (link === "cut") return "Not connected: this is the last known screen.";
  const holder = { mine: "this window decides the size", others: "another viewer decides the size", unheld: "the size is unchanged" }[size];
  return `${columns}×${rows}, ${holder}`;
}
