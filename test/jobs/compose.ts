/** A choice of features as the files, the words and the environment of a job. */
import { stringify } from 'yaml';
import { approverFiles } from './approver.ts';
import { cancelling, isLeverageSet, leverageCall, placing } from './calls.ts';
import type { Choice } from './features.ts';
import { withNames } from './named.ts';
import { inputsOf, usesOfTypes } from './inputs.ts';
import { sharedState } from './hub.ts';
import { itemsOf } from './items.ts';
import { cancelOf, ordersOf } from './orders.ts';
import { withSharedParts } from './notation.ts';
import { afterwards, beforehand, endingOf, rescueOf, unreadPart } from './steps.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Job {
  readonly choice: Choice;
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** Flags that give the inputs, for `plan`, `run` and `rehearse`. */
  readonly flags: readonly string[];
}

export const jobFile = 'job.yaml';

/**
 * @param hook address that receives notices
 * @param isShared whether several machines share the state
 */
export function compose(choice: Choice, hook: string, isShared = false): Job {
  const items = itemsOf(choice);
  const { inputs, given } = inputsOf(choice, items);
  const orders = ordersOf(choice, items, commonOf(choice));
  const cancel = cancelOf(choice, items);
  const steps = [
    ...beforehand(choice),
    { id: 'orders', ...(choice.words === 'all' && { name: 'The orders' }), ...orders.step },
    ...afterwards(choice, { ...cancel, ...conditionIn(choice), needs: ['orders'] }),
  ];
  const job = {
    playbook: 1,
    name: 'job',
    ...(choice.words === 'all' && { description: 'Composed of features.' }),
    ...(Object.keys(inputs).length > 0 && { inputs }),
    ...(choice.profile !== 'default' && { account: 'main' }),
    ...guardsOf(choice),
    ...(choice.schedule !== 'none' && { schedule: [scheduleOf(choice)] }),
    ...(choice.limits === 'defaults' && { defaults: { timeout: '15s', retry: { attempts: 5 } } }),
    ...((choice.parallel === 'steps' || choice.parallel === 'both') && { parallel: 4 }),
    steps,
    ...rescueOf(choice, cancel),
    ...endingOf(choice, cancel),
    ...outputsOf(choice),
  };
  const yaml = Object.entries({ [jobFile]: job, ...orders.files, ...unreadPart(choice) }).map(
    ([name, content]) => [name, playbookOf(choice, withNames(choice, content))] as const,
  );
  return {
    choice,
    files: {
      ...Object.fromEntries(yaml),
      ...given.files,
      'deskhand.yaml': configOf(choice, isShared),
      ...(choice.approve !== 'none' && approverFiles),
      'job.test.yaml': textOf(testOf(choice, given.values)),
    },
    env: { ...given.env, DESKHAND_SECRET_HOOK: hook },
    flags: given.flags,
  };
}

function playbookOf({ notation }: Choice, content: Fields): string {
  return notation === 'plain'
    ? textOf(content)
    : textOf(withSharedParts(content), { aliasDuplicateObjects: true });
}

export function textOf(content: Fields, { aliasDuplicateObjects = false } = {}): string {
  return stringify(content, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
    aliasDuplicateObjects,
  });
}

function commonOf(choice: Choice): Fields {
  return {
    ...(choice.needs !== 'none' && { needs: ['market'] }),
    ...conditionIn(choice),
    ...(choice.onError === 'continue' && { 'on-error': 'continue' }),
  };
}

function conditionIn(choice: Choice): Fields {
  return choice.condition === 'none' ? {} : { if: conditionOf(choice) };
}

function conditionOf(choice: Choice): string {
  switch (choice.condition) {
    case 'input':
      return '{{ inputs.on }}';
    case 'false':
      return '{{ not inputs.on }}';
    case 'late':
      return isLeverageSet(choice);
    default:
      return '{{ gt (length steps.market.response) 0 }}';
  }
}

