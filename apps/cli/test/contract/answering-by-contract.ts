import { CONTRACTS, type Contract, PATHS, type RouteName } from "@tmpm/api";
import { openApi } from "@tmpm/api/openapi";
import { type Answer, type Asked, answering } from "../fixtures/answering.js";

const ROUTES = Object.keys(PATHS) as RouteName[];
const { decision } = CONTRACTS.answer.example.answer as { readonly decision: object };

/** A daemon that responds to every request with the example of its route; sessions requested individually wait for an approval. */
export function answeringByContract(
  answer: (route: RouteName) => Answer | null = () => null,
  { changed = (body: unknown) => body }: { readonly changed?: (body: unknown) => unknown } = {},
) {
  return answering((asked) => {
    const route = routeOf(asked);
    const given = answer(route) ?? exampleAnswer(route);
    return { ...given, body: changed(given.body) };
  });
}

function exampleAnswer(route: RouteName): Answer {
  if (route === "openapi") return { body: openApi({ version: "0.0.0" }) };
  const { example, status } = CONTRACTS[route] as Contract;
  if (route === "show") return { status, body: { ...example.answer, decision } };
  return { status, body: example.answer };
}

function routeOf({ method, url }: Asked): RouteName {
  const [path = ""] = url.split("?");
  const found = ROUTES.filter((route) => PATHS[route].method === method && pattern(PATHS[route].path).test(path));
  // Paths without a session come first, such as `/v1/wait`.
  const [route] = found.sort((a, b) => PATHS[a].path.split(":").length - PATHS[b].path.split(":").length);
  if (route === undefined) throw new Error(`no route for ${method} ${path}`);
  return route;
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`);
}
