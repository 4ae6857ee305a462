/** Shared files in memory, over a clock of their own; they can be unreachable, slow and lose answers. */
import type { Clock, Millis } from '../../../src/base/clock.ts';
import { StoreError } from '../../../src/stores/store.ts';
import type { SharedFiles } from '../../../src/stores/shared/shared-files.ts';
import type { Fault } from './simulated.ts';

/** As of the simulated database. */
export type FileFault = Extract<Fault, 'unreachable' | 'answer-lost' | 'slow'>;

/** Planted defects: a test must notice each. */
export type FileDefect = 'create-overwrites' | 'no-comparison';

interface State {
  readonly texts: Map<string, string>;
  /** Paths with ids of appended lines. */
  readonly ids: Set<string>;
  readonly locks: Map<string, { readonly holder: string; until: Millis }>;
}

export class SimulatedFiles {
  readonly #clock: Clock;
  readonly #defect: FileDefect | undefined;
  readonly #state: State = { texts: new Map(), ids: new Set(), locks: new Map() };
  readonly #slow: (() => void)[] = [];

  constructor(clock: Clock, defect?: FileDefect) {
    this.#clock = clock;
    this.#defect = defect;
  }

  /** Carries out what is slow. */
  deliver(): void {
    for (const work of this.#slow.splice(0)) work();
  }

  /** One process. @param fault asked before each question; it may throw, too */
  connect(
    fault: (method: keyof SharedFiles) => Promise<FileFault | undefined> = async () => undefined,
  ): SharedFiles {
    const asking =
      <A extends unknown[], R>(method: keyof SharedFiles, work: (...args: A) => R) =>
      async (...args: A): Promise<R> => {
        const kind = await fault(method);
        if (kind === 'slow') await new Promise<void>((resolve) => this.#slow.push(resolve));
        if (kind !== 'unreachable') {
          const answer = work(...args);
          if (kind !== 'answer-lost') return answer;
        }
        throw new StoreError('the database gave no answer', 'try again');
      };
    const { texts } = this.#state;
    return {
      read: asking('read', (path: string) => texts.get(path)),
      replace: asking('replace', (path: string, text: string, before: string | undefined) =>
        this.#replace(path, text, before),
      ),
      create: asking('create', (path: string, text: string) => this.#create(path, text)),
      append: asking('append', (path: string, line: string, id: string) => {
        const { ids } = this.#state;
        const known = `${path} ${id}`;
        if (!ids.has(known)) texts.set(path, `${texts.get(path) ?? ''}${line}\n`);
        ids.add(known);
        return Buffer.byteLength(texts.get(path) ?? '');
      }),
      names: asking('names', (folder: string) => [
        ...new Set(this.#within(folder).map((path) => path.split('/')[0] ?? '')),
      ]),
      remove: asking('remove', (folder: string) => {
        for (const path of this.#within(folder)) texts.delete(`${folder}/${path}`);
      }),
      lock: asking('lock', (name: string, holder: string, lease: Millis) => {
        const { locks } = this.#state;
        const known = locks.get(name);
        if (known && known.holder !== holder && known.until >= this.#now()) return false;
        locks.set(name, { holder, until: this.#now() + lease });
        return true;
      }),
      renew: asking('renew', (name: string, holder: string, lease: Millis) => {
        const known = this.#state.locks.get(name);
        if (known?.holder === holder) known.until = this.#now() + lease;
      }),
      unlock: asking('unlock', (name: string, holder: string) => {
        const { locks } = this.#state;
        if (locks.get(name)?.holder === holder) locks.delete(name);
      }),
      now: asking('now', () => this.#now()),
      close: async () => undefined,
    };
  }

  #now(): Millis {
    return this.#clock.now();
  }

  /** Paths in a folder, without it. */
  #within(folder: string): readonly string[] {
    return [...this.#state.texts.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1))
      .toSorted();
  }

  #replace(path: string, text: string, before: string | undefined): boolean {
    const { texts } = this.#state;
    const present = texts.get(path);
    if (this.#defect !== 'no-comparison' && present !== before && present !== text) return false;
    texts.set(path, text);
    return true;
  }

  #create(path: string, text: string): boolean {
    const { texts } = this.#state;
    const present = texts.get(path) ?? text;
    if (this.#defect !== 'create-overwrites' && present !== text) return false;
    texts.set(path, text);
    return true;
  }
}