function guardsOf(choice: Choice): Fields {
  const wide = {
    'max-writes': 40,
    'max-notional': 1_000_000,
    'max-order-notional': '100000',
    'max-distance': '90%',
    'max-leverage': 20,
    'max-position': 1_000_000,
    doubts: 'block',
  };
  switch (choice.guards) {
    case 'none':
      return {};
    case 'loose':
      return { guards: wide };
    case 'tight':
      return { guards: { ...wide, 'max-distance': '1%' } };
    case 'hours':
      return { guards: { hours: ['mon-sun 00:00-24:00 UTC'] } };
    case 'lists':
      return {
        guards: {
          symbols: ['BTCUSDT', 'ETHUSDT'],
          operations: [
            placing(choice, {}).uses,
            leverageCall(choice).uses,
            cancelling(choice, {}).uses,
            'account/create-sub',
          ],
          accounts: ['main', 'alpha', 'bravo'],
        },
      };
  }
}

function scheduleOf({ schedule }: Choice): Fields {
  const plain = { cron: '15 2 1 * *' };
  if (schedule === 'plain') return plain;
  const times = { within: '1d', late: '10m', jitter: '1m' };
  return {
    ...plain,
    timezone: '+08:00',
    only: ['market'],
    missed: 'once',
    overlap: 'queue',
    ...times,
  };
}

function outputsOf(choice: Choice): Fields {
  const { outputs, report, write, nest, item, types } = choice;
  const isMapped = nest === 'each' || (nest === 'deep' && item !== 'none');
  const ids = nest === 'none' ? '{{ steps.orders.outputs }}' : '{{ steps.orders.outputs.ids }}';
  const wanted = {
    ...(types === 'all' && usesOfTypes),
    ...(outputs === 'steps' && {
      ids: isMapped ? "{{ pluck steps.orders.outputs 'ids' }}" : ids,
      mark: "{{ default steps.market.response.0.markPrice 'none' }}",
    }),
    ...(outputs === 'files' && {
      run: '{{ run.id }}',
      ...(report !== 'none' && { table: '{{ steps.table.file }}' }),
      ...(write !== 'none' && write !== 'each' && { rows: '{{ steps.rows.rows }}' }),
    }),
  };
  return Object.keys(wanted).length === 0 ? {} : { outputs: wanted };
}

function configOf(choice: Choice, isShared: boolean): string {
  const { family, profile, guards, program, onFailure } = choice;
  const runs = program !== 'none' || onFailure === 'program';
  const own = (name: string): Fields => ({
    'base-url': 'http://127.0.0.1:8801',
    secrets: { env: name.toUpperCase() },
    ...(family !== 'both' && { family }),
    ...(profile === 'identified' && { 'account-id': `id-of-${name}` }),
    ...(profile === 'guarded' && {
      guards: { writes: 60, ...(guards === 'lists' && { symbols: ['BTCUSDT', 'ETHUSDT'] }) },
    }),
    ...(runs && { allow: { shell: ['echo'] } }),
    ...(choice.approve !== 'none' && {
      approve: {
        by: 'anyone',
        signers: './allowed_signers',
        passkeys: './passkeys.json',
        plans: false,
      },
    }),
  });
  const profiles = Object.fromEntries(['main', 'alpha', 'bravo'].map((name) => [name, own(name)]));
  return textOf({
    ...(profile === 'default' && { profile: 'main' }),
    ...(isShared && { state: sharedState }),
    profiles,
  });
}

function testOf({ family }: Choice, inputs: Fields): Fields {
  const role = family === 'unified' ? 'unified' : 'hedge';
  return {
    'playbook-test': 1,
    playbook: jobFile,
    ...(Object.keys(inputs).length > 0 && { inputs }),
    world: {
      time: '2026-11-20T04:00:00Z',
      account: role,
      accounts: { main: role, alpha: role, bravo: role },
      ...(family !== 'both' && { scenario: { config: { quirks: { splitFamilies: true } } } }),
    },
    tests: [{ name: 'it ends', expect: { plan: {} } }],
  };
}
