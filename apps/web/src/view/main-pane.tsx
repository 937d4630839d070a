import type { Route } from "../state/route.js";
import { sessions } from "../state/sessions.js";
import { Archived } from "./archived.js";
import { Grid } from "./grid.js";
import { Inbox } from "./inbox.js";
import { NewSession } from "./new-session.js";
import { SessionPage } from "./session/session-page.js";
import { Settings } from "./settings.js";
import { Usage } from "./usage.js";

export function MainPane({ route }: { readonly route: Route }) {
  switch (route.page) {
    case "session":
      return <SessionPage key={route.id} id={route.id} view={route.view} session={sessions.value.get(route.id) ?? null} />;
    case "inbox":
      return <Inbox />;
    case "new":
      return <NewSession />;
    case "grid":
      return <Grid />;
    case "archived":
      return <Archived />;
    case "usage":
      return <Usage />;
    case "settings":
      return <Settings />;
    case "list":
      return null;
  }
}
