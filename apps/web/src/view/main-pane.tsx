import type { Route } from "../state/route.js";
import { sessions } from "../state/sessions.js";
import { SessionPage } from "./session/session-page.js";

export function MainPane({ route }: { readonly route: Route }) {
  switch (route.page) {
    case "session":
      return <SessionPage key={route.id} id={route.id} view={route.view} session={sessions.value.get(route.id) ?? null} />;
    default:
      return null;
  }
}
