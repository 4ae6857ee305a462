/** A machine of the fleet: its disk and clock, and the commands of ours that are given on it. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { second, type Clock, type Millis } from '../../../src/base/clock.ts';
import { isRecord } from '../../../src/base/json.ts';
import { onTerminal, type Context, type Args, type Run } from '../../../src/cli/context.ts';
import { reportError } from '../../../src/cli/exits.ts';
import { terminalOver } from '../../../src/report/terminal/terminal.ts';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { readJournal } from '../../../src/engine/journal/journal.ts';
import type { Wire } from '../../../src/rehearsal/simulation/wire.ts';
import type { Git } from '../../../src/stores/git/command.ts';
import type { Field } from './field.ts';
import type { Place, Process } from './process.ts';
import { gitOf, type LinkFault } from './remote.ts';
import { configOf } from './stage.ts';
import type { MachineDraw, Story, Way } from './story.ts';

/** A command that came to its end. */
export interface Ended {
  readonly exit: number;
  /** What it said at last, as one object. */
  readonly result: Readonly<Record<string, unknown>> | undefined;
  readonly err: string;
}

export interface Around {
  readonly field: Field;
  /** Folder of all machines. */
  readonly root: string;
  readonly link: Story['link'];
  readonly acting: () => Process;
  /** What the clone on its disk has. */
  readonly disk: Set<string>;
}

export interface Command {
  readonly run: Run;
  /** What a person does right before. */
  readonly prepare?: () => void;
  /** Whether it prints its result as one JSON object. */
  readonly isJson: boolean;
  readonly words: readonly string[];
  readonly flags?: Readonly<Record<string, string | readonly string[] | true>>;
  readonly way: Way;
}

export class Machine implements Place {
  readonly name: string;
  readonly host: string;
  readonly folder: string;
  readonly pids: string;
  readonly network: string;
  kernel: string;
  readonly git: Git;
  readonly isLost: boolean;
  readonly #field: Field;
  readonly #wire: Wire;
  readonly #wrongBy: Millis;
  readonly #cutOff = { exchange: 0, remote: 0 };
  readonly #link: Story['link'];
  #isCalm = false;
  constructor(draw: MachineDraw, { field, root, link, acting, disk }: Around) {
    this.name = draw.name;
    this.host = draw.host;
    this.isLost = draw.isLost;
    this.folder = join(root, draw.diskOf ?? draw.name);
    this.kernel = draw.isNeighbour ? `kernel-of-${draw.diskOf}` : `kernel-of-${draw.name}`;
    this.pids = `pids-of-${draw.name}`;
    this.network = `network-of-${draw.name}`;
    this.#field = field;
    this.#wire = field.wire();
    this.#wrongBy = draw.wrongBy;
    this.#link = link;
    this.git = gitOf(field.remote, disk, {
      act: (command, work) => acting().act(`git ${command}`, work),
      fault: () => this.#linkFault(),
    });
    mkdirSync(this.folder, { recursive: true });
  }

  get stateDir(): string {
    return join(this.folder, '.deskhand');
  }

  /** The state of another machine, as it is now. */
  copy({ stateDir }: Machine): void {
    if (existsSync(stateDir)) cpSync(stateDir, this.stateDir, { recursive: true, force: true });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  trouble({ faults, rate }: Story['wire']): void {
    this.#isCalm = faults.length === 0;
    this.#wire.trouble(faults, rate);
  }

  /** The kernel that comes up is another one. */
  reboot(): void {
    this.kernel += '-again';
  }

  cutOff(from: 'exchange' | 'remote', ms: Millis): void {
    this.#cutOff[from] = this.#field.clock.monotonic() + ms;
  }

  /** From now on nothing fails here. */
  calm(): void {
    this.trouble({ faults: [], rate: 0 });
    this.#cutOff.exchange = 0;
    this.#cutOff.remote = 0;
  }

  /** A person who knows that nothing runs here any longer does what a refusal told them. */
  removeLocks(): void {
    const locks = join(this.stateDir, 'locks');
    for (const name of namesIn(locks)) rmSync(join(locks, name), { recursive: true });
  }

  /** Gives a command to a process. */
  async give(command: Command, process: Process): Promise<Ended | 'died'> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const context = this.#context(command, process, { stdout, stderr });
    const exit = await process.live(async () => {
      command.prepare?.();
      return command
        .run(context, givenOf(command.words, command.flags))
        .catch((error: unknown) => reportError(error, context));
    });
    if (exit === 'died') return 'died';
    const out = textOf(stdout);
    return { exit, result: resultIn(out), err: textOf(stderr) };
  }

