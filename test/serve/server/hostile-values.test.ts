/** Hostile values in every parameter, and in every field of every body, by the table of routes. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { propertiesOf, type JsonSchema } from '../../../src/exchange/api/schema.ts';
import { standingClock } from '../../../src/base/clock.ts';
import { pause, resume } from '../../../src/app/schedule/pause.ts';
import { localPlace } from '../../../src/app/schedule/place.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import type { DeskServices } from '../../../src/serve/server/services.ts';
import { placeOf, type Route } from '../../../src/serve/server/route.ts';
import { routes, routesOf } from '../../../src/serve/server/routes/index.ts';
import { scheduleFor } from '../../app/schedule/world.ts';
import { doneRun, doubtRun } from '../../support/entries.ts';
import { hostile, hostileRun } from '../../support/hostile.ts';
import { recordRun } from '../../support/recorded.ts';
import { startOfRuns } from '../../support/tape.ts';
import { served, type Served } from './desk.ts';

let it: Served;

/** A desk with something of everything, whose commands cannot be started. */
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  mkdirSync(join(folder, 'playbooks'));
  const steps = 'steps: [{ id: t, uses: market/list-tickers, with: { category: SPOT } }]';
  writeFileSync(join(folder, 'playbooks', 'a.yaml'), `playbook: 1\nname: a\n${steps}\n`);
  writeFileSync(join(folder, 'playbooks', 'b.yaml'), hostile);
  const clock = standingClock(startOfRuns);
  const place = localPlace(join(folder, '.deskhand'));
  const world = await openSandbox({ clock });
  const services: DeskServices = {
    schedules: {
      isKept: true,
      find: async () => ({ schedules: [scheduleFor({ id: 's-1' })], left: [] }),
      place: async () => place,
      pause: (asked) => pause(asked, place, clock),
      resume: (asked) => resume(asked, place, clock),
    },
    findings: async () => [],
    sandbox: {
      exists: () => true,
      words: async () => 'the sandbox of this folder',
      control: async ({ method, path, fields }) => world.control(method, path, fields),
      reset: async () => undefined,
    },
  };
  it = await served({ folder, services, command: [join(folder, 'none')] });
  await recordRun(it.stateDir, doneRun());
  await recordRun(it.stateDir, doubtRun());
  await recordRun(it.stateDir, hostileRun(), 'r-hostile');
  await it.poll();
});
afterAll(() => it.close());

/** A record of an approval that names no account. */
const begunRecord = { version: 1, verdict: 'approve', plan: 'p-1', digest: 'd', at: 1 };

const texts = [
  '\0',
  'a\0b',
  '../../../etc/passwd',
  '..\\..\\x',
  '%2e%2e%2f%00',
  '__proto__',
  'constructor',
  '--help',
  '',
  '\ud800',
  'x'.repeat(20_000),
  '\r\nSet-Cookie: x=1',
  '1e400',
  '${x} $(id) `id`',
  JSON.stringify(begunRecord),
  hostile,
];
const others: readonly unknown[] = [null, 1, true, [], ['x'], {}, { x: 'x' }, { toString: 'x' }];

/** Values that are valid, so that one hostile value at a time reaches the handler. */
const valid: Readonly<Record<string, unknown>> = {
  run: 'r-7k2m',
  plan: 'p-00000001',
  id: 's-1',
  profile: 'sandbox',
  file: 'playbooks/a.yaml',
  verdict: 'approve',
  by: '1s',
  outcome: 'placed',
  address: 'ladder[61250]',
  reason: 'why',
  name: 's-1',
  who: 'ann@desk.example',
  alg: 'ES256',
  inputs: {},
  isQueued: false,
  assertion: { id: 'AA', authenticatorData: 'AA', clientDataJSON: 'AA', signature: 'AA' },
  record: JSON.stringify({ ...begunRecord, account: { profile: 'sandbox', target: 'sandbox' } }),
};

let presses = 0;
const validFor = (name: string): unknown =>
  name === 'press' ? `hostile-values-${++presses}` : (valid[name] ?? 'x');

interface Sent {
  readonly path: string;
  readonly body?: unknown;
  readonly what: string;
}

/** With one value that is hostile. */
function requests(name: string, route: Route): readonly Sent[] {
  const { path, names } = placeOf(name);
  const parameters = Object.keys(propertiesOf(route.parameters.json));
  const pathWith = (field: string, value: string): string => {
    const each = (parameter: string): string =>
      encoded(parameter === field ? value : String(validFor(parameter)));
    const query = parameters
      .filter((parameter) => !names.includes(parameter))
      .filter((parameter) => parameter === field || isNeeded(route.parameters.json, parameter))
      .map((parameter) => `${parameter}=${each(parameter)}`);
    const more = parameters.includes(field) ? [] : [`${encoded(field)}=${encoded(value)}`];
    const filled = path.replaceAll(/\{(\w+)\}/g, (_part, parameter: string) => each(parameter));
    return `${filled}?${[...query, ...more].join('&')}`;
  };
  const body = route.kind === 'write' ? route.body.json : undefined;
  const fields = body === undefined ? [] : Object.keys(propertiesOf(body));
  const bodyWith = (field: string, value: unknown): unknown => {
    const needed = fields.filter((each) => body !== undefined && isNeeded(body, each));
    const own = needed.map((each) => [each, validFor(each)]);
    return Object.fromEntries([...own, [field, value]]); // `__proto__` becomes a field, too
  };
  return [
    ...[...parameters, 'more', '__proto__', 'constructor'].flatMap((field) =>
      texts.map((value) => ({
        path: pathWith(field, value),
        body: bodyWith('', undefined),
        what: `?${field}=${JSON.stringify(value).slice(0, 40)}`,
      })),
    ),
    ...(body === undefined ? [] : [...fields, 'more', '__proto__', 'constructor']).flatMap(
      (field) =>
        [...texts, ...others].map((value) => ({
          path: pathWith('', ''),
          body: bodyWith(field, value),
          what: `${field}: ${JSON.stringify(value).slice(0, 40)}`,
        })),
    ),
  ];
}

function isNeeded(schema: JsonSchema, name: string): boolean {
  const { required } = schema;
  return Array.isArray(required) && required.includes(name);
}

/** Also of a text that is not Unicode, as a client may send it. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80';
}

const asked = routesOf(false, routes, 'link').filter(
  ([name, { kind }]) => kind !== 'stream' && name !== 'POST /session/end',
);

test.each(asked)('%s refuses what is hostile, and has no error of its own', async (name, route) => {
  const wrong: unknown[] = [];
  for (const { path, body, what } of requests(name, route)) {
    const response = name.startsWith('GET') ? await it.get(path) : await it.post(path, body);
    const text = await response.text();
    const errors = it.errors.splice(0).map(String);
    const isSafe =
      response.headers.get('x-content-type-options') === 'nosniff' &&
      response.headers.get('cache-control') === 'no-store' &&
      [...response.headers.keys()].every((header) => header !== 'set-cookie');
    const isAnswer = response.status < 500 && !/root:|node:|\.ts:\d/.test(text);
    if (!isSafe || !isAnswer || errors.length > 0) wrong.push([what, response.status, ...errors]);
  }
  expect(wrong).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
