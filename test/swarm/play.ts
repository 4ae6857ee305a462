/** One seed from its first life to its last: processes die, disks and wires fail, then all is calm. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { day, hour, type Millis } from '../../src/base/clock.ts';
import { DeskhandError } from '../../src/base/error.ts';
import { sha256 } from '../../src/base/json.ts';
import { createClient } from '../../src/exchange/client/client.ts';
import { serves } from '../../src/exchange/api/family.ts';
import { placesOrders } from '../../src/exchange/api/meant-order.ts';
import type { Transport, WireResponse } from '../../src/exchange/api/exchange.ts';
import { openJournal } from '../../src/engine/journal/journal.ts';
import { Moment } from '../../src/language/expression/value.ts';
import { resolveInputs } from '../../src/language/inputs.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import type { Playbook } from '../../src/language/playbook.ts';
import { run } from '../../src/engine/runtime/run.ts';
import type { RunResult } from '../../src/engine/interpreter/interpret.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { chanceOf, type Chance } from '../../src/rehearsal/simulation/chance.ts';
import { machineClock, worldClock, type WorldClock } from './clocks.ts';
import { SimulatedDisk } from './disk.ts';
import { isAccepted } from '../model/entries.ts';
import { checkTrace } from '../model/trace.ts';
import { Tracer } from '../model/tracer.ts';
import { judge, type Evidence } from './judge.ts';
import { storyOf, type Story } from './story.ts';
import {
  crashSimulator,
  type CrashSimulator,
} from '../../src/rehearsal/simulation/crash-simulator.ts';
import { faultyWire, type Wire } from '../../src/rehearsal/simulation/wire.ts';
import { documentRenderer } from '../../src/report/renderer.ts';

const start = Date.UTC(2026, 10, 20, 4, 0, 0);
const actsMax = 20_000; // of one process: one that does more continues permanently
const calmLives = 3; // when all is calm, so many lives must be enough
const troubleMax: Millis = 10 * hour;

/** A world that is put back to its birth for every seed. */
export interface Stage {
  readonly clock: WorldClock;
  readonly sandbox: Sandbox;
  readonly workspace: string;
  /** A playbook by its text. */
  playbookOf(text: string): Playbook;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const clock = worldClock(start);
  const sandbox = await openSandbox({ clock, limits: false });
  sandbox.control('POST', 'snapshots', { name: 'birth' });
  const workspace = mkdtempSync(join(tmpdir(), 'swarm-'));
  return {
    clock,
    sandbox,
    workspace,
    playbookOf: reader(),
    close: async () => {
      rmSync(workspace, { recursive: true, force: true });
      await sandbox.close();
    },
  };
}

/** Reads playbooks; one that is asked for again and again is read once. */
function reader(): (text: string) => Playbook {
  let last: { readonly text: string; readonly playbook: Playbook } | undefined;
  return (text) => {
    if (last?.text === text) return last.playbook;
    const { playbook } = loadPlaybook(text, 'swarm.yaml');
    if (playbook === undefined) throw new Error(`no playbook:\n${text}`);
    last = { text, playbook };
    return playbook;
  };
}

export interface Verdict {
  readonly seed: number;
  /** What must never happen, and did. */
  readonly broken: readonly string[];
  readonly lives: number;
  readonly doubts: number;
  /** Acts of the disk and the wire in the first life, and requests in all. */
  readonly acts: number;
  readonly requests: number;
  /** Digest of everything that was sent and written. */
  readonly trace: string;
}

export async function playSeed(seed: number, stage: Stage): Promise<Verdict> {
  stage.clock.reset();
  stage.sandbox.control('POST', 'snapshots/restore', { name: 'birth' });
  const chance = chanceOf(seed);
  const play = new Play(storyOf(seed, chance), stage, chance);
  return { seed, ...(await play.through()) };
}

/** A story reported by hand; chance decides only what is left open in it. */
export async function playStory(story: Story, stage: Stage): Promise<Verdict> {
  stage.clock.reset();
  stage.sandbox.control('POST', 'snapshots/restore', { name: 'birth' });
  return { seed: 0, ...(await new Play(story, stage, chanceOf(1)).through()) };
}

type Ending = { readonly kind: 'ended'; readonly result: RunResult } | { readonly kind: 'died' };

class Play {
  readonly #story: Story;
  readonly #stage: Stage;
  readonly #chance: Chance;
  readonly #disk: SimulatedDisk;
  readonly #wire: Wire;
  readonly #playbook: Playbook;
  readonly #tracer: Tracer;
  readonly #trace: string[] = [];
  readonly #broken: string[] = [];
  #lives = 0;
  #isCrowded = false;
  #isSubMade = false;
  #acts = 0;

