import { render } from "preact";
import { startFeed } from "./daemon/start-feed.js";
import { startOthers } from "./daemon/start-others.js";
import { startClock } from "./state/clock.js";
import { keepDroppedFiles } from "./state/dropped-files.js";
import { startWorker } from "./state/install.js";
import { startKeys } from "./state/keys.js";
import { startPresence } from "./state/presence.js";
import { startRouting } from "./state/route.js";
import "./style/base.css";
import "./style/frame.css";
import "./style/list.css";
import "./style/session.css";
import "./style/page.css";
import { App } from "./view/app.js";

const place = document.getElementById("page");
if (place !== null) {
  startRouting();
  startClock();
  startFeed();
  startOthers();
  startKeys();
  startPresence();
  keepDroppedFiles();
  void startWorker();
  render(<App />, place);
}
