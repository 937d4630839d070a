// A fastify server that responds to every GET and POST with the same JSON, as a baseline for the daemon. `/object` serialises the object for each request.
import fastify from "fastify";

const [, , socket, port] = process.argv;
let body = "{}";
let object = {};
for (const listening of [{ path: socket }, { host: "127.0.0.1", port: Number(port) }]) {
  const app = fastify({ bodyLimit: 64 * 1024 * 1024 });
  app.post("/body", async (request) => {
    object = request.body;
    body = JSON.stringify(object);
    return {};
  });
  app.all("/", async (_request, reply) => reply.type("application/json; charset=utf-8").send(body));
  app.all("/object", async () => object);
  await app.listen(listening);
  const address = app.server.address();
  if (typeof address === "object") process.send(address.port);
}
