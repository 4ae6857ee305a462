/** The address of a run's page on the server of a team. */

/** @param pages the address of `serve`, such as https://desk.example.com/ */
export function runAddress(pages: string, run: string): string {
  return new URL(`/runs/${encodeURIComponent(run)}`, pages).href;
}
