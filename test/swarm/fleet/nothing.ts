/** What the dead wait for: it never comes to an end, and is forgotten with whoever waits for it. */
export function nothing(): Promise<never> {
  return new Promise(() => undefined);
}
