/** A place and the world outside it, and what must be true of both. */
import { expect } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import type { Body, TaskEnd } from '../../../src/engine/interpreter/durable.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import type { TestJobs, TestLife, TestLifeOptions, TestPlace } from './backend.ts';
import { Outside } from './outside.ts';

export const done = (output: Json): TaskEnd => ({ kind: 'done', output, evidence: 'answered' });

export const outputs = (ends: readonly TaskEnd[]): Json[] =>
  ends.map((end) => (end.kind === 'done' ? end.output : end.kind));

export interface Stage<P extends TestPlace> {
  readonly outside: Outside;
  readonly place: P;
  readonly live: (options?: Partial<TestLifeOptions>) => Promise<TestLife>;
  /** Whether every reported entry is stored, and each life reported its entries in order. */
  readonly isStored: () => Promise<void>;
}

export async function stageOf<P extends TestPlace>(
  open: () => P | Promise<P>,
  body: Body<TestJobs> = async () => done(null),
): Promise<Stage<P>> {
  const outside = new Outside();
  const place = await open();
  const reported: Entry[][] = [];
  return {
    outside,
    place,
    live: (options = {}) => {
      const entries: Entry[] = [];
      reported.push(entries);
      return place.begin({
        clock: outside.clock,
        effects: outside.effects,
        body,
        drain: new AbortController().signal,
        onEntry: (entry) => entries.push(entry),
        ...options,
      });
    },
    isStored: async () => {
      const stored = await place.stored();
      expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 1));
      for (const entries of reported) {
        const seqs = entries.map(({ seq }) => seq);
        expect(seqs, 'in order').toEqual(seqs.toSorted((a, b) => a - b));
        expect(entries).toEqual(seqs.map((seq) => stored[seq - 1]));
      }
    },
  };
}
