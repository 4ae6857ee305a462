/** Relation "answers": on an exchange that answers in the forms of real responses, a run has the same end and the same rows. */
import { isRecord } from '../../src/base/json.ts';
import { answerForms } from '../../src/sandbox/world/settings.ts';
import { jobFile } from './compose.ts';
import type { Desk, Typed } from './desk.ts';
import type { Choice } from './features.ts';
import type { Finding } from './finding.ts';
import { endOf, endWords, resumed } from './killed.ts';
import type { Theatre } from './scene.ts';
import { difference } from './worlds.ts';

export async function brokenAnswers(choice: Choice, theatre: Theatre): Promise<readonly Finding[]> {
  if (choice.world === 'rotation') return []; // about plans
  const broken = (what: string, typed: Typed): readonly Finding[] => [
    { relation: 'answers', choice, what, typed },
  ];
  const ends: Ending[] = [];
  for (const answers of answerForms) ends.push(await endingOf({ ...choice, answers }, theatre));
  const [plain, real] = ends;
  if (plain === undefined || real === undefined) throw new Error('two forms of responses');
  if (plain.end !== real.end) return broken(`plain ${plain.end}, real ${real.end}`, real.typed);
  // A repeated read takes time, and another time has other rows.
  if (plain.begunAt !== real.begunAt || plain.rows === real.rows) return [];
  return broken(`plain rows ${plain.rows}, real rows ${real.rows}`, real.typed);
}

interface Ending {
  readonly end: string;
  /** The rows of its files, by value. */
  readonly rows: string;
  readonly begunAt: string | undefined;
  readonly typed: Typed;
}

/** A write whose response nobody understands may leave a doubt, which is settled first. */
async function endingOf(choice: Choice, theatre: Theatre): Promise<Ending> {
  return theatre.play(choice, async (scene) => {
    const { desk, world, job } = scene;
    const before = world.books();
    const ran = await desk.type(['run', jobFile, ...job.flags]);
    const run = desk.runs().at(-1);
    const typed = ran.code === 6 && run !== undefined ? await resumed(run, scene) : ran;
    const end = endWords(endOf(typed, desk, difference(before, world.books())));
    return { end, rows: rowsIn(desk), begunAt: run && begunAt(desk, run), typed };
  });
}

function begunAt(desk: Desk, run: string): string | undefined {
  return /"time":(\d+)/.exec(desk.read(`.deskhand/runs/${run}/journal.ndjson`))?.[1];
}

/** A table counts what its rows lack. */
function rowsIn(desk: Desk): string {
  const files = Object.entries(desk.outputs()).filter(
    ([name]) => /\.(?:csv|ndjson)$/.test(name) && name !== 'table.csv',
  );
  return JSON.stringify(
    files.map(([name, text]) => [
      name,
      name.endsWith('csv') ? text : text.split('\n').map(valueOf),
    ]),
  );
}

/** A row by value: a field that is not set may be null, empty or absent. */
function valueOf(line: string): unknown {
  if (line === '') return line;
  const row: unknown = JSON.parse(line);
  if (!isRecord(row)) return line;
  const set = Object.entries(row).filter(([, value]) => value !== null && value !== '');
  return set.map(([field, value]) => [field, String(value)]);
}
