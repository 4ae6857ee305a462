/** One object for each desk with the small files and locks of its schedulers. */
import type { Millis } from '../../../base/clock.ts';
import { filesObject } from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';

export const files: ObjectDefinition = {
  name: filesObject,
  isLazy: true,
  exclusive: { replace, create, append, remove, lock, renew, unlock },
  shared: { read, names, now },
  internal: [],
};

interface File {
  readonly text: string;
  /** Ids of the last appended lines. */
  readonly ids: readonly string[];
}

async function read(
  invocation: Invocation,
  { path }: { readonly path: string },
): Promise<string | undefined> {
  return (await invocation.get<File>(fileName(path)))?.text;
}

async function replace(
  invocation: Invocation,
  {
    path,
    text,
    before,
  }: { readonly path: string; readonly text: string; readonly before?: string },
): Promise<boolean> {
  const file = await invocation.get<File>(fileName(path));
  if (file?.text === text) return true; // repeated
  if (file?.text !== before) return false;
  invocation.set(fileName(path), { text, ids: file?.ids ?? [] });
  return true;
}

async function create(
  invocation: Invocation,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<boolean> {
  const file = await invocation.get<File>(fileName(path));
  if (file === undefined) invocation.set(fileName(path), { text, ids: [] });
  return file === undefined || file.text === text;
}

const idsMax = 100; // a line is repeated within seconds, if at all

/** Appends a line. @returns the bytes of the whole file */
async function append(
  invocation: Invocation,
  { path, line, id }: { readonly path: string; readonly line: string; readonly id: string },
): Promise<number> {
  const { text, ids } = (await invocation.get<File>(fileName(path))) ?? { text: '', ids: [] };
  const isKnown = ids.includes(id);
  const longer = isKnown ? text : `${text}${line}\n`;
  if (!isKnown) {
    invocation.set(fileName(path), { text: longer, ids: [...ids, id].slice(-idsMax) });
  }
  return Buffer.byteLength(longer);
}

async function names(
  invocation: Invocation,
  { folder }: { readonly folder: string },
): Promise<readonly string[]> {
  const inside = (await invocation.names()).filter((name) => isIn(name, folder));
  const begin = fileName(folder).length + 1;
  return [...new Set(inside.map((name) => name.slice(begin).split('/')[0] ?? ''))];
}

async function remove(
  invocation: Invocation,
  { folder }: { readonly folder: string },
): Promise<void> {
  for (const name of await invocation.names()) {
    if (isIn(name, folder)) invocation.clear(name);
  }
}

const isIn = (name: string, folder: string): boolean => name.startsWith(`${fileName(folder)}/`);

interface Lock {
  readonly holder: string;
  readonly until: Millis;
}

interface LockInput {
  readonly name: string;
  readonly holder: string;
  readonly lease: Millis;
}

async function lock(invocation: Invocation, input: LockInput): Promise<boolean> {
  const { name, holder, lease } = input;
  const held = await invocation.get<Lock>(lockName(name));
  const now = await invocation.now();
  if (held !== undefined && held.holder !== holder && held.until > now) return false;
  invocation.set(lockName(name), { holder, until: now + lease });
  return true;
}

async function renew(invocation: Invocation, input: LockInput): Promise<void> {
  const { name, holder, lease } = input;
  const held = await invocation.get<Lock>(lockName(name));
  if (held?.holder !== holder) return;
  invocation.set(lockName(name), { holder, until: (await invocation.now()) + lease });
}

async function unlock(
  invocation: Invocation,
  { name, holder }: Omit<LockInput, 'lease'>,
): Promise<void> {
  const held = await invocation.get<Lock>(lockName(name));
  if (held?.holder === holder) invocation.clear(lockName(name));
}

function now(invocation: Invocation): Promise<Millis> {
  return invocation.now();
}

const fileName = (path: string): string => `file ${path}`;
const lockName = (name: string): string => `lock ${name}`;
