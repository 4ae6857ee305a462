/** The temporary folder of all tests; when they have ended, nothing may be left in it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where each file of tests has its temporary folder. */
    readonly scratch: string;
  }
}

/** @returns what ends it: it fails the tests when one of them left something behind */
export default function setup(project: TestProject): () => void {
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
const folderIn = (parent: string): string => mkdtempSync(join(parent, 't'));

/** Removes a folder. @throws when it was not empty */
export function emptied(root: string): void {
  const left = readdirSync(root, { recursive: true });
  rmSync(root, { recursive: true, force: true });
  if (left.length === 0) return;
  throw new Error(`tests left ${left.length} temporary files behind, such as ${left[0]}`);
}
