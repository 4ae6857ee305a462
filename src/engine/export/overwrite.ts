/** Whether an existing file may be replaced by an export: checked before and after the rows are read. */
import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import type { Claim } from './claim.ts';
import { ExportError } from './error.ts';
import { manifestEnding, type Written } from './manifest.ts';
import type { Target } from './target.ts';
import { digestAt, readClaim, verifyFile, type Verification } from './verify.ts';

/** `own`: an earlier export proved by its manifest; `all`: every file. */
export type Overwrite = 'none' | 'own' | 'all';

/** The target of an export, as it was found. */
export interface TargetPlace {
  /** Rows of the earlier export that will be replaced; absent when there is none. */
  readonly replaces?: number;
  /** @throws ExportError when another file has been created since */
  refuseOther(made: Pick<Written, 'sha256'>): Promise<void>;
}

/**
 * Checks the target before the first row is read.
 * @param isResumed an earlier process of the run may have written its file already: that is
 * reported only when the file is written again
 * @throws ExportError when the existing file must be kept
 */
export async function placeFor(
  target: Target,
  overwrite: Overwrite,
  isResumed = false,
): Promise<TargetPlace> {
  const before = seenAt(target);
  const replaces = isResumed
    ? (await provenClaim(target)).claim?.rows
    : await checkedTarget(target, overwrite);
  return {
    ...(replaces !== undefined && { replaces }),
    refuseOther: async ({ sha256 }) => {
      if (!isResumed && seenAt(target) === before) return;
      if ((await digestAt(pathOf(target))) !== sha256) await checkedTarget(target, overwrite);
    },
  };
}

async function checkedTarget(target: Target, overwrite: Overwrite): Promise<number | undefined> {
  const { file } = target;
  const { claim, because } = await provenClaim(target);
  if (overwrite === 'all') return claim?.rows;
  if (because === undefined && claim === undefined) {
    await refuseForeignManifest(target);
    return undefined;
  }
  if (claim !== undefined && overwrite === 'own') return claim.rows;
  throw standing(file, because ?? 'an earlier export exists');
}

interface Proven {
  /** The manifest's claim, if the file is our export. */
  readonly claim?: Claim;
  /** Why the file is not our export; absent if the file is missing. */
  readonly because?: string;
}

/**
 * The claim that is proved about an existing file: by the manifest next to it, or, after a crash between the
 * two, by the previous or the next manifest.
 */
export async function provenClaim(target: Pick<Target, 'folder' | 'name'>): Promise<Proven> {
  const found = await verifyFile(pathOf(target));
  switch (found.kind) {
    case 'whole':
      return { claim: found.claim };
    case 'missing':
      return {};
    case 'changed':
      return { because: found.because };
    case 'unproved':
      return (await byHidden(target)) ?? { because: found.because };
  }
}

async function byHidden(target: Pick<Target, 'folder' | 'name'>): Promise<Proven | undefined> {
  const { folder, name } = target;
  const prefix = `.${name}${manifestEnding}.`;
  if (isThere(`${pathOf(target)}${manifestEnding}`)) return undefined; // that manifest decides
  const hidden = (await readdir(folder)).filter(
    (other) =>
      other.startsWith(prefix) && /^[0-9a-z]{10}\.(?:part|old)$/.test(other.slice(prefix.length)),
  );
  for (const manifest of hidden) {
    const found: Verification = await verifyFile(pathOf(target), join(folder, manifest));
    if (found.kind === 'whole') return { claim: found.claim };
  }
  return undefined;
}

/**
 * Refuses a file of another program that has the manifest's name; a manifest without its file is
 * replaced.
 */
async function refuseForeignManifest(target: Target): Promise<void> {
  const path = `${pathOf(target)}${manifestEnding}`;
  if (!isThere(path)) return;
  const claim = await readClaim(path);
  const isOurs = typeof claim !== 'string' && isOf(claim, target.name);
  if (!isOurs)
    throw standing(`${target.file}${manifestEnding}`, 'it is not a manifest of that file');
}

function isOf({ whole }: Claim, name: string): boolean {
  return isRecord(whole) && whole['file'] === name;
}

function pathOf({ folder, name }: Pick<Target, 'folder' | 'name'>): string {
  return join(folder, name);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The facts that distinguish both files from replaced or changed ones. */
function seenAt(target: Target): string {
  return [pathOf(target), `${pathOf(target)}${manifestEnding}`]
    .map((path) => {
      const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      return found && [found.dev, found.ino, found.size, found.mtimeNs].join(' ');
    })
    .join();
}

function standing(file: string, because: string): ExportError {
  return new ExportError('file-in-the-way', `${file} already exists: ${because}`, {
    hint: 'move it, or set `overwrite: true` (--overwrite on the command line)',
  });
}
