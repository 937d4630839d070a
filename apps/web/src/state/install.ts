interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The worker's address as a browser with Trusted Types wants it. */
function workerUrl(): string {
  const url = new URL("sw.js", document.baseURI).href;
  const policies: Policies | undefined = (globalThis as { trustedTypes?: Policies }).trustedTypes;
  return policies === undefined ? url : policies.createPolicy("tmpm", { createScriptURL: (text) => text }).createScriptURL(url);
}

/** Makes the page installable, and lets a notification bring it to a session. Without a worker, as where the address is not secure, it works all the same. */
export async function startWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const open = typeof data === "object" && data !== null && "open" in data ? data.open : null;
    location.hash = typeof open === "string" ? `#/s/${encodeURIComponent(open)}` : "#/inbox";
  });
  await navigator.serviceWorker.register(workerUrl(), { scope: new URL(".", document.baseURI).pathname }).catch(() => undefined);
}