  /** The runs that lie on the disk here, with their entries; undefined for a damaged journal. */
  runs(): ReadonlyMap<string, readonly Entry[] | undefined> {
    return new Map(
      namesIn(join(this.stateDir, 'runs')).map((run) => [run, entriesIn(this.stateDir, run)]),
    );
  }

  #context(
    { isJson, way }: Command,
    process: Process,
    streams: { readonly stdout: PassThrough; readonly stderr: PassThrough },
  ): Context {
    const { clock } = this.#field;
    const began = clock.monotonic();
    const own: Clock = {
      now: () => clock.now() + this.#wrongBy,
      monotonic: () => clock.monotonic() - began,
      sleep: (ms, signal) => process.sleep(ms, signal),
    };
    const terminal = terminalOver({
      stdin: () => new PassThrough(),
      ...streams,
      env: {
        ...this.#field.keys[way.key],
        XDG_CONFIG_HOME: '/nowhere',
        GIT_AUTHOR_NAME: this.name,
        GIT_AUTHOR_EMAIL: 'fleet@localhost',
      },
      wantsColour: false,
      wantsInput: false,
    });
    const parts = {
      globals: {
        config: configOf(way),
        ...(isJson && { output: 'json' }),
        isQuiet: true,
        isVerbose: false,
        logLevel: 'error',
      } as const,
      clock: own,
      secrets: [],
      reach: async () => ({ transport: this.#transport(process), close: async () => undefined }),
    };
    return onTerminal(parts, terminal);
  }

  #transport(process: Process): Transport {
    return async (request, signal) => {
      const carried = process.act(`${request.operation} ${request.query}${request.body}`, () =>
        this.#carry(process, request, signal),
      );
      return Promise.race([carried, timeUp(signal)]);
    };
  }

  async #carry(...[{ run }, request, signal]: [Process, ...Parameters<Transport>]) {
    const { clock, chance } = this.#field;
    await this.#field.deliver();
    return this.#field.noted(run, [request, signal], async () => {
      if (this.#cutOff.exchange <= clock.monotonic()) return this.#wire.transport(request, signal);
      clock.advance(chance.between(1, 10) * second);
      throw new TransportError('no route to host', chance.pick(['no', 'maybe'] as const));
    });
  }

  #linkFault(): LinkFault | undefined {
    const { clock, chance } = this.#field;
    if (this.#cutOff.remote > clock.monotonic()) return 'unreachable';
    if (this.#isCalm || this.#link.faults.length === 0) return undefined;
    return chance.happens(this.#link.rate) ? chance.pick(this.#link.faults) : undefined;
  }
}

/** Words as a person types them, for a command. */
export function givenOf(words: readonly string[], flags: Command['flags'] = {}): Args {
  const textsOf = (flag: string): readonly string[] => {
    const value = flags[flag];
    return value === undefined || value === true ? [] : [value].flat();
  };
  return {
    positionals: words,
    text: (flag) => textsOf(flag)[0],
    texts: textsOf,
    isOn: (flag) => flags[flag] === true,
  };
}

/** Whoever asked waits no longer; what is on its way may arrive all the same. */
function timeUp(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void =>
      reject(new TransportError('no response in time', 'maybe', signal.reason));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function textOf(stream: PassThrough): string {
  const bytes: Buffer | null = stream.read();
  return bytes?.toString('utf8') ?? '';
}

function resultIn(out: string): Ended['result'] {
  const last = out.trim().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) return undefined;
  const value: unknown = JSON.parse(last);
  return isRecord(value) ? value : undefined;
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

function entriesIn(stateDir: string, run: string): readonly Entry[] | undefined {
  const path = join(stateDir, 'runs', run, 'journal.ndjson');
  try {
    return existsSync(path) ? readJournal(readFileSync(path, 'utf8'), path).entries : [];
  } catch {
    return undefined;
  }
}
