/** Paths given by flags, looked at before anything is done: a run should not end on one of them. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../base/error.ts';
import type { Given } from '../context.ts';
import { longFlag, type Flag } from '../verbs/verb.ts';
import { missingFile } from './files.ts';

/** @throws UsageError for the first that cannot be what its flag needs */
export async function checkPaths(flags: readonly Flag[], given: Given): Promise<void> {
  for (const { flags: spelling, path: need } of flags) {
    const flag = longFlag(spelling);
    const path = given.text(flag.slice(2));
    if (need === undefined || path === undefined) continue;
    const kind = await kindOf(path);
    if (need === 'read' && kind === 'nothing') throw await missingFile(path);
    if (need === 'folder' ? kind === 'file' : kind === 'folder') throw wrongKind(flag, path, kind);
    if (need !== 'read') await checkPlace(path, kind === 'nothing' ? dirname(path) : path);
  }
}

type Kind = 'file' | 'folder' | 'nothing';

async function kindOf(path: string): Promise<Kind> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing'; // or nothing we may look at; writing there is tried next
  }
}

function wrongKind(flag: string, path: string, kind: Kind): UsageError {
  const hint = kind === 'folder' ? 'name a file in it' : 'name a folder; it is made when missing';
  return new UsageError(`${flag}: ${path} is a ${kind}`, hint);
}

/** What is there, or the nearest folder above it, must be open to us. */
async function checkPlace(path: string, place: string): Promise<void> {
  const kind = await kindOf(place);
  if (kind === 'nothing' && dirname(resolve(place)) !== resolve(place)) {
    return checkPlace(path, dirname(place));
  }
  if (kind === 'file' && place !== path) {
    throw new UsageError(`${path} cannot be written: ${place} is a file`, 'name another folder');
  }
  try {
    await access(place, constants.W_OK);
  } catch {
    throw new UsageError(`${path} cannot be written`, `check who may write in ${place}`);
  }
}
