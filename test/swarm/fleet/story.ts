/** What a seed of the fleet draws: machines, playbooks, who gives which command when, and what fails. */
import { hour, minute, second, type Millis } from '../../../src/base/clock.ts';
import type { Chance } from '../../../src/rehearsal/simulation/chance.ts';
import type { CrashPoint } from '../../../src/rehearsal/simulation/crash-simulator.ts';
import { wireFaults, type WireFault } from '../../../src/rehearsal/simulation/wire-faults.ts';
import { answerForms, type AnswerForms } from '../../../src/sandbox/world/world-settings.ts';
import type { Lag } from './field.ts';
import { draftOf, productTypes, type Draft, type Edition, type Line } from './playbooks.ts';
import { linkFaults, type LinkFault } from './remote.ts';

export interface MachineDraw {
  readonly name: string;
  readonly host: string;
  /** How far its wall clock is off. */
  readonly wrongBy: Millis;
  /** Shares the disk of this machine: another container, or the same one started again. */
  readonly diskOf?: string;
  /** Whether it shares the kernel with the machine whose disk it has. */
  readonly isNeighbour: boolean;
  /** Made from an image of this machine, as it was at a moment. */
  readonly copyOf?: string;
  readonly copiedAt?: Millis;
  /** It never comes back after the trouble. */
  readonly isLost: boolean;
}

/** How a machine reaches the account: with which of its keys, and how its profile is written. */
export interface Way {
  readonly key: 0 | 1;
  /** Of the host. */
  readonly spelling: 0 | 1;
  /** Whether the profile says who the account is. */
  readonly isNamed: boolean;
}

export type Word =
  /** With a plan that is saved first, and approved by its id, or without one. */
  | {
      readonly kind: 'begin';
      readonly draft: number;
      readonly edition: Edition;
      readonly isPlanned: boolean;
    }
  /** The plan that was saved is run again, wherever it is. */
  | { readonly kind: 'again' }
  | { readonly kind: 'resume' }
  /** A person says of a doubt that nothing is there, without having waited. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unlock'; readonly givesUp: boolean };

/** A command someone gives. */
export interface Errand {
  readonly at: Millis;
  readonly machine: string;
  /** Which run, by its place among those of the seed. */
  readonly run: number;
  readonly word: Word;
  readonly way: Way;
  readonly death?: CrashPoint;
  /** The act at which a person presses Ctrl-C. */
  readonly interruptedAt?: number;
}

export interface Event {
  readonly at: Millis;
  readonly what:
    | { readonly kind: 'mark'; readonly productType: Line; readonly mark: number }
    | { readonly kind: 'stall'; readonly machine: string; readonly ms: Millis }
    /** The power goes; the machine boots again. */
    | { readonly kind: 'reboot'; readonly machine: string }
    | {
        readonly kind: 'cut-off';
        readonly machine: string;
        readonly from: 'exchange' | 'remote';
        readonly ms: Millis;
      };
}

export interface Story {
  readonly store: 'local' | 'git';
  readonly target: 'sandbox' | 'live';
  readonly lease: Millis;
  readonly onDoubt: 'ask' | 'resend';
  readonly duplicates: 'reject' | 'accept';
  readonly machines: readonly MachineDraw[];
  readonly drafts: readonly Draft[];
  /** How the account is reached when all is calm. */
  readonly atLast: Way;
  /** Limits of the profile. */
  readonly guards: Readonly<Record<string, string>>;
  readonly errands: readonly Errand[];
  readonly events: readonly Event[];
  readonly wire: { readonly faults: readonly WireFault[]; readonly rate: number };
  readonly link: { readonly faults: readonly LinkFault[]; readonly rate: number };
  readonly lags: readonly { readonly productType: Line; readonly lag: Lag }[];
  /** How often the process that acted last does not continue. */
  readonly switching: number;
  readonly answers: AnswerForms;
}

const span = 10 * minute; // in which everything is begun

export function storyOf(chance: Chance): Story {
  const store = chance.happens(0.6) ? 'git' : 'local';
  const target = chance.happens(0.25) ? 'live' : 'sandbox';
  const machines = machinesFor(store, chance);
  const used = chance.happens(0.3) ? productTypes : [chance.pick(productTypes)];
  const names = chance.happens(0.3) ? ['one', 'two'] : ['one'];
  const drafts = names.map((name, place) => draftOf(name, 30_000 + 2_000 * place, chance, used));
  const lags = used.flatMap((productType): Story['lags'] => {
    if (target === 'live' && chance.happens(0.2)) return [{ productType, lag: 'never' }];
    return chance.happens(0.3) ? [{ productType, lag: chance.between(1, 9) * second }] : [];
  });
  // Where nothing can be seen, a person's wrong word is as good as a right one.
  const isBlind = lags.some(({ lag }) => lag === 'never');
  const wayAt = waysOf(target, chance);
  return {
    store,
    target,
    lease: chance.between(1, 5) * minute,
    onDoubt: chance.happens(target === 'live' ? 0.5 : 0.75) ? 'resend' : 'ask',
    duplicates: chance.happens(0.8) ? 'accept' : 'reject',
    machines,
    drafts: drafts.map((draft) => ({ ...draft, guards: limitsFor('playbook', chance) })),
    atLast: wayAt(Infinity),
    guards: limitsFor('profile', chance),
    errands: errandsFor(machines, drafts.length, wayAt, chance).filter(
      ({ word }) => word.kind !== 'absent' || !isBlind,
    ),
    events: eventsFor(machines, used, chance),
    wire: troubleOf(wireFaults, 0.75, chance),
    link: troubleOf(linkFaults, 0.4, chance),
    lags,
    switching: chance.pick([0.05, 0.2, 0.5]),
    answers: chance.pick(answerForms),
  };
}

