/** What is under way in one step, as the few lines a live window has room for. */
import { count, plainText, spoken } from '../../base/text.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Look } from './look.ts';

/** A step that is open: its items and what each of them waits for. */
export interface OpenStep {
  readonly id: string;
  readonly uses: string;
  /** 1 for a step without items. */
  readonly total: number;
  readonly isForEach: boolean;
  settled: number;
  /** Failed, refused or doubtful items with the reason. */
  readonly failed: Map<string, string>;
  /** Items under way, with the wait they are in or ''. */
  readonly running: Map<string, string>;
}

export function openStep(entry: Extract<Entry, { kind: 'opened' }>, uses: string): OpenStep {
  const { step: id, items } = entry;
  return {
    id,
    uses,
    total: items?.length ?? 1,
    isForEach: items !== undefined,
    settled: 0,
    failed: new Map(),
    running: new Map(),
  };
}

/** Takes an entry of the step in. */
export function follow(step: OpenStep, entry: Entry): void {
  switch (entry.kind) {
    case 'intended':
    case 'answered':
      step.running.set(entry.address, '');
      return;
    case 'waited':
      step.running.set(entry.address, waitText(entry));
      return;
    case 'settled': {
      step.running.delete(entry.address);
      step.settled++;
      const { outcome } = entry;
      if (outcome.kind === 'refused' || outcome.kind === 'failed') {
        step.failed.set(entry.address, `${outcome.code} ${outcome.message}`);
      } else if (outcome.kind === 'doubt') step.failed.set(entry.address, outcome.because);
      return;
    }
    default:
  }
}

/** The first line: the step and how far it is. */
export function titleOf(step: OpenStep, look: Look): string {
  const head = `${look.paint('strong', step.id)}  ${step.uses}`;
  return step.isForEach ? `${head}  ${step.settled} of ${step.total}` : head;
}

/** At most `room` lines: failed items first, then running ones, then how many there are besides. */
export function rowsOf(step: OpenStep, look: Look, room: number): string[] {
  const { paint, glyphs } = look;
  const failed = [...step.failed].map(
    ([address, why]) => `${paint('bad', glyphs.failed)} ${keyOf(address)}  ${plainText(why)}`,
  );
  const running = [...step.running].map(([address, wait]) => {
    const note = wait === '' ? '' : `  ${paint('warn', wait)}`;
    return step.isForEach ? `${paint('warn', glyphs.dot)} ${keyOf(address)}${note}` : note.trim();
  });
  const rows = [...failed, ...running].filter((row) => row !== '');
  if (rows.length <= room) return rows;
  const done = step.settled - step.failed.size;
  const waiting = step.total - step.settled - step.running.size;
  const besides = rows.length - room + 1;
  const rest = `${glyphs.dots} ${count(besides, 'more row')}, ${done} done, ${waiting} waiting`;
  return [...rows.slice(0, room - 1), paint('faint', rest)];
}

function keyOf(address: string): string {
  return plainText(address.slice(address.indexOf('[') + 1).replace(/\]$/, ''), 60);
}

function waitText({ why, ms, operation, because }: Extract<Entry, { kind: 'waited' }>): string {
  const time = spoken(ms);
  switch (why) {
    case 'limit':
      return `wait  the limit of ${operation} is used up, next slot in ${time}`;
    case 'retry':
      return `retry in ${time}  ${plainText(because ?? '')}`.trimEnd();
    case 'poll':
      return `asks again in ${time}`;
    case 'look-up':
      return `looks it up again in ${time}  ${plainText(because ?? '')}`.trimEnd();
  }
}
