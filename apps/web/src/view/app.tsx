import { useEffect } from "preact/hooks";
import { isPhone, listBeside } from "../state/layout.js";
import { login } from "../state/me.js";
import { openDialog } from "../state/palette.js";
import { route } from "../state/route.js";
import { needing } from "../state/sessions.js";
import { Banners } from "./banners.js";
import { Header } from "./header.js";
import { KeysHelp } from "./keys-help.js";
import { LoggedOut } from "./logged-out.js";
import { MainPane } from "./main-pane.js";
import { Notices } from "./notices.js";
import { Palette } from "./palette.js";
import { SessionList } from "./session-list.js";
import { Tabs } from "./tabs.js";

export function App() {
  const { page } = route.value;
  const waiting = needing.value.length;
  useEffect(() => {
    document.title = waiting === 0 ? "tmpm" : `(${waiting}) tmpm`;
  }, [waiting]);
  if (login.value.kind === "logged_out") return <LoggedOut />;
  const listShown = !isPhone.value && page === "session" && listBeside.value === "shown";
  return (
    <div class="app" data-page={page} data-list={listBeside.value}>
      <Header />
      <Banners />
      <div class="body">
        {page === "list" && (
          <main class="only-list">
            <SessionList />
          </main>
        )}
        {listShown && <SessionList />}
        {page !== "list" && <MainPane route={route.value} />}
      </div>
      {isPhone.value && <Tabs />}
      <Notices />
      {openDialog.value === "palette" && <Palette />}
      {openDialog.value === "help" && <KeysHelp />}
    </div>
  );
}
