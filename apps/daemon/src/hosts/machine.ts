import { createServer } from "node:net";
import { describeDirectory, examinePath } from "@tmpm/workspace";

const HOSTS = ["127.0.0.1", "::1", "0.0.0.0"];

/** Whether each TCP port is free now, on loopback and on all addresses. */
async function portsAreFree({ from, count }: { readonly from: number; readonly count: number }): Promise<boolean> {
  for (let port = from; port < from + count; port += 1) for (const host of HOSTS) if (!(await canListen(port, host))) return false;
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE" && error.code !== "EACCES"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The supervisor's view of this machine. */
export const MACHINE = { describeDirectory, examinePath, portsAreFree };
