/** Everything the language can say, as features with values; the first value of each is the plainest. */

export const features = {
  /** Where the values of the inputs come from. */
  given: ['default', 'var', 'var-file', 'environment'],
  /** What the step that places orders repeats over. */
  item: [
    'none',
    'list',
    'untyped',
    'maps',
    'records',
    'map',
    'range',
    'literal',
    'literal-map',
    'ladder',
    'read',
    'late',
    'matrix',
  ],
  key: ['none', 'value', 'composed'],
  account: ['playbook', 'step', 'input', 'item'],
  nest: ['none', 'orders', 'each', 'deep'],
  once: ['none', 'run', 'playbook'],
  condition: ['none', 'input', 'false', 'read', 'late'],
  /** What goes wrong, without anybody's fault. */
  failure: [
    'none',
    'refused',
    'unfit',
    'expect',
    'read',
    'nested-read',
    'lost',
    'partial',
    'limited',
  ],
  onError: ['stop', 'continue'],
  poll: ['none', 'read', 'orders'],
  write: ['none', 'csv', 'each', 'ndjson', 'columns', 'since'],
  expect: ['none', 'write', 'warn', 'rows'],
  parallel: ['none', 'steps', 'items', 'both'],
  guards: ['none', 'loose', 'tight', 'hours', 'lists'],
  finally: ['none', 'page', 'read', 'order', 'cancel'],
  onFailure: ['none', 'order', 'page', 'program', 'cancel'],
  /** Whether the orders are cancelled after they are placed. */
  cancel: ['none', 'after'],
  report: ['none', 'table', 'chart', 'page', 'markdown'],
  outputs: ['none', 'steps', 'files'],
  stepOutputs: ['none', 'write', 'read'],
  price: ['plain', 'input', 'mark', 'late'],
  wait: ['none', 'before', 'after', 'input'],
  /** Whether people approve what follows, and who they are. */
  approve: ['none', 'anyone', 'named'],
  notify: ['none', 'before', 'after', 'finally'],
  program: ['none', 'before', 'output'],
  needs: ['none', 'orders', 'all'],
  leverage: ['none', 'before', 'after', 'once'],
  limits: ['none', 'defaults', 'step'],
  order: ['limit', 'post-only', 'market', 'ioc', 'named'],
  schedule: ['none', 'plain', 'whole'],
  words: ['none', 'all'],
  /** Whether equal parts of a playbook are written once, as an anchor with aliases. */
  notation: ['plain', 'anchors'],
  /** How the exchange moves between the plan and its run, and during the run. */
  world: ['still', 'ticks', 'fills', 'others', 'rotation'],
  /** How the exchange writes its responses. */
  answers: ['interface', 'real'],
  /** Where another list is read. */
  read: ['none', 'before', 'between', 'nested'],
  profile: ['plain', 'guarded', 'default', 'identified'],
  sub: ['none', 'before', 'once'],
  /** The account family that profiles name: of both without one, or split on the exchange, too. */
  family: ['both', 'classic', 'unified'],
  /** The operation that places orders. */
  placing: ['futures', 'trade'],
  /** The operation that sets the leverage. */
  setting: ['all', 'futures', 'account'],
  /** Where values get a name. */
  let: ['none', 'top', 'step', 'both'],
  /** Inputs that other features do not need. */
  types: ['few', 'all'],
} as const;

export type Feature = keyof typeof features;

/** One value of each feature. */
export type Choice = { readonly [F in Feature]: (typeof features)[F][number] };

/** A value of a feature, as `item=maps`. */
type Said = { readonly [F in Feature]?: readonly Choice[F][] };

export const featureNames = Object.keys(features) as readonly Feature[];

/** The job that says the least. */
export const plainest = Object.fromEntries(
  featureNames.map((name) => [name, features[name][0]]),
) as Choice;

/** Two features that exclude each other, with the reason: the language, or a job without a meaning. */
interface Excluded {
  readonly one: Said;
  readonly other: Said;
  readonly because: string;
}

const structured = ['maps', 'records', 'ladder', 'read', 'late', 'literal'] as const;

export const exclusions: readonly Excluded[] = [
  {
    one: { item: ['none'] },
    other: {
      key: ['value', 'composed'],
      account: ['item'],
      nest: ['each'],
      parallel: ['items', 'both'],
    },
    because: 'there is no item',
  },
  {
    one: { item: structured },
    other: { key: ['none'] },
    because: 'an item without a name has its position, which once-per: playbook refuses',
  },
  {
    one: { item: ['range', 'ladder', 'read', 'late'] },
    other: { account: ['item'] },
    because: 'its items name no account that is known before the run',
  },
  {
    one: { account: ['item'] },
    other: { key: ['composed'] },
    because: 'each.key, which names the account, is then the composed name',
  },
  {
    one: { leverage: ['none', 'after'] },
    other: { condition: ['late'], price: ['late'], item: ['late'] },
    because: 'something is known late only after a write',
  },
  {
    one: { order: ['market'] },
    other: { price: ['input', 'mark', 'late'] },
    because: 'a market order has no price',
  },
  {
    one: { cancel: ['after'], finally: ['cancel'], onFailure: ['cancel'] },
    other: { nest: ['each', 'deep'], account: ['item'] },
    because: 'the outputs of its orders are no flat list on one account',
  },
  {
    one: { finally: ['cancel'], onFailure: ['cancel'] },
    other: { item: ['none'], nest: ['orders'] },
    because: 'only a list of outputs is there after a step that did not run',
  },
  {
    one: { family: ['classic'] },
    other: { placing: ['trade'], setting: ['account'], sub: ['before', 'once'] },
    because: 'the operation serves unified accounts',
  },
  {
    one: { family: ['unified'] },
    other: { placing: ['futures'], setting: ['all', 'futures'] },
    because: 'the operation serves classic accounts',
  },
];

/** Whether these values occur together in no job. */
export function isExcluded(choice: Partial<Choice>): boolean {
  return exclusions.some(({ one, other }) => says(choice, one) && says(choice, other));
}

/** Whether a choice has one of these values of one of these features. */
export function says(choice: Partial<Choice>, said: Said): boolean {
  return featureNames.some((name) => {
    const value = choice[name];
    return value !== undefined && (said[name] ?? []).some((one) => one === value);
  });
}
