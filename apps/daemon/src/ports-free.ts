import { createServer } from "node:net";

const HOSTS = ["127.0.0.1", "::1", "0.0.0.0"];

/** Whether each of the TCP ports could be listened on now, on this machine alone and on all its addresses. */
export async function portsAreFree({ from, count }: { readonly from: number; readonly count: number }): Promise<boolean> {
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
