/** Ends a started program with its child processes: a process group, or on Windows a tree. */
import { spawn, type ChildProcess } from 'node:child_process';
import { win32 } from 'node:path';
import process from 'node:process';
import { thisSystem, type System } from './system.ts';

export interface Ending {
  readonly system?: System;
  readonly kill?: (pid: number, signal: NodeJS.Signals) => unknown;
  /** Starts a program of Windows and ignores its outcome. */
  readonly start?: (program: string, args: readonly string[]) => void;
}

/** A program that was started with `detached`; without a `pid` it was not. */
export type StartedProgram = Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>;

/**
 * Ends a program and its child processes at once. Processes that left its group, or whose parent has
 * ended on Windows, continue. The id of a program that has ended may be that of another one: only its
 * group is signaled, whose id the system keeps while it has a process.
 */
export function endProcesses(program: StartedProgram | undefined, options: Ending = {}): void {
  if (program?.pid === undefined) return;
  const { pid, exitCode, signalCode } = program;
  const { system = thisSystem, kill = sendSignal, start = startIgnored } = options;
  if (system === 'win32') {
    // The children are found through the program, so they are ended while it exists.
    const hasEnded = exitCode !== null || signalCode !== null;
    if (!hasEnded) start(taskkill(), ['/pid', String(pid), '/T', '/F']);
    return;
  }
  try {
    kill(-pid, 'SIGKILL');
  } catch {
    // all processes of the group have exited
  }
}

/** The whole path of taskkill: a folder of the PATH could have another program of that name. */
function taskkill(): string {
  return win32.join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  process.kill(pid, signal);
}

function startIgnored(program: string, args: readonly string[]): void {
  const child = spawn(program, args, { stdio: 'ignore', windowsHide: true });
  child.on('error', () => undefined);
  child.unref();
}
