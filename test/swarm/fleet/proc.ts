/** What the kernel tells under /proc: of processes, boots and namespaces. */
import fs from 'node:fs';
import type { System } from './system.ts';

/** An error as the system gives it. */
export function systemError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: ${call}`), { code, syscall: call });
}

/** What the kernel tells under /proc. */
export function answerFrom(system: System, path: string): string | undefined {
  const { acting } = system;
  if (!path.startsWith('/proc/') || acting === undefined) return undefined;
  if (path === '/proc/sys/kernel/random/boot_id') return `${acting.machine.kernel}\n`;
  const [, who = '', what] = /^\/proc\/(self|\d+)(?:\/(.+))?$/.exec(path) ?? [];
  const found = who === 'self' ? acting : system.numbered(Number(who));
  if (found === undefined) throw systemError('ENOENT', `open ${path}`);
  switch (what) {
    case undefined:
      return String(found.pid);
    case 'status':
      return `Name:\tnode\nNSpid:\t${found.pid}\n`;
    case 'stat':
      return `${found.pid} (node) S ${Array.from({ length: 18 }, () => '0').join(' ')} ${found.born} 0\n`;
    case 'ns/pid':
      return `pid:[${found.machine.pids}]`;
    case 'ns/time':
      return 'time:[1]';
    case 'ns/net':
      return `net:[${found.machine.network}]`;
    default:
      throw systemError('ENOENT', `open ${path}`);
  }
}

/** Calls that wait: only what is reported under /proc is answered by us. */
export function procOf(system: System): Readonly<Record<string, unknown>> {
  const { readFileSync, readlinkSync } = fs;
  return {
    readFileSync: (path: string | number, ...rest: readonly []) =>
      (typeof path === 'string' ? answerFrom(system, path) : undefined) ??
      readFileSync(path, ...rest),
    readlinkSync: (path: string) => answerFrom(system, path) ?? readlinkSync(path),
  };
}
