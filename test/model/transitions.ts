/**
 * What may happen to one write, whoever does it. `model/never-twice.pml` has the same tables,
 * printed by `npm run print`; `checkTrace` checks traces of the code against them.
 */

/** What is recorded of a write; `X`: the exchange has executed it. */
const states = [
  'new',
  'open', // an intent without an outcome
  'openX',
  'doubt', // a run ended without knowing the outcome
  'doubtX',
  'done',
  'failed', // refused, or not sent
  'absent', // a person recorded that it does not exist
  'absentX',
  'abandoned', // a person stopped the search
  'abandonedX',
  'forgotten', // the store lost the record
  'forgottenX',
] as const;

export type WriteState = (typeof states)[number];

/** What happens to a write. An event in a state without an entry must never happen. */
export const writeTransitions = {
  /** An intent is recorded, before its request is sent. */
  intend: {
    new: 'open',
    open: 'open',
    doubt: 'open',
    failed: 'open',
    absent: 'open',
    abandoned: 'open',
  },
  /** An intent is recorded for what a lost process may have sent. */
  suspect: {
    new: 'open',
    open: 'open',
    openX: 'openX',
    doubt: 'open',
    doubtX: 'openX',
    failed: 'open',
    absent: 'open',
    absentX: 'openX',
    abandoned: 'open',
    abandonedX: 'openX',
    forgotten: 'open',
    forgottenX: 'openX',
  },
  /** The exchange executes a request. No state with `X` has this: at most one execution. */
  execute: {
    open: 'openX',
    doubt: 'doubtX',
    abandoned: 'abandonedX',
    forgotten: 'forgottenX',
  },
  /** Recorded as executed: by its response, by a lookup, by the ledger, or by a person. */
  done: {
    openX: 'done',
    doubtX: 'done',
    done: 'done',
    absentX: 'done',
    abandonedX: 'done',
    forgottenX: 'done',
  },
  /** Recorded as not executed: refused, or not sent. */
  fail: {
    new: 'failed',
    open: 'failed',
    doubt: 'failed',
    failed: 'failed',
    absent: 'failed',
    abandoned: 'failed',
  },
  /** Recorded as in doubt. */
  doubt: {
    new: 'doubt',
    open: 'doubt',
    openX: 'doubtX',
    doubt: 'doubt',
    doubtX: 'doubtX',
    failed: 'doubt', // another run is in doubt, too
    absent: 'doubt',
    absentX: 'doubtX',
    abandoned: 'doubt',
    abandonedX: 'doubtX',
  },
  /** A person records that it does not exist, and may be wrong. */
  absent: {
    open: 'absent',
    done: 'done', // another run has recorded more
    failed: 'failed',
    absent: 'absent',
    absentX: 'absentX',
    openX: 'absentX',
    doubt: 'absent',
    doubtX: 'absentX',
    abandoned: 'absent',
    abandonedX: 'absentX',
  },
  /** A person stops the search: it may or may not exist. */
  abandon: {
    open: 'abandoned',
    done: 'done',
    openX: 'abandonedX',
    doubt: 'abandoned',
    doubtX: 'abandonedX',
    failed: 'failed',
    absent: 'abandoned',
    absentX: 'abandonedX',
    abandoned: 'abandoned',
    abandonedX: 'abandonedX',
  },
  /** The store lost lines about the write. */
  forget: {
    new: 'new',
    open: 'forgotten',
    openX: 'forgottenX',
    doubt: 'forgotten',
    doubtX: 'forgottenX',
    done: 'forgottenX',
    failed: 'forgotten',
    absent: 'forgotten',
    absentX: 'forgottenX',
    abandoned: 'forgotten',
    abandonedX: 'forgottenX',
    forgotten: 'forgotten',
    forgottenX: 'forgottenX',
  },
  /** A run that has the write ends: what may have been executed is recorded as such. */
  end: {
    new: 'new',
    doubt: 'doubt',
    doubtX: 'doubtX',
    done: 'done',
    failed: 'failed',
    absent: 'absent',
    abandoned: 'abandoned',
    abandonedX: 'abandonedX',
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<WriteState, WriteState>>>>>;

/** A process that may write; `late`: it lost the account between an intent and its sending. */
const places = ['out', 'in', 'armed', 'late'] as const;

export type Place = (typeof places)[number];

const kept = { in: 'in', armed: 'in' } as const;

/** What a process may do about a write: record while it has the account, and send once per intent. */
export const actorTransitions = {
  claim: { out: 'in', late: 'in' },
  /** Another process claims the account. */
  lose: { out: 'out', in: 'out', armed: 'late', late: 'late' },
  /** It ends, or is killed. */
  exit: { out: 'out', in: 'out', armed: 'out', late: 'out' },
  intend: { in: 'armed', armed: 'armed' },
  send: { armed: 'in', late: 'out' },
  suspect: kept,
  done: kept,
  fail: kept,
  doubt: kept,
  absent: kept,
  abandon: kept,
  end: { in: 'out', armed: 'out' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Place, Place>>>>>;

export type TraceEvent = keyof typeof writeTransitions | keyof typeof actorTransitions;

/** The tables for SPIN, as printed in `model/transitions.pml`. */
export function printedTransitions(): string {
  const lines = [
    '/* Printed from test/model/transitions.ts by `npm run print`: the next state, or NEVER. */',
    `mtype:order = { NEVER, ${states.map(macroOf).join(', ')} };`,
    ...Object.entries(writeTransitions).map(([event, next]) => printed(`AFTER_${event}`, '', next)),
    `mtype:place = { ${places.map((place) => `P_${macroOf(place)}`).join(', ')} };`,
    ...Object.entries(actorTransitions).map(([event, next]) =>
      printed(`ACTOR_${event}`, 'P_', next),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function printed(macro: string, prefix: string, next: Readonly<Record<string, string>>): string {
  const from = new Map<string, string[]>();
  for (const [state, to] of Object.entries(next)) {
    const known = from.get(to) ?? [];
    known.push(`s == ${prefix}${macroOf(state)}`);
    from.set(to, known);
  }
  const text = [...from].reduceRight(
    (rest, [to, all]) => `(${all.join(' || ')} -> ${prefix}${macroOf(to)} : ${rest})`,
    'NEVER',
  );
  return `#define ${macro}(s) ${text}`;
}

/** As a name in Promela: `openX` is `OPEN_X`. */
function macroOf(name: string): string {
  return name.replace('X', '_X').toUpperCase();
}