function troubleOf<F>(
  faults: readonly F[],
  often: number,
  chance: Chance,
): { readonly faults: readonly F[]; readonly rate: number } {
  if (!chance.happens(often)) return { faults: [], rate: 0 };
  return { faults: chance.some(faults, 0.4), rate: chance.next() * 0.4 };
}

/** A limit that some runs keep and some would break; the words of a profile are shorter. */
function limitsFor(
  owner: 'profile' | 'playbook',
  chance: Chance,
): Readonly<Record<string, string>> {
  if (chance.happens(0.75)) return {};
  const [name, limit] = chance.pick([
    ['writes', String(chance.between(2, 5))],
    ['notional', chance.pick(['800', '1500', '3000'])],
    ['order', chance.pick(['500', '900'])],
    ['distance', chance.pick(['0.7', '0.8'])],
  ] as const);
  return { [owner === 'profile' ? name : longNames[name]]: limit };
}

const longNames = {
  writes: 'max-writes',
  notional: 'max-notional',
  order: 'max-order-notional',
  distance: 'max-distance',
} as const;

function machinesFor(store: Story['store'], chance: Chance): readonly MachineDraw[] {
  const count = store === 'git' ? chance.between(2, 3) : chance.between(1, 2);
  return Array.from({ length: count }, (_, place): MachineDraw => {
    const isShared = place > 0 && (store === 'local' || chance.happens(0.2));
    const isCopy = place > 0 && !isShared && chance.happens(0.4);
    return {
      name: `m${place}`,
      host: chance.happens(0.5) ? 'runner' : `host-${place}`,
      wrongBy: chance.happens(0.3) ? chance.between(-3, 3) * hour : chance.between(-5, 5) * second,
      ...(isShared && { diskOf: 'm0' }),
      ...(isCopy && { copyOf: 'm0', copiedAt: chance.between(0, span) }),
      isNeighbour: isShared && chance.happens(0.7),
      isLost: store === 'git' && place === 0 && chance.happens(0.4),
    };
  });
}

/** A profile says who its account is from some moment on; only one that always did exchanges its key. */
function waysOf(target: Story['target'], chance: Chance): (at: Millis) => Way {
  const isEarly = target === 'live' || chance.happens(0.7);
  const namedFrom = isEarly ? 0 : chance.between(0, 2 * span);
  const rotates = namedFrom === 0 && chance.happens(0.4);
  return (at) => ({
    key: rotates && chance.happens(0.4) ? 1 : 0,
    spelling: rotates && chance.happens(0.4) ? 1 : 0,
    isNamed: at >= namedFrom,
  });
}

function errandsFor(
  machines: readonly MachineDraw[],
  drafts: number,
  wayAt: (at: Millis) => Way,
  chance: Chance,
): readonly Errand[] {
  /** A copy does nothing before it is made. */
  const machineAt = (at: Millis): string => {
    const { name, copyOf, copiedAt = 0 } = chance.pick(machines);
    return copyOf !== undefined && at <= copiedAt ? copyOf : name;
  };
  const errand = (at: Millis, run: number, word: Word): Errand => ({
    at,
    machine: machineAt(at),
    run,
    word,
    way: wayAt(at),
    ...endOf(chance),
  });
  const isClose = chance.happens(0.5);
  return Array.from({ length: chance.between(1, 3) }, (_, run) => {
    // Often right after what was done before: then a request may still be on its way.
    const begun = chance.between(0, isClose ? minute : span / 4);
    const first: Word = {
      kind: 'begin',
      draft: chance.between(0, drafts - 1),
      edition: {
        before: chance.happens(0.3) ? 1 : 0,
        isShort: chance.happens(0.3),
        isTurned: chance.happens(0.3),
      },
      isPlanned: chance.happens(0.25),
    };
    const later = Array.from({ length: chance.between(0, 3) }, () =>
      errand(begun + chance.between(1, isClose ? minute : span), run, wordOf(chance)),
    );
    return [errand(begun, run, first), ...later];
  }).flat();
}

function endOf(chance: Chance): Pick<Errand, 'death' | 'interruptedAt'> {
  if (chance.happens(0.05)) return { interruptedAt: chance.between(1, 60) };
  if (chance.happens(0.5)) return {};
  const when = chance.pick(['before', 'after'] as const);
  return { death: { act: chance.between(1, 90), when } };
}

function wordOf(chance: Chance): Word {
  if (chance.happens(0.75)) return { kind: 'resume' };
  return chance.pick<Word>([
    { kind: 'again' },
    { kind: 'absent' },
    { kind: 'unlock', givesUp: chance.happens(0.3) },
  ]);
}

function eventsFor(
  machines: readonly MachineDraw[],
  used: readonly Line[],
  chance: Chance,
): readonly Event[] {
  const marks = Array.from({ length: chance.happens(0.3) ? 2 : 0 }, (): Event['what'] => {
    return { kind: 'mark', productType: chance.pick(used), mark: chance.between(60, 110) * 1_000 };
  });
  const troubles = machines.flatMap(({ name: machine }): Event['what'][] => {
    const ms = chance.between(1, 10) * minute;
    const from = chance.pick(['exchange', 'remote'] as const);
    return [
      ...chance.some(
        [
          { kind: 'stall', machine, ms },
          { kind: 'cut-off', machine, from, ms },
        ] as const,
        0.2,
      ),
      ...chance.some([{ kind: 'reboot', machine }] as const, 0.1),
    ];
  });
  return [...marks, ...troubles].map((what) => ({ at: chance.between(0, span), what }));
}
