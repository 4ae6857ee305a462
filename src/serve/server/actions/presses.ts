/** Records presses of buttons. Each press has an id of the page and is carried out once, also if it is
 * sent twice. A file remembers the press for a server that is started again.
 */
import { lstat, readdir, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text, type Schema } from '../../../exchange/api/schema.ts';
import type { Clock, Millis } from '../../../base/clock.ts';
import { isCode } from '../../../base/error.ts';
import { realDisk } from '../../../engine/export/disk.ts';
import { makeFolder } from '../../../engine/journal/file.ts';
import { Refusal } from '../failure.ts';
import { keptBytes } from '../../../app/machine/output-file.ts';

/** The id of a press. */
export const press: Schema<string> = text({
  description: 'A new id for each press of a button; the same id does nothing again',
  pattern: '^[0-9a-z-]{16,40}$',
});

export interface Presses {
  /**
   * Carries out a press, or returns the answer of the same one.
   * @param what what the press does: another press has another id
   * @param work receives the path of the press's files, without their endings
   */
  once<A>(press: Press, work: (log: string) => Promise<A>): Promise<A>;
}

export interface Press {
  readonly id: string;
  readonly stateDir: string;
  readonly who: string;
  readonly what: string;
}

const keptMax = 200; // processes whose output is kept
const day: Millis = 86_400_000;

/** The folder with outputs of the processes that the server started. */
function jobsFolder(stateDir: string): string {
  return join(stateDir, 'serve', 'jobs');
}

/**
 * Prepares the folder for outputs of processes.
 * @returns the path of the files of a process that is about to start, without their endings
 */
export async function jobLog(stateDir: string, id: string): Promise<string> {
  const folder = jobsFolder(stateDir);
  await makeFolder(folder);
  await sweep(folder);
  return join(folder, id);
}

export function openPresses(clock: Clock): Presses {
  const known = new Map<string, { readonly of: string; readonly answer: Promise<unknown> }>();
  return {
    once: async <A>({ id, stateDir, who, what }: Press, work: (log: string) => Promise<A>) => {
      const key = `${stateDir}\n${id}`;
      const of = `${who}\n${what}`;
      const earlier = known.get(key);
      if (earlier !== undefined && earlier.of === of) return earlier.answer as Promise<A>;
      if (earlier !== undefined)
        throw new Refusal(400, 'usage', 'this press was of another button');
      const answer = (async () => {
        const log = await jobLog(stateDir, id);
        await remember(`${log}.json`, { version: 1, at: clock.now(), who, what });
        return work(log);
      })();
      known.set(key, { of, answer });
      for (const [oldest] of known) {
        if (known.size <= keptMax) break;
        known.delete(oldest);
      }
      return answer;
    },
  };
}

/** Records a press in a file. @throws Refusal when it exists: an earlier server carried it out */
async function remember(path: string, value: object): Promise<void> {
  try {
    await writeNew(
      path,
      `${JSON.stringify(value)}
`,
    );
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
    throw new Refusal(
      409,
      'pressed',
      'this was carried out before the server was started again',
      'load the page again: it shows the state of the run',
    );
  }
}

/** Writes a new file, private to its owner. @throws the error of the system if it exists */
export async function writeNew(path: string, content: string): Promise<void> {
  const file = await realDisk.create(path);
  try {
    await file.write(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Removes the oldest files; another server of the folder may do the same. A long output is cut if
 * its process has printed nothing for a day; a server that is running when the process ends does
 * this itself.
 */
async function sweep(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(?:json|out|err|inputs)$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs = 0, size = 0 } = (await lstat(path).catch(undefinedWhenMissing)) ?? {};
      return { path, mtimeMs, size };
    }),
  );
  const newestFirst = found.toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  const dayBefore = (newestFirst[0]?.mtimeMs ?? 0) - day;
  for (const [index, { path, mtimeMs, size }] of newestFirst.entries()) {
    const isOld = mtimeMs < dayBefore;
    if (index >= keptMax * 4) {
      // files of a press
      await unlink(path).catch(undefinedWhenMissing);
    } else if (isOld && size > keptBytes && /\.(?:out|err)$/.test(path)) {
      await truncate(path, keptBytes).catch(undefinedWhenMissing);
    }
  }
}

function undefinedWhenMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT')) return undefined;
  throw error;
}
