/** The rows of bench/all.ts: which program measures each, the line that it prints, and the goal. */

export interface Row {
  readonly what: string;
  readonly beside: string;
  /** Finds the figure, as its first group, in what the program prints. */
  readonly line: RegExp;
  readonly unit: string;
  readonly goal: string;
}

export interface Job {
  readonly job: string;
  /** A program of bench with its arguments. */
  readonly words: readonly string[];
  readonly rows: readonly Row[];
}

const times = '×';
const against = (what: string, beside: string, line: RegExp, goal: number): Row => ({
  what,
  beside,
  line,
  unit: times,
  goal: `≤ ${goal} ×`,
});
const upTo = (what: string, line: RegExp, unit: string, goal: string): Row => ({
  what,
  beside: '',
  line,
  unit,
  goal: `≤ ${goal} ${unit}`,
});
const start = (command: string, goal: number): Row =>
  against(
    `CPU of \`${command.replace(/ \d+$/, '')}\`${stepsOf(command)}`,
    '`node -e 0`',
    new RegExp(`^${command}: .*, ([\\d.]+) × node -e 0$`, 'm'),
    goal,
  );

function stepsOf(command: string): string {
  const [count] = /\d+$/.exec(command) ?? [];
  return count === undefined ? '' : ` of ${count} steps`;
}

export const jobs: readonly Job[] = [
  {
    job: 'Exports of 100,000 orders',
    words: ['bench/export.ts', '--peers', '--workbook', '--large', '0'],
    rows: [
      against('CPU, CSV', 'a plain loop that streams', /plain: .*needs ([\d.]+) ×/, 1.05),
      against('CPU, CSV', 'ccxt', /ccxt: .*needs ([\d.]+) ×/, 1),
      against('CPU, CSV', 'bitget-api', /bitget: .*needs ([\d.]+) ×/, 1),
      against('CPU, workbook', 'CSV', /workbook: .*needs ([\d.]+) ×/, 4),
      upTo('memory at the peak, CSV', /, ours: .*, (\d+) MB/, 'MB', '95'),
    ],
  },
  {
    job: 'A workflow of signed calls in sequence, with a synced journal',
    words: ['bench/workflow.ts'],
    rows: [
      against('CPU of 1,000 reads', 'a bare loop', /ours read: .*, ([\d.]+) × bare read/, 1.6),
      against('CPU of 1,000 orders', 'a bare loop', /ours order: .*, ([\d.]+) × bare order/, 2.5),
    ],
  },
  {
    job: 'The same, five times as long',
    words: ['bench/workflow.ts', '--calls', '5000', '--rounds', '1'],
    rows: [
      against('CPU of 5,000 reads', 'a bare loop', /ours read: .*, ([\d.]+) × bare read/, 1.6),
      against('CPU of 5,000 orders', 'a bare loop', /ours order: .*, ([\d.]+) × bare order/, 2.5),
    ],
  },
  {
    job: 'A signed order over HTTP to the sandbox',
    words: ['bench/order-over-http.ts'],
    rows: [against('CPU of the server', 'a bare `node:http` server', /median ([\d.]+) ×/, 1.2)],
  },
  {
    job: 'An order over TLS behind 40 ms',
    words: ['bench/order-connections.ts', '2000'],
    rows: [upTo('latency, median', /latency over \d+ ms: ([\d.]+) ms/, 'ms', '42')],
  },
  {
    job: 'Short commands, as whole processes',
    words: ['bench/commands.ts'],
    rows: [
      start('--version', 1.3),
      start('--help', 1.3),
      start('completion bash', 1.3),
      start('validate 3', 2.5),
      start('validate 100', 3.5),
      against('CPU of `validate` of 100 steps', 'ajv-cli', /([\d.]+) × ajv 100$/m, 1),
      against('CPU of `validate` of 100 steps', 'redocly lint', /([\d.]+) × redocly 100$/m, 1),
    ],
  },
  {
    job: 'A resume of 10,000 orders, of which the last is left',
    words: ['bench/resume.ts'],
    rows: [upTo('until its first order', /first order: (\d+) ms in the middle/, 'ms', '1,500')],
  },
];
