import type { Finding } from "@tmpm/api/local";
import type { Utf8Proof } from "@tmpm/tmux-driver";

/** How a tmux server displays characters that need UTF-8. */
export async function showsUtf8(prove: () => Promise<Utf8Proof>): Promise<readonly Finding[]> {
  const name = "tmux UTF-8";
  const proof = await prove();
  switch (proof.kind) {
    case "shown":
      return [{ name, status: "ok", message: "a wide and a combined character were shown in the right cells", hint: null }];
    case "wrong":
      return [
        {
          name,
          status: "fail",
          message: `tmux shows ${JSON.stringify(proof.row)} in ${proof.cells} cells`,
          hint: "Install a tmux that was built with UTF-8 (utf8proc on macOS), and a UTF-8 locale, such as C.UTF-8.",
        },
      ];
    case "unproven":
      return [{ name, status: "fail", message: `tmux could not be tested: ${proof.reason}`, hint: null }];
  }
}
