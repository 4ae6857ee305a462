/** The object of each run with copies of the files that it wrote, in parts. Only the holder of the run stores
 * them.
 */
import type { OutputName, StoredOutput } from '../../outputs.ts';
import type { Holder } from '../../shared/shared-runs.ts';
import { outputObject, runObject } from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';

export const output: ObjectDefinition = {
  name: outputObject,
  isLazy: true, // parts are large
  exclusive: { keep, keepOnly, clear },
  shared: { list, part },
  internal: ['clear'],
};

/** The index of the copies: the value `index`. Each of their parts is a separate value. */
interface Index {
  /** The epoch of the last holder that stored something: no earlier holder changes anything after it. */
  readonly epoch: number;
  /** The number of the next copy. */
  readonly next: number;
  readonly copies: readonly Copy[];
}

interface Copy extends OutputName {
  readonly number: number;
  /** Bytes of each part, by its number. */
  readonly parts: readonly (number | null)[];
}

/** A part, in a call and in the store. */
export interface PartSent extends OutputName {
  readonly part: number;
  readonly bytes: number;
  readonly base64: string;
}

/** Stores a part. @returns false when another process took the run, or the database counts as another one */
async function keep(
  invocation: Invocation,
  { holder, part: sent }: { readonly holder: Holder; readonly part: PartSent },
): Promise<boolean> {
  const index = await indexFor(invocation, holder);
  if (index === undefined) return false;
  const { path, sha256, part: number, bytes, base64 } = sent;
  const known = index.copies.find((copy) => isOf(copy, sent));
  const copy = known ?? { path, sha256, number: index.next, parts: [] };
  const parts = Array.from({ length: Math.max(copy.parts.length, number + 1) }, (_none, at) =>
    at === number ? bytes : (copy.parts[at] ?? null),
  );
  invocation.set(partName(copy, number), base64);
  invocation.set('index', {
    epoch: holder.epoch,
    next: Math.max(index.next, copy.number + 1),
    copies: [...index.copies.filter((each) => each !== known), { ...copy, parts }],
  });
  return true;
}

/** Removes every other content of the path. @returns as `keep` */
async function keepOnly(
  invocation: Invocation,
  { holder, output: only }: { readonly holder: Holder; readonly output: OutputName },
): Promise<boolean> {
  const index = await indexFor(invocation, holder);
  if (index === undefined) return false;
  const isOther = (copy: Copy): boolean => copy.path === only.path && !isOf(copy, only);
  for (const copy of index.copies.filter(isOther)) {
    for (const part of copy.parts.keys()) invocation.clear(partName(copy, part));
  }
  const copies = index.copies.filter((copy) => !isOther(copy));
  invocation.set('index', { ...index, epoch: holder.epoch, copies });
  return true;
}

/** Deletes all copies: the run was removed. */
async function clear(invocation: Invocation): Promise<void> {
  invocation.clearAll();
}

async function list(invocation: Invocation): Promise<readonly StoredOutput[]> {
  const index = await invocation.get<Index>('index');
  return (index?.copies ?? [])
    .map(({ path, sha256, parts }) => {
      return { path, sha256, bytes: parts.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0) };
    })
    .toSorted((a, b) => (keyIn(a) < keyIn(b) ? -1 : 1));
}

/** Reads a part in base64; undefined after the last one. */
async function part(
  invocation: Invocation,
  { output: of, part: number }: { readonly output: OutputName; readonly part: number },
): Promise<string | undefined> {
  const index = await invocation.get<Index>('index');
  const copy = index?.copies.find((each) => isOf(each, of));
  return copy && invocation.get<string>(partName(copy, number));
}

/**
 * The index for the holder of the run; undefined for any other process, and for one that a later holder
 * followed.
 */
async function indexFor(invocation: Invocation, holder: Holder): Promise<Index | undefined> {
  const { key } = invocation;
  const isHeld = await invocation.call<boolean>(runObject, key, 'holds', { holder });
  const index = (await invocation.get<Index>('index')) ?? { epoch: 0, next: 0, copies: [] };
  return isHeld && index.epoch <= holder.epoch ? index : undefined;
}

function isOf(one: OutputName, { path, sha256 }: OutputName): boolean {
  return one.path === path && one.sha256 === sha256;
}

const keyIn = ({ path, sha256 }: OutputName): string => `${path}\n${sha256}`;
const partName = ({ number }: Copy, part: number): string => `part ${number} ${part}`;
