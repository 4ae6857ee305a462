/** What a server sees of a rate: the most moments in any window of one second. */
export function busiest(moments: readonly number[]): number {
  return Math.max(
    ...moments.map((at) => moments.filter((other) => other >= at && other < at + 1_000).length),
  );
}
