/** The temporary folder of all tests; when they have ended, nothing may be left in it. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
  const root = mkdtempSync(join(tmpdir(), 't')); // short: paths below it are in columns
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

/** Removes a folder. @throws when it was not empty */
export function emptied(root: string): void {
  const left = readdirSync(root, { recursive: true });
  rmSync(root, { recursive: true, force: true });
  if (left.length === 0) return;
  throw new Error(`tests left ${left.length} temporary files behind, such as ${left[0]}`);
}
