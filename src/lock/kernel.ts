/** What the operating system tells of processes: which boot, which namespace, which ones run. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import { isCode } from '../base/error.ts';
import { sha256 } from '../base/json.ts';

export interface Kernel {
  /** Digest of what names this boot; '' where nothing does. */
  readonly boot: string;
  /** Names the pid and time namespace of this process; '' where process numbers prove nothing. */
  readonly namespace: string;
  readonly pid: number;
  /** Start time of this process; '' where the system does not tell. */
  readonly born: string;
  host(): string;
  /** Start time of a process; '' where the system does not tell; undefined when it has ended. */
  startOf(pid: number): string | undefined;
}

/** Runs a program of the system. @returns what it prints; '' when it fails */
export type Ask = (program: string, args: readonly string[]) => string;

let known: Kernel | undefined;

/** The system this process runs on. Nothing in it changes while the process lives. */
export function thisKernel(): Kernel {
  if (known?.pid !== process.pid) known = kernelOn(process.platform, askSystem);
  return known;
}

/**
 * Linux has files for all of it. macOS names its boots by sysctl and its processes by ps. On any
 * other system nothing is reported, and so nothing is ever proved.
 */
export function kernelOn(platform: NodeJS.Platform, asking: Ask): Kernel {
  const { pid } = process;
  const common = { pid, host: hostname };
  if (platform === 'linux') {
    const startOf = (other: number): string | undefined => startIfThere(other, linuxStart);
    const boot = digestOf(textOf('/proc/sys/kernel/random/boot_id'));
    return { ...common, boot, namespace: linuxNamespace(), born: startOf(pid) ?? '', startOf };
  }
  if (platform === 'darwin') {
    const startOf = (other: number): string | undefined =>
      startIfThere(other, () => psStart(other, asking));
    const boot = digestOf(asking('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']));
    return { ...common, boot, namespace: 'darwin', born: startOf(pid) ?? '', startOf };
  }
  return {
    ...common,
    boot: '',
    namespace: '',
    born: '',
    startOf: (other) => startIfThere(other, () => ''),
  };
}

/** When a process started, to the second: in one language and one zone, or two texts would differ. */
function psStart(pid: number, asking: Ask): string {
  return asking('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]).trim();
}

export function askSystem(program: string, args: readonly string[]): string {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC0' };
    return execFileSync(program, args, { encoding: 'utf8', env, stdio: 'pipe', timeout: 5_000 });
  } catch {
    return ''; // what no one tells proves nothing
  }
}

/** @param start asked while the process is there; it may end meanwhile */
function startIfThere(pid: number, start: (pid: number) => string | undefined): string | undefined {
  if (!exists(pid)) return undefined;
  const started = start(pid);
  return started === '' && !exists(pid) ? undefined : started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isCode(error, 'ESRCH'); // it may be another user's
  }
}

/**
 * The tick at which a process started, since the boot. A zombie has ended: whoever started it did
 * not ask for its end yet. One that has other threads left has not.
 */
function linuxStart(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const threads = Number(fields[16]);
  if ((state === 'Z' || state === 'X') && threads <= 1) return undefined;
  return fields[18] ?? '';
}

/**
 * Where the numbers of processes hold, and where start times are counted. /proc may show those of
 * another namespace: then this process has two numbers there, or another one.
 */
function linuxNamespace(): string {
  const seen = linkOf('/proc/self');
  const numbers = /^NSpid:(.*)$/m.exec(textOf('/proc/self/status'))?.[1]?.trim().split(/\s+/) ?? [];
  if (seen !== String(process.pid) || numbers.length > 1) return '';
  const pids = linkOf('/proc/self/ns/pid');
  return pids === '' ? '' : `${pids} ${linkOf('/proc/self/ns/time')}`.trim();
}

function digestOf(text: string): string {
  const named = text.trim();
  return named === '' ? '' : sha256(named).slice(0, 16);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
