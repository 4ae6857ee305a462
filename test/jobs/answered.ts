/** Relation "answers": on an exchange that answers in the forms of real responses, a run has the same end and the same rows. */
import type { Millis } from '../../src/base/clock.ts';
import { isRecord } from '../../src/base/json.ts';
import { answerForms } from '../../src/sandbox/world/world-settings.ts';
import { parseCsv } from '../support/csv.ts';
import { jobFile } from './compose.ts';
import type { Desk, Typed } from './desk.ts';
import type { Choice } from './features.ts';
import type { Finding } from './finding.ts';
import { endOf, endWords, settled, type End } from './killed.ts';
import { isWithin, withRescue } from './resumed.ts';
import type { Theatre } from './scene.ts';

export async function brokenAnswers(choice: Choice, theatre: Theatre): Promise<readonly Finding[]> {
  if (choice.world === 'rotation') return []; // about plans
  const broken = (what: string, typed: Typed): readonly Finding[] => [
    { relation: 'answers', choice, what, typed },
  ];
  const ends: Ending[] = [];
  for (const answers of answerForms) ends.push(await endingOf({ ...choice, answers }, theatre));
  const [plain, real] = ends;
  if (plain === undefined || real === undefined) throw new Error('two forms of responses');
  // A doubt that no list settles, such as of a sub-account, ended the run: the rest is of a new run.
  if (real.isOver && isWithin(real.end.sent, withRescue(plain.end.sent, choice))) return [];
  const [was, is] = [endWords(plain.end), endWords(real.end)];
  if (was !== is) return broken(`plain ${was}, real ${is}`, real.typed);
  // A repeated request and the look-up of a write take time, and another time has other rows.
  if (`${plain.times}` !== `${real.times}` || isSameRows(plain, real)) return [];
  const rows = [plain, real].map((one) => JSON.stringify(one.rows));
  return broken(`plain rows, then real rows: ${rows.join('\n')}`, real.typed);
}

interface Ending {
  readonly end: End;
  /** Whether a doubt ended the run. */
  readonly isOver: boolean;
  /** The rows of its files, by value. */
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  /** When its plan was made, and when it ended, by clocks that stand while nobody waits. */
  readonly times: readonly [begun: number, ended: number];
  readonly typed: Typed;
}

async function endingOf(choice: Choice, theatre: Theatre): Promise<Ending> {
  return theatre.play(choice, async (scene) => {
    const { desk, world, job } = scene;
    const before = world.books();
    const ran = await desk.type(['run', jobFile, ...job.flags]);
    const run = desk.runs().at(-1);
    const typed = await settled(ran, scene);
    const end = endOf(typed, scene, before);
    const isOver = 'isOver' in typed && typed.isOver === true;
    return { end, isOver, rows: rowsIn(desk), times: timesIn(desk, run), typed };
  });
}

function timesIn(desk: Desk, run: string | undefined): Ending['times'] {
  const journal = run === undefined ? '' : desk.read(`.deskhand/runs/${run}/journal.ndjson`);
  const [begun] = [...journal.matchAll(/"time":(\d+)/g)].map(([, at]) => Number(at));
  const ended = [...journal.matchAll(/"at":(\d+)/g)].map(([, at]) => Number(at)).at(-1);
  return [begun ?? NaN, ended ?? NaN];
}

/** The rows of each file, by name. A table counts what its rows lack. */
function rowsIn(desk: Desk): Readonly<Record<string, readonly Row[]>> {
  const files = Object.entries(desk.outputs()).filter(
    ([name]) => /\.(?:csv|ndjson)$/.test(name) && name !== 'table.csv',
  );
  return Object.fromEntries(
    files.map(([name, text]) => [name, name.endsWith('csv') ? csvRows(text) : jsonRows(text)]),
  );
}

type Row = Readonly<Record<string, string>>;

/** Its fields as text, as far as they are set: one that is not set may be null, empty or absent. */
function rowOf(fields: readonly (readonly [string, unknown])[]): Row {
  const set = fields.filter(([, value]) => value !== null && value !== '');
  return Object.fromEntries(set.map(([field, value]) => [field, String(value)]));
}

function csvRows(text: string): readonly Row[] {
  const [header = [], ...rows] = parseCsv(text);
  return rows.map((values) => rowOf(values.map((value, at) => [header[at] ?? String(at), value])));
}

function jsonRows(text: string): readonly Row[] {
  const rows = text.split('\n').filter((line) => line !== '');
  return rows.map((line) => {
    const row: unknown = JSON.parse(line);
    return rowOf(isRecord(row) ? Object.entries(row) : [['value', line]]);
  });
}

const emptiedMax = 1; // field of a row that a real response may leave empty, although it is known

/** Whether real responses gave the same rows: but for an emptied field and fields that are not declared. */
function isSameRows(plain: Ending, real: Ending): boolean {
  const [begunAt] = plain.times;
  return (
    Object.keys(plain.rows).join() === Object.keys(real.rows).join() &&
    Object.entries(plain.rows).every(([name, rows]) => {
      const others = real.rows[name] ?? [];
      return (
        rows.length === others.length &&
        rows.every((row, at) => isSame(row, others[at] ?? {}, begunAt))
      );
    })
  );
}

/** @param real clientOids follow from the name of the run, so each has its own */
function isSame(
  plain: Row,
  { extField: _extField, clientOid: _clientOid, ...real }: Row,
  begunAt: Millis,
): boolean {
  const emptied = Object.keys(plain).filter(
    (field) => !Object.hasOwn(real, field) && field !== 'clientOid',
  );
  // A repeated attempt takes time, so what the run wrote may be of another moment.
  const isSince = (value = ''): boolean => /^\d{13}$/.test(value) && Number(value) >= begunAt;
  return (
    emptied.length <= emptiedMax &&
    Object.entries(real).every(
      ([field, value]) => plain[field] === value || (isSince(plain[field]) && isSince(value)),
    )
  );
}
