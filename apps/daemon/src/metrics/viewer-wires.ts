import type { WebSocket } from "ws";
import { HIGH_WATER, type Wire } from "../streams/viewer.js";
import { webSocketWire } from "../streams/web-socket-wire.js";

/** Viewers' connections, with their bytes counted. */
export interface ViewerWires {
  wire(web: WebSocket): Wire;
  /** `stalled`: viewers that do not read; `unsent`: their pending bytes. */
  counts(): { readonly stalled: number; readonly unsent: number };
}

export function viewerWires(viewed: (bytes: number) => void): ViewerWires {
  const open = new Set<WebSocket>();
  return {
    wire(web) {
      open.add(web);
      web.once("close", () => open.delete(web));
      const bare = webSocketWire(web);
      return {
        ...bare,
        send(data, sent) {
          viewed(typeof data === "string" ? Buffer.byteLength(data) : data.byteLength);
          bare.send(data, sent);
        },
      };
    },
    counts() {
      const unsent = [...open].map(({ bufferedAmount }) => bufferedAmount);
      return { stalled: unsent.filter((bytes) => bytes >= HIGH_WATER).length, unsent: unsent.reduce((sum, bytes) => sum + bytes, 0) };
    },
  };
}
