/** Seeds shared among processes: each plays a stretch, and asks for the next. */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';

export interface Stretch {
  readonly first: number;
  readonly count: number;
}

/** What a worker tells of a stretch of seeds. */
export interface SwarmReport {
  readonly played: number;
  readonly lives: number;
  /** Seeds in which something ended in doubt. */
  readonly doubts: number;
  readonly broken: readonly { readonly seed: number; readonly broken: readonly string[] }[];
  /** Each seed and the digest of what was done in it: the same seed has the same one. */
  readonly traces: readonly string[];
}

export interface Sharing extends Stretch {
  readonly workers: number;
  /** Seeds of one stretch. */
  readonly atOnce: number;
  /** It ends at the first seed that breaks a promise. */
  readonly untilFound?: boolean;
}

/** Plays seeds with a bundle of the worker. */
export async function shareSeeds(file: string, sharing: Sharing): Promise<SwarmReport> {
  const { first, count, workers, atOnce, untilFound = false } = sharing;
  const end = first + count;
  const report: SwarmReport[] = [];
  let next = first;
  const one = async (): Promise<void> => {
    const child = fork(file, { stdio: 'inherit', env: workerEnv, execArgv: roomy });
    const isFound = (): boolean => untilFound && report.some(({ broken }) => broken.length > 0);
    while (next < end && !isFound()) {
      const stretch = { first: next, count: Math.min(atOnce, end - next) };
      next += stretch.count;
      report.push(await asked(child, stretch));
    }
    child.disconnect();
  };
  await Promise.all(Array.from({ length: workers }, one));
  return {
    played: sumOf(report, ({ played }) => played),
    lives: sumOf(report, ({ lives }) => lives),
    doubts: sumOf(report, ({ doubts }) => doubts),
    broken: report.flatMap(({ broken }) => broken).toSorted((a, b) => a.seed - b.seed),
    traces: report.flatMap(({ traces }) => traces),
  };
}

/** Much is made and dropped again at once: most of it never outlives 64 MB. */
const roomy = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/** The disks of the fleet are folders: in memory where the system has room for that. */
const memory = '/dev/shm';
const workerEnv = { ...process.env, ...(existsSync(memory) && { TMPDIR: memory }) };

function sumOf(report: readonly SwarmReport[], count: (one: SwarmReport) => number): number {
  return report.reduce((sum, one) => sum + count(one), 0);
}

function asked(child: ChildProcess, stretch: Stretch): Promise<SwarmReport> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null): void => reject(new Error(`a worker ended with ${code}`));
    child.once('exit', gone);
    child.once('message', (report) => {
      child.off('exit', gone);
      resolve(report as SwarmReport);
    });
    child.send(stretch);
  });
}
