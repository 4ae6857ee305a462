/** The curves that docs/platforms.md draws, as they were measured: kept in curves.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Point } from './curve.ts';
import type { Subject } from './subject.ts';

export interface KeptCurve {
  readonly name: string;
  /** What grows. */
  readonly unit: string;
  readonly date: string;
  readonly conditions: string;
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
    date: new Date().toISOString().slice(0, 10),
    conditions: `load ${loadavg()[0]?.toFixed(1)}`,
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
