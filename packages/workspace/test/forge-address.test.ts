import { expect, test } from "vitest";
import { forgeAddress } from "../src/pull-request/forge-address.js";

test.each(["ssh://git@ssh.github.com:443/demo/proj.git", "git@ssh.github.com:demo/proj.git", "git@github.com:demo/proj.git"])(
  "%s is a repository of github.com",
  (url) => {
    expect(forgeAddress(url)).toEqual({ host: "github.com", owner: "demo", repository: "proj" });
  },
);
