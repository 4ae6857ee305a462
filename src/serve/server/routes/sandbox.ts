/** The sandbox of a desk: its world, and advance, fault, reset through its control interface. */
import { choice, list, optional, record, text, truth } from '../../../exchange/api/schema.ts';
import { lengthIn } from '../../../base/clock.ts';
import { isRecord } from '../../../base/json.ts';
import { plainText } from '../../../base/text.ts';
import type { ServerContext } from '../route-context.ts';
import type { Desk } from '../desk.ts';
import { Refusal } from '../failure.ts';
import { exactRecord, numberParameter, parameter, reads, writes } from '../route.ts';
import { moment, table, type Table } from '../shapes.ts';
import type { DeskServices } from '../services.ts';
import { placeNamed } from './schedules.ts';

const world = record({
  desk: text(),
  place: text({ description: 'Which sandbox: `the sandbox of this folder`, or its address' }),
  now: moment('The clock of the world'),
  mode: text(),
  prices: table,
  faults: table,
  positions: table,
  ledger: table,
});

type World = NonNullable<(typeof world)['infer']>;

export const sandbox = reads({
  title: 'Show the world of the sandbox: clock, prices, faults, positions, ledger',
  role: 'viewer',
  parameters: exactRecord({ page: optional(numberParameter('The page of the ledger')) }),
  answer: record({ worlds: list(world) }),
  handle: async ({ parameters }, { desks }) => {
    const page = Number(parameters.page ?? 1);
    const worlds: World[] = [];
    for (const desk of desks) {
      const { services } = desk;
      if (services?.sandbox.exists() === true) worlds.push(await worldOf(desk, services, page));
    }
    return { worlds };
  },
});

const where = exactRecord({ desk: optional(parameter('The desk, if several are served', 80)) });
const done = record({ text: text() });

export const advanceSandbox = writes({
  title: 'Advance the clock of the sandbox; due events happen',
  role: 'operator',
  parameters: where,
  body: exactRecord({ by: text({ description: '90s, 15m, 1h, 2d', maxLength: 10 }) }),
  answer: done,
  audited: ({ body }) => `sandbox advance ${body.by}`,
  handle: async ({ parameters, body }, server) => {
    const { services, desk } = placeNamed(server, parameters.desk);
    const ms = lengthIn(body.by);
    if (ms === undefined) {
      throw new Refusal(400, 'usage', `${body.by} is not a duration`, 'write 90s, 15m, 1h or 2d');
    }
    await services.sandbox.control({ method: 'POST', path: 'clock/advance', fields: { ms } });
    const words = await services.sandbox.words();
    return changed(`advanced ${words} by ${body.by}`, desk, server);
  },
});

const kinds = ['reset', 'empty', 'never', 'truncated', 'html-502', 'wrong-content-type'] as const;

export const faultSandbox = writes({
  title: 'Replace the faults of the sandbox: one rule, or none',
  role: 'operator',
  parameters: where,
  body: exactRecord({
    fault: optional(
      exactRecord({
        kind: choice(kinds),
        when: choice(['before', 'after-commit']),
        operation: optional(text({ maxLength: 60 })),
      }),
    ),
  }),
  answer: done,
  audited: ({ body: { fault } }) => `sandbox fault ${fault?.kind ?? 'none'}`,
  handle: async ({ parameters, body: { fault } }, server) => {
    const { services, desk } = placeNamed(server, parameters.desk);
    const rules = fault === undefined ? [] : [ruleOf(fault)];
    await services.sandbox.control({ method: 'PUT', path: 'faults', fields: { rules } });
    const what = fault === undefined ? 'no faults' : 'applies once';
    return changed(`${await services.sandbox.words()}: ${what}`, desk, server);
  },
});

export const resetSandbox = writes({
  title: 'Start a new world; runs and plans are kept',
  role: 'operator',
  parameters: where,
  body: exactRecord({ isMeant: truth }),
  answer: done,
  audited: () => 'sandbox reset',
  handle: async ({ parameters, body }, server) => {
    const { services, desk } = placeNamed(server, parameters.desk);
    if (!body.isMeant) throw new Refusal(400, 'usage', 'the reset was not confirmed');
    const moved = await services.sandbox.reset();
    const kept =
      moved === undefined ? '' : `; the earlier files are kept: ${plainText(moved, 300)}`;
    return changed(`${await services.sandbox.words()} has a new world${kept}`, desk, server);
  },
});

interface Fault {
  readonly kind: (typeof kinds)[number];
  readonly when: 'before' | 'after-commit';
  readonly operation?: string | undefined;
}

function ruleOf({ kind, when, operation }: Fault): object {
  const match = operation === undefined || operation === '' ? {} : { match: { operation } };
  return { ...match, when, times: 1, action: { kind } };
}

function changed(words: string, { name }: Desk, { notices }: ServerContext): { text: string } {
  notices.publish({ kind: 'sandbox', desk: name });
  return { text: words };
}

const accountsMax = 20; // whose positions are shown
const ledgerMax = 10; // balances of a page: four tables share it

const positionFields = [
  'uid',
  'category',
  'symbol',
  'holdSide',
  'size',
  'entryPrice',
  'markPrice',
  'leverage',
  'margin',
  'unrealised',
];

async function worldOf(
  { name }: Desk,
  { sandbox: own }: Pick<DeskServices, 'sandbox'>,
  wanted: number,
): Promise<World> {
  const get = async (path: string, fields: object = {}): Promise<unknown> =>
    own.control({ method: 'GET', path, fields });
  const clock = await get('clock');
  const accounts = rowsIn(await get('accounts')).slice(0, accountsMax);
  const positions: Row[] = [];
  for (const { uid } of accounts) {
    for (const row of rowsIn(await get('positions', { uid }))) positions.push({ uid, ...row });
  }
  const ledger = rowsIn(await get('ledger'));
  return {
    desk: name,
    place: plainText(await own.words(), 100),
    now: isRecord(clock) ? Number(clock['now']) : 0,
    mode: isRecord(clock) ? plainText(String(clock['mode']), 20) : '',
    prices: tableOf(rowsIn(await get('market')), ['category', 'symbol', 'price', 'mark']),
    faults: tableOf(rowsIn(await get('faults'))),
    positions: tableOf(positions, positionFields),
    ledger: ledgerTable(ledger, wanted),
  };
}

type Row = Readonly<Record<string, unknown>>;

function rowsIn(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

const columnsMax = 12;

/** One page of the ledger. */
function ledgerTable(ledger: readonly Row[], wanted: number): Table {
  const pages = Math.max(1, Math.ceil(ledger.length / ledgerMax));
  const page = Math.min(Math.max(1, wanted), pages);
  const before = (page - 1) * ledgerMax;
  const shown = ledger.slice(before, before + ledgerMax);
  const left = ledger.length - before - shown.length;
  return { ...tableOf(shown), left, ...(pages > 1 && { paging: { page, pages, before } }) };
}

/** A table of rows. @param names of columns; default: the fields of the rows, in their order */
function tableOf(rows: readonly Row[], names?: readonly string[]): Table {
  const found = names ?? [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, columnsMax);
  return {
    columns: found.map((name) => ({ name })),
    rows: rows.map((row) => found.map((name) => textOf(row[name]))),
    left: 0,
    rest: '',
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return plainText(value, 100);
  const json = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? each.toString() : each,
  );
  return plainText(json, 200).replaceAll(/^"|"$/g, '');
}
