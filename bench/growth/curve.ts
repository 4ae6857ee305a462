/** Whether what something costs grows faster than its size. */

export interface Cost {
  /** Seconds of CPU, user and system, of all threads. */
  readonly cpu: number;
  /** MB of resident memory at the peak. */
  readonly peak: number;
}

export interface Point extends Cost {
  readonly size: number;
}

export interface Step {
  readonly from: number;
  readonly to: number;
  /** The exponent with which what it costs above the fixed cost grows between the sizes; 1 is linear. */
  readonly cpu: number | undefined;
  readonly peak: number | undefined;
}

export const growthMax = 1.1;

/** What is below this is noise and the steps in which memory is allotted. */
const least: Cost = { cpu: 0.1, peak: 15 };

/** @param points the first is the fixed cost; sizes grow */
export function stepsOf([fixed, ...points]: readonly Point[]): readonly Step[] {
  return points.slice(1).map((point, index): Step => {
    const before = points[index];
    const exponent = (what: keyof Cost): number | undefined => {
      const [less, more] = [before, point].map(
        (each) => (each?.[what] ?? 0) - (fixed?.[what] ?? 0),
      );
      if (before === undefined || less === undefined || more === undefined) return undefined;
      // A cost too small to be compared counts as the least that is: a jump above it is seen.
      return more < least[what]
        ? undefined
        : Math.log(more / Math.max(less, least[what])) / Math.log(point.size / before.size);
    };
    return {
      from: before?.size ?? 0,
      to: point.size,
      cpu: exponent('cpu'),
      peak: exponent('peak'),
    };
  });
}

export function isTooMuch({ cpu = 0, peak = 0 }: Step, limit: number): boolean {
  return cpu > limit || peak > limit;
}
