/** What to say of many measurements of one thing. */

/** The middle one: a slow round does not move it. */
export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

/** The span of the middle half, which tells how much the machine was disturbed. */
export function middle(figures: readonly number[]): string {
  return `${quantile(figures, 0.25).toFixed(2)} to ${quantile(figures, 0.75).toFixed(2)}`;
}

function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)] ?? NaN;
}
