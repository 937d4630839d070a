import type { Server } from "node:http";
import { TmpmError } from "@tmpm/core";
import { type OpenServer, openServer } from "./open-server.js";
import { authorityOf, type TcpAddress } from "./tcp-address.js";

/** Listens on a literal address, never on a name. Returns the address with the assigned port. @throws LISTEN_FAILED */
export async function listenTcp(server: Server, address: TcpAddress): Promise<OpenServer & { readonly address: TcpAddress }> {
  const { host, port } = address;
  const open = openServer(server);
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (error: NodeJS.ErrnoException) => reject(failed(error, address)));
    server.listen({ host, port, exclusive: true });
  });
  const bound = server.address();
  return { ...open, address: { ...address, port: typeof bound === "object" && bound !== null ? bound.port : port } };
}

function failed(error: NodeJS.ErrnoException, address: TcpAddress): TmpmError {
  const inUse = error.code === "EADDRINUSE" ? "Another program listens there; choose another port." : null;
  return new TmpmError("LISTEN_FAILED", `cannot listen on ${authorityOf(address)} (${error.code ?? error.message})`, {
    hint: inUse ?? "Choose an address of this machine and a port above 1023.",
    cause: error,
  });
}
