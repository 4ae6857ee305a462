/** Process information of the operating system: boot, namespace, running processes. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import { isCode } from '../error.ts';
import { sha256 } from '../json.ts';
import { thisSystem, type System } from '../platform/system.ts';

export interface Kernel {
  /** Digest of the boot id; '' if there is none. */
  readonly boot: string;
  /** The pid and time namespace of this process; '' if process ids prove nothing. */
  readonly namespace: string;
  readonly pid: number;
  /** Start time of this process; '' if the system does not provide it. */
  readonly born: string;
  host(): string;
  /** Start time of a process; '' if the system does not provide it; undefined when it has ended. */
  startOf(pid: number): string | undefined;
}

/** Runs a program of the system. @returns its output; '' when it fails */
export type Ask = (program: string, args: readonly string[]) => string;

let known: Kernel | undefined;

/** The system of this process, constant during its lifetime. */
export function thisKernel(): Kernel {
  if (known?.pid !== process.pid) known = kernelOn(thisSystem, askSystem);
  return known;
}

/**
 * The facts that identify a process besides its id: the boot, and the time when it started. Linux
 * has files for both. macOS has a random id of each boot (`kern.bootsessionuuid`), and `ps` prints
 * the second of a start, which changes neither with the clock nor with the reader. Windows has no
 * program that answers both without a second of waiting, so nothing is proved there: a lock that is
 * left counts as held until a person confirms that its owner ended.
 */
export function kernelOn(platform: System, asking: Ask): Kernel {
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
    const said = asking('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']);
    const boot = digestOf(/^[0-9A-F-]{36}$/i.test(said.trim()) ? said : '');
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

/**
 * The start time of a process, in seconds, with a fixed language and time zone, so that texts are
 * comparable.
 */
function psStart(pid: number, asking: Ask): string {
  const said = asking('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]).trim();
  return /^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/.test(said) ? said : ''; // else it proves nothing
}

export function askSystem(program: string, args: readonly string[]): string {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC0' };
    return execFileSync(program, args, { encoding: 'utf8', env, stdio: 'pipe', timeout: 5_000 });
  } catch {
    return ''; // missing information proves nothing
  }
}

/** @param start called while the process exists; it may end meanwhile */
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
    return !isCode(error, 'ESRCH'); // the process may belong to another user
  }
}

/**
 * The start time of a process in ticks since the boot. A zombie has ended, unless it has other
 * running threads.
 */
function linuxStart(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const threads = Number(fields[16]);
  if ((state === 'Z' || state === 'X') && threads <= 1) return undefined;
  return fields[18] ?? '';
}

/**
 * The namespaces of process ids and start times. If /proc shows another namespace, this process has
 * two ids there, or another one.
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
