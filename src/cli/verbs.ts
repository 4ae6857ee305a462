/** The verbs of the command line as data: words, flags, and where the work is written. */
import type { Run } from './context.ts';

export interface Flag {
  /** As commander reads it: `-o, --out <file>`. */
  readonly flags: string;
  readonly says: string;
  /** May be given several times. */
  readonly isRepeated?: true;
}

export interface Verb {
  /** `plan`, or two words: `runs list`. */
  readonly name: string;
  /** As commander reads it: `<file> [more...]`. */
  readonly words: string;
  readonly says: string;
  readonly flags: readonly Flag[];
  readonly load: () => Promise<{ readonly run: Run }>;
}

const inputs: readonly Flag[] = [
  { flags: '--var <name=value>', says: 'give an input of the playbook a value', isRepeated: true },
  { flags: '--var-file <file>', says: 'read inputs from a YAML or JSON file', isRepeated: true },
];

const report: Flag = { flags: '--report <dir>', says: 'write the run report into this folder' };

const only: Flag = {
  flags: '--only <step>',
  says: 'do only this step and those it needs',
  isRepeated: true,
};

/** Every verb, in the order help shows them. */
export const verbs: readonly Verb[] = [
  {
    name: 'demo',
    words: '',
    says: 'a playbook on the built-in exchange, start to report; no account, no key, no network',
    flags: [],
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'init',
    words: '[dir]',
    says: 'start a repository: playbooks, configuration, ignore file, editor settings',
    flags: [
      { flags: '--github', says: 'add a GitHub workflow that validates and tests every push' },
      { flags: '--gitlab', says: 'add a GitLab pipeline that validates and tests every push' },
      { flags: '--force', says: 'write over files that stand there already' },
    ],
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'validate',
    words: '[files...]',
    says: 'check playbooks completely, offline; «-» reads stdin',
    flags: [],
    load: () => import('./commands/validate.ts'),
  },
  {
    name: 'fmt',
    words: '[files...]',
    says: 'write playbooks in their canonical layout',
    flags: [{ flags: '--check', says: 'change nothing; exit 1 when a file would change' }],
    load: () => import('./commands/fmt.ts'),
  },
  {
    name: 'graph',
    words: '<file>',
    says: 'the steps of a playbook and what they need',
    flags: [{ flags: '--format <name>', says: 'text, mermaid or dot' }],
    load: () => import('./commands/graph.ts'),
  },
  {
    name: 'plan',
    words: '<file>',
    says: 'read what stands and say what a run would do; nothing is sent',
    flags: [
      { flags: '--full', says: 'show every line, also those alike' },
      { flags: '--out <file>', says: 'write the plan to this file too' },
      { flags: '--exit-code', says: 'exit 10 when there are changes' },
      { flags: '--offline', says: 'make no reads' },
      ...inputs,
    ],
    load: () => import('./commands/plan.ts'),
  },
  {
    name: 'run',
    words: '<file>',
    says: 'plan, ask, send; a plan file runs exactly that plan',
    flags: [
      { flags: '--approve <plan-id>', says: 'approve this plan; live runs need it off a terminal' },
      only,
      report,
      ...inputs,
    ],
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'test',
    words: '[files...]',
    says: 'play *.test.yaml on sandboxes of their own and compare; a folder means all below it',
    flags: [
      { flags: '--update', says: 'rewrite the expectations that do not hold' },
      { flags: '--junit <file>', says: 'write the results as JUnit XML too' },
    ],
    load: () => import('./commands/test.ts'),
  },
  {
    name: 'resume',
    words: '<run>',
    says: 'settle what is in doubt, then go on from what the journal proves',
    flags: [
      { flags: '--approve <run>', says: 'approve it; live runs need it off a terminal' },
      report,
    ],
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'runs list',
    words: '',
    says: 'runs made here, newest first',
    flags: [],
    load: () => import('./commands/runs-list.ts'),
  },
  {
    name: 'runs show',
    words: '<run>',
    says: 'one run: its steps, its outcome, what to do next',
    flags: [{ flags: '--requests', says: 'every request it made' }],
    load: () => import('./commands/runs-show.ts'),
  },
  {
    name: 'call',
    words: '<operation> [fields...]',
    says: 'one signed call: deskhand call market/list-tickers category=SPOT',
    flags: [
      { flags: '--page <which>', says: '«all» follows every page' },
      { flags: '--show-request', says: 'show what is sent, secrets hidden' },
    ],
    load: () => import('./commands/call.ts'),
  },
  {
    name: 'sandbox start',
    words: '',
    says: 'the exchange as a server on this machine, until Ctrl-C',
    flags: [
      { flags: '--port <number>', says: 'listen here; 0 takes a free one (default 8788)' },
      { flags: '--seed <number>', says: 'another world: prices, customers, history' },
      { flags: '--clock <kind>', says: '«real», «fixed», or «60x» for a minute each second' },
      { flags: '--ready-file <file>', says: 'write addresses and keys here once it listens' },
      { flags: '--keep', says: 'go on from the state folder and save to it' },
      { flags: '--scenario <file>', says: 'begin with this scenario' },
      { flags: '--state <file>', says: 'go on from the world in FILE and save to it' },
    ],
    load: () => import('./commands/sandbox-start.ts'),
  },
  {
    name: 'sandbox reset',
    words: '',
    says: 'forget everything the sandbox knows',
    flags: [],
    load: () => import('./commands/sandbox-reset.ts'),
  },
  {
    name: 'sandbox advance',
    words: '<time>',
    says: 'move the sandbox’s clock: 90s, 15m, 1h, 2d',
    flags: [],
    load: () => import('./commands/sandbox-advance.ts'),
  },
  {
    name: 'sandbox load',
    words: '<file>',
    says: 'bring a scenario in: accounts, orders, prices, faults, later events',
    flags: [],
    load: () => import('./commands/sandbox-load.ts'),
  },
  {
    name: 'sandbox control',
    words: '<path> [fields...]',
    says: 'any request of the control interface: deskhand sandbox control faults',
    flags: [{ flags: '--method <name>', says: 'GET without fields, POST with; or PUT' }],
    load: () => import('./commands/sandbox-control.ts'),
  },
  {
    name: 'explain',
    words: '[topic]',
    says: 'an operation, a rule, a helper, an answer code; offline',
    flags: [{ flags: '--schema', says: 'its JSON Schema' }],
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'help',
    words: '[topic...]',
    says: 'a verb, or exit-codes, environment, output',
    flags: [],
    load: () => import('./commands/help.ts'),
  },
];
