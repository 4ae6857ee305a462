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

/** Runs a program of Node to its end. @throws Error when it fails */
export async function spentBy(
  program: string,
  words: readonly string[],
  where: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Spent> {
  const child = spawn(process.execPath, ['--import', meter, program, ...words], {
    ...where,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [[spent], [code]] = (await Promise.all([once(child, 'message'), once(child, 'exit')])) as [
    [Spent],
    [number],
  ];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return spent;
}
