import type { WebSocket } from "ws";
import type { Wire } from "./viewer.js";

export function webSocketWire(web: WebSocket): Wire {
  return {
    unsent: () => web.bufferedAmount,
    send(data, sent) {
      if (web.readyState !== web.OPEN) return;
      web.send(data, (error) => {
        // A broken connection is closed, which is reported elsewhere.
        if (error === undefined || error === null) sent();
      });
    },
    close: (code, reason) => web.close(code, reason),
    cut: () => web.terminate(),
  };
}
