import { type Client, client, type Transport, webTransport } from "@tmpm/api/client";
import { noteDaemonTime } from "../state/clock.js";
import { noteLoggedOut } from "../state/me.js";
import { noteVersion } from "../state/version.js";
import { BASE } from "./base.js";

const web = webTransport({ url: BASE });

/** The same, with detection of another version, another clock and an ended login. */
const noticing: Transport = {
  async request(request) {
    const response = await web.request(request);
    noteVersion(response.headers["tmpm-version"]);
    noteDaemonTime(response.headers.date);
    if (response.status === 401) noteLoggedOut();
    return response;
  },
};

/** The daemon that served this page. */
export const tmpm: Client = client({ transport: noticing });

/** The connection to its terminals. */
export const streams = web;
