/** CPU of processes that are not ours, as the system counts it: in hundredths of a second. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresServer } from '../../test/postgres/server.ts';

/** Seconds of CPU of a server: of its processes, and of those that have ended. */
export function cpuOf({ folder: data }: Pick<PostgresServer, 'folder'>): number {
  const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  const seconds = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name): number => {
      try {
        const { parent, own, ended } = timesOf(name);
        if (name === pid) return own + ended;
        return parent === Number(pid) ? own : 0;
      } catch {
        return 0; // it has ended
      }
    });
  return seconds.reduce((sum, each) => sum + each, 0);
}

/** Seconds of CPU of one process. @throws Error when it has ended */
export function cpuOfProcess(pid: number | undefined): number {
  return timesOf(String(pid)).own;
}

/** Resident memory of a process at its peak, in MB. */
export function peakOfProcess(pid: number | undefined): number {
  const [, kilobytes] =
    /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function timesOf(pid: string): {
  readonly parent: number;
  readonly own: number;
  readonly ended: number;
} {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const { 1: parent, 11: user, 12: system, 13: theirUser, 14: theirs } = fields.map(Number);
  const seconds = (a = 0, b = 0): number => (a + b) / 100;
  return { parent: parent ?? 0, own: seconds(user, system), ended: seconds(theirUser, theirs) };
}
