/** The temporary folder of all tests; when they have ended, nothing may be left in it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where each file of tests has its temporary folder. */
    readonly scratch: string;
  }
}

/** @returns what ends it: it fails the tests when one of them left something behind */
export default function setup(project: TestProject): () => void {
  for (const parent of [memory, tmpdir()]) sweep(parent);
  const root = scratchRoot();
  project.provide('scratch', root);
  return () => {
    try {
      emptied(root);
    } catch (error) {
      process.exitCode = 1; // what is thrown here is reported, and no more
      throw error;
    }
  };
}

/** In memory where there is room and programs can be started: a disk takes longer than the tests. */
function scratchRoot(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < roomNeeded) return folderIn(tmpdir());
  } catch {
    return folderIn(tmpdir()); // this system has none
  }
  const root = folderIn(memory);
  const program = join(root, 'program');
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(program);
    rmSync(program);
    return root;
  } catch {
    rmSync(root, { recursive: true });
    return folderIn(tmpdir());
  }
}

const memory = '/dev/shm';
const roomNeeded = 2 ** 30;

/** Its name is short: paths below it are in columns. */
function folderIn(parent: string): string {
  const root = mkdtempSync(join(parent, 't'));
  writeFileSync(join(root, owner), String(process.pid));
  return root;
}

/** The file of a folder with the process that removes it. */
const owner = 'owner';

/** Removes the folders of tests that were killed. */
export function sweep(parent: string): void {
  for (const name of namesIn(parent)) {
    if (!/^t\w{6}$/.test(name)) continue;
    const root = join(parent, name);
    const pid = Number(read(join(root, owner)));
    if (pid > 0 && !isRunning(pid)) rmSync(root, { recursive: true, force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // this system has none
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // the folder of something else
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Removes a folder. @throws when it was not empty */
export function emptied(root: string): void {
  rmSync(join(root, owner), { force: true });
  const left = readdirSync(root, { recursive: true });
  rmSync(root, { recursive: true, force: true });
  if (left.length === 0) return;
  throw new Error(`tests left ${left.length} temporary files behind, such as ${left[0]}`);
}
