/** Time ranges with known bounds, possibly relative to the start of the run: in order, and available. */
import { day, hour, type Millis } from '../../base/clock.ts';
import { fieldsOf } from '../../exchange/api/check.ts';
import { InputError } from '../../exchange/api/exchange.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { isWalked } from '../../exchange/api/reading.ts';
import { windowsOf } from '../../exchange/api/windows.ts';
import { EvaluationError, Moment } from '../expression/value.ts';
import { momentOf } from '../expression/helpers/define.ts';
import type { Step, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { fieldMoment } from '../written-time.ts';
import { constantIn } from './constant.ts';
import type { StepRanges } from './step-ranges.ts';

/**
 * Start times at several hours of several days, among them the first of a month after short ones, of a
 * quarter and of a year: a problem at all of them is certain.
 */
const beginnings: readonly Millis[] = [
  Date.UTC(2030, 0, 1),
  Date.UTC(2030, 2, 1),
  Date.UTC(2030, 3, 1),
  Date.UTC(2030, 5, 15),
  Date.UTC(2030, 9, 31),
].flatMap((date) => [0, 5, 10, 15, 20].map((h) => date + h * hour));

/** After 400 years, which are whole weeks, each date has its weekday again. */
const sameCalendar = 146_097 * day;

export function checkTimes(
  step: Step,
  operation: OperationName,
  given: readonly string[],
  ranges: StepRanges,
  problems: Problems,
): void {
  if (!fieldsOf(operation).includes('startTime')) return;
  const present = ['startTime', 'endTime'].filter((field) => given.includes(field));
  const [named] = present;
  if (named === undefined) return;
  const at = ranges.field(named) ?? ranges.uses;
  const { window } = operationOf(operation);
  const isOnePage = !isWalked(operation, Object.fromEntries(given.map((name) => [name, ''])));
  if (present.length === 1 && window?.oneSided === 'refused' && isOnePage) {
    if (window.omitted === 'refused') return; // reported as a missing field
    problems.add('PB203', at, 'startTime and endTime must be given together');
    return;
  }
  const fault = certainFault((now) => faultAt(now, step, operation));
  if (fault === undefined) return;
  const code = fault.kind === 'order' ? 'PB205' : 'PB206';
  problems.add(code, at, fault.message, {
    level: fault.kind === 'clamp' ? 'warning' : 'error',
    ...(fault.kind === 'clamp' && { hint: 'older data is omitted, and the run reports it' }),
  });
}

/**
 * The fault that a range has at all start times. Most ranges have none at the first one, and are evaluated at
 * no other.
 */
export function certainFault(at: (now: Millis) => Fault | undefined): Fault | undefined {
  const [first = 0, ...others] = beginnings;
  const fault = at(first);
  if (fault === undefined) return undefined;
  return others.every((now) => at(now)?.kind === fault.kind) ? fault : undefined;
}

interface Fault {
  readonly kind: 'order' | 'reach' | 'clamp';
  readonly message: string;
}

function faultAt(now: Millis, { with: fields }: Step, operation: OperationName): Fault | undefined {
  const bounds = { startTime: fields.get('startTime'), endTime: fields.get('endTime') };
  const start = bounds.startTime && knownAt(bounds.startTime, now, 'startTime');
  const end = bounds.endTime && knownAt(bounds.endTime, now, 'endTime');
  if ((bounds.startTime && !start) || (bounds.endTime && !end)) return undefined;
  if (start && end && start.ms > end.ms) {
    return { kind: 'order', message: 'startTime is after endTime' };
  }
  const isRelative = [start, end].every((bound) => bound?.isRelative !== false);
  if (!isRelative && !(start && end && !start.isRelative && !end.isRelative)) return undefined;
  try {
    const input = { ...(start && asText('startTime', start)), ...(end && asText('endTime', end)) };
    // Without a known start of the run, fixed bounds are checked as if it started with them.
    const { range } = windowsOf(operation, input, isRelative ? now : (start?.ms ?? now));
    if (!isRelative || range === undefined) return undefined;
    if (range.available.start - range.asked.start < 2 * day) return undefined;
    const kept = Math.round((operationOf(operation).window?.lookBack ?? 0) / day);
    return { kind: 'clamp', message: `only the last ${kept} days are kept` };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { kind: 'reach', message: error.problems[0]?.message ?? error.message };
  }
}

interface KnownMoment {
  readonly ms: Millis;
  /** Whether the moment depends on the time of the run. */
  readonly isRelative: boolean;
}

function knownAt(template: Template, now: Millis, field: string): KnownMoment | undefined {
  const later = now + sameCalendar;
  const [ms, msLater] = [momentAt(template, now, field), momentAt(template, later, field)];
  if (ms === undefined || msLater === undefined) return undefined;
  if (ms === msLater) return { ms, isRelative: false };
  // Clock changes of a zone may differ then.
  const isRelative = Math.abs(msLater - ms - sameCalendar) <= day;
  return isRelative ? { ms, isRelative } : undefined;
}

function momentAt(template: Template, now: Millis, field: string): Millis | undefined {
  const value = constantIn(template, {
    run: { time: new Moment(now), 'scheduled-for': new Moment(now) },
  });
  try {
    if (typeof value === 'string') return fieldMoment(field, value);
    return value === undefined ? undefined : momentOf(value);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

function asText(field: string, { ms }: KnownMoment): Readonly<Record<string, string>> {
  return { [field]: String(ms) };
}