  constructor(story: Story, stage: Stage, chance: Chance) {
    this.#story = story;
    this.#stage = stage;
    this.#chance = chance;
    this.#disk = new SimulatedDisk(chance);
    this.#tracer = new Tracer(() => this.#disk.syncedJournal);
    const exchange: Transport = async (request, signal) => {
      const answer = await stage.sandbox.transport(request, signal);
      this.#tracer.executes(request, answer);
      if (placesOrders(request.operation) && !this.#isCrowded) this.#crowd();
      if (request.operation === 'account/create-sub') this.#noteSub(answer);
      return answer;
    };
    this.#wire = faultyWire(exchange, { clock: stage.clock, chance });
    if (story.strike) this.#wire.strikeAt(story.strike.nth, story.strike.fault);
    this.#playbook = stage.playbookOf(story.playbook);
  }

  async through(): Promise<Omit<Verdict, 'seed'>> {
    const { duplicates: duplicateClientOid, answers, family } = this.#story;
    const quirks = { answers, splitFamilies: family !== undefined };
    this.#stage.sandbox.control('POST', 'config', { duplicateClientOid, quirks });
    // The forms of responses follow from the moment.
    if (answers === 'real') this.#stage.clock.advance(this.#chance.between(0, 999));
    this.#lag(this.#story.lagMs);
    const began = this.#stage.clock.monotonic();
    for (const death of [...this.#story.deaths, undefined]) {
      this.#trouble(true);
      await this.#live(death);
      if (this.#stage.clock.monotonic() - began > troubleMax) break;
    }
    this.#trouble(false);
    this.#lag(0);
    let last: Ending = { kind: 'died' };
    for (let life = 0; life < calmLives; life++) {
      last = await this.#live(undefined);
      if (last.kind === 'ended' && last.result.status === 'done') break;
    }
    await this.#wire.flush();
    const evidence = this.#evidence(last);
    const broken = [...this.#broken, ...judge(evidence), ...this.#wrongInTrace()];
    const doubts = last.kind === 'ended' && last.result.status === 'doubt' ? 1 : 0;
    const trace = sha256([...this.#trace, this.#disk.journalText].join('\n'));
    const requests = this.#wire.requests();
    return { broken, lives: this.#lives, doubts, acts: this.#acts, requests, trace };
  }

  #wrongInTrace(): string[] {
    const wrong = checkTrace(this.#tracer.trace);
    return wrong === undefined ? [] : [wrong];
  }

  #trouble(isOn: boolean): void {
    const { wire, disk } = this.#story;
    this.#wire.trouble(isOn ? wire.faults : [], wire.rate);
    this.#disk.trouble(isOn ? disk : { codes: [], rate: 0 });
  }

  /** The exchange would refuse the same name; that it was asked again is what must not happen. */
  #noteSub(answer: WireResponse): void {
    if (this.#isSubMade) this.#broken.push('sub was sent again after it was created');
    this.#isSubMade ||= isAccepted(answer);
  }

  #lag(lagMs: Millis): void {
    const { hides, hidesKey } = this.#story;
    const rules = [
      ...lateBy(hides ? never : lagMs, listing),
      ...lateBy(hidesKey ? never : hides ? 0 : lagMs, reading),
    ];
    this.#stage.sandbox.control('PUT', 'faults', { rules });
  }

  async #live(death: Story['deaths'][number] | undefined): Promise<Ending> {
    const { clock } = this.#stage;
    const times = this.#story.clocks[this.#lives % this.#story.clocks.length];
    this.#lives += 1;
    this.#tracer.begins();
    const machine = machineClock(clock, times?.wrongBy ?? 0);
    const life = crashSimulator(death, (acts) => {
      if (this.#lives === 1) this.#acts = acts;
      if (acts === 12) machine.jump(times?.jump ?? 0);
      if (acts > actsMax) throw new Error('a life does not end');
    });
    try {
      const result = await this.#run(machine, life);
      return { kind: 'ended', result };
    } catch (error) {
      if (life.isCrashed()) this.#disk.crash();
      else if (!(error instanceof DeskhandError)) throw error;
      else if (error.code === 'journal')
        this.#broken.push(`the journal is refused: ${error.message}`);
      else this.#disk.crash(); // a failing disk ends the process
      return { kind: 'died' };
    } finally {
      life.end(); // what it left in progress must not write into the next life's journal
    }
  }

  async #run(clock: ReturnType<typeof machineClock>, life: CrashSimulator): Promise<RunResult> {
    const { sandbox, workspace } = this.#stage;
    const files = this.#disk.journalFiles(life.act);
    const { journal, entries } = await openJournal('journal.ndjson', clock, files);
    const { family } = this.#story;
    const role = family === 'unified' ? 'unified' : 'hedge'; // both are keys of one account
    const { apiKey, secretKey, passphrase } = sandbox.accounts[role];
    const exchange = createClient({
      transport: life.wire((request, signal) => this.#send(request, signal)),
      clock,
      random: this.#chance,
      credentials: { apiKey, secretKey, passphrase },
      ...(family && { family }),
    });
    const [started] = entries;
    const time = started?.kind === 'started' ? started.time : await exchange.serverTime();
    const { inputs } = resolveInputs(this.#playbook, new Map(), { time: new Moment(time) });
    return run({
      playbook: this.#playbook,
      inputs,
      runId: 'r-swarm',
      account: {
        destination: {
          profile: 'main',
          target: this.#story.isLive ? 'live' : 'sandbox',
          host: 'swarm',
          keyFingerprint: '00',
          ...(family && { family }),
        },
        exchange,
        onDoubt: this.#story.onDoubt,
      },
      journal,
      earlier: entries,
      ledger: new Map(),
      clock,
      time,
      accounts: [],
      guards: {},
      origin: { program: 'swarm' },
      world: {
        workspace,
        disk: this.#disk.exportDisk(life.act),
        documents: documentRenderer('deskhand test'),
        secret: (name) => name,
      },
      drain: new AbortController().signal,
      halt: new AbortController().signal,
      onEntry: () => undefined,
    });
  }

  /** Orders of another program, which push ours off the first page. */
  #crowd(): void {
    this.#isCrowded = true;
    const { sandbox } = this.#stage;
    const order = { category: 'USDT-FUTURES', symbol: 'ETHUSDT', side: 'buy', tradeSide: 'open' };
    const { uid } = sandbox.accounts.hedge;
    for (let n = 0; n < this.#story.crowd; n++) {
      const fields = { uid, ...order, orderType: 'limit', size: '0.01', price: '1500' };
      sandbox.control('POST', 'orders', fields);
    }
  }

  /** A write leaves only when what it means to do is on the platter. */
  #send(...[request, signal]: Parameters<Transport>): ReturnType<Transport> {
    const mark = markOf(request.operation, request.body);
    if (mark !== undefined && !this.#disk.syncedJournal.includes(mark)) {
      this.#broken.push(`${request.operation} was sent before its intent was on the disk`);
    }
    if (!serves(request.operation, this.#story.family)) {
      this.#broken.push(`${request.operation} was sent with a key of the other family`);
    }
    this.#trace.push(`${request.operation} ${request.body}`);
    this.#tracer.sends(request);
    return this.#wire.transport(request, signal);
  }

  #evidence(last: Ending): Evidence {
    const { sandbox } = this.#stage;
    const { uid } = sandbox.accounts.hedge;
    return {
      story: this.#story,
      journal: this.#disk.journalText,
      file: this.#disk.textOf('rows.csv'),
      ...(last.kind === 'ended' && { result: last.result }),
      orders: Object(sandbox.control('GET', 'orders', { uid })),
      accounts: Object(sandbox.control('GET', 'accounts')),
      steps: this.#playbook.steps.map(({ id }) => id),
    };
  }
}

const never: Millis = 1_000 * day;

function lateBy(ms: Millis, operations: readonly string[]): object[] {
  if (ms === 0) return [];
  return operations.map((operation) => ({
    match: { operation },
    action: { kind: 'stale-reads', ms },
  }));
}

/** The operations that show orders of an account: in lists, and one of them. */
const listing = [
  'order/list-open',
  'order/list-history',
  'futures/list-open-orders',
  'futures/list-closed-orders',
] as const;
const reading = ['futures/get-order', 'trade/get-order'] as const;

/** What must be in the journal before such a request may leave. */
function markOf(operation: string, body: string): string | undefined {
  switch (operation) {
    case 'futures/place-order':
    case 'trade/place-order':
      return String(JSON.parse(body).clientOid);
    case 'account/create-sub':
      return `"username":"${JSON.parse(body).username}"`;
    case 'futures/set-all-leverage':
      return '"operation":"futures/set-all-leverage"';
    default:
      return undefined;
  }
}
