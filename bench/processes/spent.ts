/** What a program needs, as a whole process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

export interface Spent {
  /** Seconds of CPU on all threads, and MB of memory at the most. */
  readonly cpu: number;
  readonly peak: number;
}

const meter = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => { const { userCPUTime: u, systemCPUTime: s, maxRSS } = process.resourceUsage(); process.send?.({ cpu: (u + s) / 1e6, peak: maxRSS / 1024 }); });",
)}`;

/** Runs a program of Node to its end. @throws Error when it ends with another code than 0, or the given one */
export async function spentBy(
  program: string,
  words: readonly string[],
  {
    code: wanted = 0,
    ...where
  }: {
    readonly cwd?: string;
    readonly env?: NodeJS.ProcessEnv;
    readonly code?: number;
  } = {},
): Promise<Spent> {
  const child = spawn(process.execPath, ['--import', meter, program, ...words], {
    ...where,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [[spent], [code]] = (await Promise.all([once(child, 'message'), once(child, 'exit')])) as [
    [Spent],
    [number],
  ];
  if (code !== wanted) throw new Error(`${program} ended with ${code}`);
  return spent;
}
