/** Checks that stored records are what this version or an earlier one wrote: people may edit their file. */
import { exits } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { ScheduleRecord } from './decisions.ts';

type Check = (value: unknown) => boolean;

const latest = Date.UTC(9999, 11, 31); // names of later times have another format

/** A time that can be shown. */
export function isMoment(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= latest;
}

const isText: Check = (value) => typeof value === 'string';
const isWhole: Check = (value) => Number.isSafeInteger(value);
const oneOf =
  (...texts: readonly string[]): Check =>
  (value) =>
    texts.some((text) => text === value);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const isExit: Check = (value) => Object.values(exits).some((exit) => exit === value);

const person = { name: isText, who: isText, why: isText };

/** The fields of each kind. */
const events = {
  taken: { occurrence: isMoment },
  ended: {
    occurrence: isMoment,
    status: oneOf('done', 'stopped', 'doubt', 'interrupted', 'unfinished', 'not-begun'),
    exit: isExit,
    run: orAbsent(isText),
    message: orAbsent(isText),
    hint: orAbsent(isText),
    awaits: orAbsent(oneOf('approval')),
    cause: orAbsent(oneOf('crash')),
  },
  gone: { occurrence: isMoment, message: isText },
  left: {
    why: oneOf('missed', 'covered', 'overlap', 'too-old', 'paused'),
    from: isMoment,
    to: isMoment,
    count: (value) => isWhole(value) && Number(value) >= 0,
  },
  forgotten: {},
  paused: person,
  resumed: person,
  clock: { ms: isWhole },
  unheard: { message: isText },
} satisfies Record<ScheduleRecord['kind'], Readonly<Record<string, Check>>>;

const ofAll = {
  at: isMoment,
  host: orAbsent(isText),
  schedule: orAbsent(isText),
  playbook: orAbsent(isText),
  profile: orAbsent(isText),
};

export function isScheduleRecord(value: unknown): value is ScheduleRecord {
  if (!isRecord(value) || value['version'] !== 1) return false;
  const own = Object.entries(events).find(([kind]) => kind === value['kind'])?.[1];
  if (own === undefined) return false;
  return Object.entries({ ...ofAll, ...own }).every(([name, check]) => check(value[name]));
}
