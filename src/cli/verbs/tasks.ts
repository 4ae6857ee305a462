/** Commands grouped by task, each with an example. */

interface Task {
  readonly heading: string;
  /** Examples by the first word of a command, or by its full name. */
  readonly examples: Readonly<Record<string, string>>;
}

export const tasks: readonly Task[] = [
  {
    heading: 'Start:',
    examples: {
      demo: 'demo',
      init: 'init desk --example order-ladder',
      doctor: 'doctor',
    },
  },
  {
    heading: 'Write playbooks:',
    examples: {
      new: 'new prices --operation market/list-tickers --with category=SPOT',
      validate: 'validate playbooks/ladder.yaml',
      fmt: 'fmt --check',
      lsp: 'lsp',
      mcp: 'mcp --offline',
      graph: 'graph playbooks/ladder.yaml --format mermaid',
      types: 'types playbooks/ladder.yaml',
      test: 'test playbooks',
      rehearse: 'rehearse playbooks/ladder.yaml --fault crash',
      explain: 'explain futures/place-order',
    },
  },
  {
    heading: 'Plan and run:',
    examples: {
      plan: 'plan playbooks/ladder.yaml --var leverage=3',
      run: 'run playbooks/ladder.yaml --report reports',
      approve: 'approve plans/ladder.json --comment "read it"',
      decline: 'decline plans/ladder.json --comment "too large"',
      comment: 'comment plan.md',
      schedule: 'schedule next',
      'schedule list': 'schedule list',
      'schedule next': 'schedule next --count 5',
      'schedule run-due': 'schedule run-due --late 15m',
      'schedule serve': 'schedule serve',
      'schedule log': 'schedule log --since 7d',
      'schedule pause': 'schedule pause nightly --reason "exchange maintenance"',
      'schedule resume': 'schedule resume nightly',
      'schedule export': 'schedule export --systemd --out units',
    },
  },
  {
    heading: 'After a run:',
    examples: {
      orders: 'orders --from 2026-11-01 --symbol BTCUSDT --now',
      runs: 'runs show last',
      'runs list': 'runs list --status doubt --since 7d',
      'runs show': 'runs show last --requests',
      'runs diff': 'runs diff r-1a2b3c last',
      'runs logs': 'runs logs -f r-1a2b3c',
      'runs files': 'runs files last --into files',
      'runs outputs': 'runs outputs last -o json',
      'runs cancel': 'runs cancel r-1a2b3c',
      'runs metrics': 'runs metrics',
      'runs verify': 'runs verify last',
      'runs replay': 'runs replay last',
      'runs prune': 'runs prune --older-than 90d --keep 10',
      'runs set-aside': 'runs set-aside r-1a2b3c --reason "closed by hand"',
      'runs unlock': 'runs unlock r-1a2b3c --comment "the machine is gone"',
      serve: 'serve --port 8787',
      'serve log': 'serve log --since 7d',
      resume: 'resume r-1a2b3c',
      resolve: 'resolve r-1a2b3c "ladder[40000]" --absent',
      drift: 'drift playbooks/ladder.yaml',
      import: 'import playbooks/ladder.yaml "ladder[40000]" --id 1234567890123456789',
    },
  },
  {
    heading: 'Several machines:',
    examples: {
      worker: 'worker --slots 8',
      workers: 'workers',
      store: 'store upgrade',
      'store upgrade': 'store upgrade',
      'store serve': 'store serve --listen 127.0.0.1:9080',
      'store restored': 'store restored --yes',
    },
  },
  {
    heading: 'Accounts and the exchange:',
    examples: {
      call: 'call market/list-tickers category=SPOT',
      export: 'export market/list-tickers category=SPOT --file tickers.csv',
      verify: 'verify tickers.csv',
      keys: 'keys list',
      'keys list': 'keys list',
      'keys former': 'keys former 9f86d081 -p main',
      'keys other': 'keys other 9f86d081 -p main',
      sandbox: 'sandbox start --port 8788',
      'sandbox start': 'sandbox start --port 8788',
      'sandbox reset': 'sandbox reset',
      'sandbox advance': 'sandbox advance 1h',
      'sandbox load': 'sandbox load scenario.yaml',
      'sandbox control': 'sandbox control faults',
    },
  },
  {
    heading: 'Help:',
    examples: { completion: 'completion bash', help: 'help exit-codes', version: 'version --json' },
  },
];

/** Descriptions of groups, which are first words that are no command themselves. */
export const groupDescriptions: Readonly<Record<string, string>> = {
  runs: 'Inspect runs',
  keys: 'Manage which keys belong to which account',
  schedule: 'Run playbooks on a schedule',
  sandbox: 'Control the sandbox exchange',
  store: 'Manage the store of state that machines share',
};

/** The heading of a command group. */
export function headingOf(word: string): string | undefined {
  return tasks.find(({ examples }) => Object.hasOwn(examples, word))?.heading;
}

export function exampleOf(name: string): string | undefined {
  return tasks.map(({ examples }) => examples[name]).find((example) => example !== undefined);
}
