import type { SendList } from "@tmpm/api";
import { useEffect, useState } from "preact/hooks";
import { tmpm } from "../../daemon/tmpm.js";
import { onEvent } from "../../state/heard.js";
import { connection } from "../../state/sessions.js";

export type KeptSend = SendList["sends"][number];

const SHOWN = 4;

/** A session's latest sends with their outcomes, reloaded on every send or turn event. */
export function useSends(session: string): { readonly sends: readonly KeptSend[]; readonly look: () => void } {
  const [sends, setSends] = useState<readonly KeptSend[]>([]);
  const [asked, setAsked] = useState(0);
  const look = () => setAsked((count) => count + 1);
  useEffect(
    () =>
      onEvent(({ type, session_id }) => {
        if (session_id === session && /^(?:session_text_sent|turn_)/.test(type)) look();
      }),
    [session],
  );
  useEffect(() => {
    const leave = new AbortController();
    tmpm.sends({ session, limit: String(SHOWN) }, { signal: leave.signal }).then(
      (list) => setSends(list.sends),
      () => undefined,
    );
    return () => leave.abort();
  }, [session, asked, connection.value]);
  return { sends, look };
}
