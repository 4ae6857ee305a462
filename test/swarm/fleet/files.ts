/** The calls of `node:fs/promises`, done at once: no thread decides an order, and a process may die in them. */
import fs from 'node:fs';
import { nothing } from './nothing.ts';
import type { Process } from './process.ts';
import type { System } from './system.ts';
import { systemError, answerFrom } from './proc.ts';

type Call = (...given: readonly unknown[]) => unknown;

/** Each has a twin that waits. */
const names = [
  'access',
  'appendFile',
  'chmod',
  'copyFile',
  'link',
  'lstat',
  'mkdir',
  'mkdtemp',
  'readFile',
  'readdir',
  'readlink',
  'realpath',
  'rename',
  'rm',
  'rmdir',
  'stat',
  'statfs',
  'truncate',
  'unlink',
  'writeFile',
] as const;

/** Calls that change what other processes see: each is an act, at which a process may die. */
const changes = new Set(['link', 'rename', 'rm', 'truncate', 'unlink', 'writeFile']);

/** Where processes of one disk meet: everything there is an act. */
const isShared = (path: unknown): boolean => String(path).includes('/locks/');

export function filesOf(system: System): Readonly<Record<string, unknown>> {
  const calls: Record<string, unknown> = {};
  for (const name of names) {
    const twin = Object(fs)[`${name}Sync`] as Call;
    calls[name] = async (...given: readonly unknown[]) => {
      const { acting } = system;
      const [path] = given;
      if (acting === undefined) return twin(...given);
      if (acting.isDead) return nothing();
      const isAnswered = name === 'readFile' || name === 'readlink';
      const answer = isAnswered ? answerFrom(system, String(path)) : undefined;
      if (answer !== undefined) return answer;
      if (!isShared(path) && !changes.has(name)) return twin(...given);
      return acting.act(`${name} ${nameOf(path)}`, () => twin(...given));
    };
  }
  calls['open'] = async (path: string, flags?: string | number, mode?: number) => {
    const { acting } = system;
    const opened = (): Handle => new Handle(path, fs.openSync(path, flags ?? 'r', mode), acting);
    if (acting?.isDead) return nothing();
    return acting !== undefined && isShared(path)
      ? acting.act(`open ${nameOf(path)}`, opened)
      : opened();
  };
  return calls;
}

/** The calls that do not wait: a process that is dead does none of them any longer. */
export function callsOf(system: System): Readonly<Record<string, unknown>> {
  const calls: Record<string, unknown> = {};
  for (const name of ['linkSync', 'mkdirSync', 'openSync', 'renameSync', 'rmSync', 'unlinkSync']) {
    const real = Object(fs)[name] as Call;
    calls[name] = (...given: readonly unknown[]) => {
      if (system.acting?.isDead) throw systemError('EIO', `${name} of the dead`);
      return real(...given);
    };
  }
  const { writeSync } = fs;
  calls['writeSync'] = (
    file: number,
    ...given: Parameters<typeof writeSync> extends [number, ...infer R] ? R : never
  ) => {
    if (system.ownerOf(file)?.isDead) throw systemError('EIO', 'writeSync of the dead');
    return writeSync(file, ...given);
  };
  return calls;
}

/** The last part of a path; folders are called otherwise each time a seed is played. */
function nameOf(path: unknown): string {
  return String(path).split('/').slice(-2).join('/');
}

/** An open file, as far as the program asks for one. */
class Handle {
  readonly fd: number;
  readonly #name: string;
  readonly #owner: Process | undefined;
  #durable: number;

  constructor(path: string, fd: number, owner: Process | undefined) {
    this.fd = fd;
    this.#durable = fs.fstatSync(fd).size;
    this.#name = nameOf(path);
    this.#owner = owner;
    owner?.files.add(fd);
  }

  /** On the disk; before it, what was written is lost when the power goes. */
  datasync = async (): Promise<void> => {
    const owner = this.#owner;
    if (owner === undefined) return;
    const synced = (): void => {
      this.#durable = fs.fstatSync(this.fd).size;
    };
    const lost = (): void => {
      const { size } = fs.fstatSync(this.fd);
      if (!owner.chance.happens(0.5)) return;
      fs.ftruncateSync(this.fd, owner.chance.between(Math.min(this.#durable, size), size));
    };
    await owner.act(`datasync ${this.#name}`, synced, lost);
  };
  sync = async (): Promise<void> => void (await this.#living());
  chmod = async (mode: number): Promise<void> => fs.fchmodSync(await this.#living(), mode);
  truncate = async (bytes?: number): Promise<void> => fs.ftruncateSync(await this.#living(), bytes);
  stat = async (): Promise<fs.Stats> => fs.fstatSync(await this.#living());
  writeFile = async (text: string): Promise<void> => fs.writeFileSync(await this.#living(), text);
  readFile = async (as?: 'utf8'): Promise<string | Buffer> =>
    as === undefined
      ? fs.readFileSync(await this.#living())
      : fs.readFileSync(await this.#living(), as);
  read = async (
    buffer: Buffer,
    offset?: number,
    length?: number,
    position?: number | null,
  ): Promise<{ readonly bytesRead: number; readonly buffer: Buffer }> => {
    const at = offset ?? 0;
    const size = length ?? buffer.length - at;
    const file = await this.#living();
    return { bytesRead: fs.readSync(file, buffer, at, size, position ?? null), buffer };
  };
  close = async (): Promise<void> => {
    fs.closeSync(await this.#living());
    this.#owner?.files.delete(this.fd);
  };

  /** What is dead waits permanently. */
  async #living(): Promise<number> {
    if (this.#owner?.isDead) return nothing();
    if (this.#owner?.files.has(this.fd) === false) throw systemError('EBADF', 'it is closed');
    return this.fd;
  }
}
