import { render } from "preact";
import { startFeed } from "./daemon/start-feed.js";
import { startClock } from "./state/clock.js";
import { startRouting } from "./state/route.js";
import "./style/base.css";
import "./style/frame.css";
import "./style/list.css";
import "./style/session.css";
import { App } from "./view/app.js";

const place = document.getElementById("page");
if (place !== null) {
  startRouting();
  startClock();
  startFeed();
  render(<App />, place);
}
