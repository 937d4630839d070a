interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The worker's address in the form that Trusted Types require. */
function workerUrl(): string {
  const url = new URL("sw.js", document.baseURI).href;
  const policies: Policies | undefined = (globalThis as { trustedTypes?: Policies }).trustedTypes;
  return policies === undefined ? url : policies.createPolicy("tmpm", { createScriptURL: (text) => text }).createScriptURL(url);
}

/** Makes the page installable, and lets a notification open a session. The page also works without a worker, as on an insecure address. */
export async function startWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const open = typeof data === "object" && data !== null && "open" in data ? data.open : null;
    location.hash = typeof open === "string" ? `#/s/${encodeURIComponent(open)}` : "#/inbox";
  });
  await navigator.serviceWorker.register(workerUrl(), { scope: new URL(".", document.baseURI).pathname }).catch(() => undefined);
}
