/** The curves that docs/platforms.md draws, as they were measured: kept in curves.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Point } from './curve.ts';
import type { Subject } from './subject.ts';
import { measuredNow, type MeasuredAt } from '../figures/measured-now.ts';

export interface KeptCurve extends MeasuredAt {
  readonly name: string;
  /** What grows. */
  readonly unit: string;
  readonly points: readonly Point[];
}

const file = join(import.meta.dirname, 'curves.json');

export function keptCurves(): readonly KeptCurve[] {
  return JSON.parse(readFileSync(file, 'utf8')) as readonly KeptCurve[];
}

/** Replaces the curve of a command, or adds it. */
export function keepCurve({ name, unit }: Subject, points: readonly Point[]): void {
  const kept = keptCurves();
  const curve: KeptCurve = {
    name,
    unit,
    ...measuredNow(),
    points: points.map(({ size, cpu, peak }) => ({
      size,
      cpu: Number(cpu.toFixed(3)),
      peak: Number(peak.toFixed(1)),
    })),
  };
  const others = kept.filter((each) => each.name !== name);
  const sorted = [...others, curve].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
