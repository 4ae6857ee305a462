/** `init`: a new repository works at once, and existing files are unchanged. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exampleNames } from '../../src/cli/init/written.ts';
import { githubWorkflow } from '../../src/cli/init/github.ts';
import { historyRuleset, pushRuleset } from '../../src/cli/init/protection.ts';
import { deskhand, folderWith } from './deskhand.ts';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, readmePlaybook = ''] = /```yaml\n(playbook: 1\n[\s\S]*?)```/.exec(readme) ?? [];

/** Every file below a folder, with what is in it. */
function contents(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]));
}

describe('a new repository', () => {
  test('is valid, lists its runs and passes its test', async () => {
    const cwd = folderWith();
    expect((await deskhand(['init', 'desk', '--github', '--gitlab'], { cwd })).code).toBe(0);
    const inside = join(cwd, 'desk');
    const { code, stdout } = await deskhand(['validate'], { cwd: inside });
    expect([code, stdout]).toEqual([
      0,
      '✔ playbooks/market-snapshot.yaml: no problems. Nothing was sent.\n',
    ]);
    expect(existsSync(join(inside, '.github/workflows/playbooks.yaml'))).toBe(true);
    expect((await deskhand(['runs', 'list'], { cwd: inside })).code).toBe(0);
    const played = await deskhand(['test'], { cwd: inside });
    expect([played.code, played.stderr]).toEqual([0, '']);
  });

  test('runs the playbook of the README', async () => {
    const cwd = folderWith();
    await deskhand(['init'], { cwd });
    expect(readmePlaybook).toContain('account: main');
    writeFileSync(join(cwd, 'playbooks/leverage-and-ladder.yaml'), readmePlaybook);
    const words = ['playbooks/leverage-and-ladder.yaml'];
    expect((await deskhand(['validate', ...words], { cwd })).code).toBe(0);
    expect((await deskhand(['plan', ...words], { cwd })).code).toBe(0);
    expect((await deskhand(['run', ...words], { cwd })).code).toBe(0);
  });

  test('is created only in an empty folder', async () => {
    const cwd = folderWith({ 'deskhand.yaml': 'mine' });
    const { code, stderr } = await deskhand(['init'], { cwd });
    expect([code, readFileSync(join(cwd, 'deskhand.yaml'), 'utf8')]).toEqual([2, 'mine']);
    expect(stderr).toContain('deskhand.yaml');
    expect(stderr).toContain('add missing files with --github');
  });
});

describe('the pipeline of a desk with six profiles', () => {
  const guards = 'guards: { writes: 5, order: 100 }, approve: { by: other, signers: ./signers }';
  const desk = {
    'deskhand.yaml': `profile: alpha
profiles:
  alpha: { base-url: "https://x.example", account-id: "1", secrets: { env: ALPHA }, ${guards} }
  beta: { base-url: "https://x.example", account-id: "2", secrets: { env: BETA }, ${guards}, notify: { slack: { url: { env: SLACK_URL } } } }
  gamma: { base-url: "https://x.example", account-id: "3", secrets: { file: gamma.secrets }, ${guards} }
  delta: { base-url: "https://x.example", account-id: "4", secrets: { exec: [pass, delta] }, ${guards} }
  usual: { base-url: "https://x.example", account-id: "5", notify: OPS, ${guards} }
  play: { as: agent }
state: { store: git }
`,
    signers:
      'ann@desk.example ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE1hZGVVcEtleU9uZU9uZU9uZU9uZU9uZU9uZU9uZU9u\n',
    '.gitignore': 'ours/\n',
    'schemas/config.schema.json': '{}\n',
    'playbooks/prices.yaml': `playbook: 1
name: prices
account: alpha
schedule: [{ cron: "15 2 * * *", timezone: UTC }]
steps:
  - id: spot
    uses: market/list-tickers
    with: { category: SPOT }
  - id: tell
    uses: notify/webhook
    with: { url: "{{ secrets.HOOK }}", text: done }
`,
  };
  const keysOf = (prefix: string): string[] =>
    ['KEY', 'SECRET', 'PASSPHRASE'].map((name) => `${prefix}_API_${name}`);
  const all = [
    ...['ALPHA', 'BETA', 'DESKHAND'].flatMap(keysOf),
    'SLACK_URL',
    'DESKHAND_SECRET_OPS',
  ];

  interface Workflow {
    readonly permissions: object;
    readonly jobs: Record<
      string,
      { permissions: object; steps: { run?: string; env?: Record<string, string> }[] }
    >;
  }

  /** Secrets of the steps of a job that execute a command. */
  const secretsOf = ({ jobs }: Workflow, job: string): string[] =>
    (jobs[job]?.steps ?? [])
      .flatMap(({ env = {} }) => Object.values(env))
      .flatMap((value) => /secrets\.(\w+)/.exec(value)?.[1] ?? [])
      .toSorted();

  test('is replaced with --force, and no other file is', async () => {
    const pipeline = '.github/workflows/playbooks.yaml';
    const cwd = folderWith({ ...desk, [pipeline]: 'name: ours\n' });
    const kept = await deskhand(['init', '--github'], { cwd });
    expect([kept.code, contents(cwd).get(pipeline)]).toEqual([0, 'name: ours\n']);
    const { code, stdout } = await deskhand(['init', '--github', '--force'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('unchanged: deskhand.yaml')]);
    const after = contents(cwd);
    expect([...after]).toEqual(expect.arrayContaining(Object.entries(desk)));
    expect(after.get(pipeline)).toContain('name: playbooks');
  });

  test.each([['--force'], ['--force', '--example', 'order-ladder']])(
    'is what --force is for: init %s is refused',
    async (...words) => {
      const cwd = folderWith(desk);
      const { code, stderr } = await deskhand(['init', ...words], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining('add --github or --gitlab')]);
      expect(Object.fromEntries(contents(cwd))).toEqual(desk);
    },
  );

  test('gives each step the keys that it needs, and no job more than it uses', async () => {
    const cwd = folderWith(desk);
    await deskhand(['init', '--github', '--gitlab'], { cwd });
    const text = contents(cwd).get('.github/workflows/playbooks.yaml') ?? '';
    const workflow: Workflow = parse(text);
    const planned = [...all, 'DESKHAND_SECRET_HOOK'].toSorted();
    expect(secretsOf(workflow, 'check')).toEqual([]);
    for (const job of ['plan', 'run', 'resume']) expect(secretsOf(workflow, job)).toEqual(planned);
    expect(secretsOf(workflow, 'look')).toEqual(all.toSorted());
    expect(text).toContain('No secret here is for gamma, delta');
    expect([workflow.permissions, workflow.jobs['look']?.permissions]).toEqual([
      {},
      { contents: 'read' },
    ]);
    const gitlab = contents(cwd).get('.gitlab-ci.yml') ?? '';
    for (const name of planned) expect(gitlab).toContain(name);
    expect([text, gitlab].join()).not.toContain('MAIN_API');
  });

  test('of its schedules has the keys of their accounts only, and uploads the reports', async () => {
    const cwd = folderWith(desk);
    const { stdout } = await deskhand(['schedule', 'export', '--github'], { cwd });
    const workflow: Workflow = parse(stdout);
    expect(secretsOf(workflow, 'due')).toEqual(
      [...keysOf('ALPHA'), 'DESKHAND_SECRET_HOOK'].toSorted(),
    );
    expect([workflow.permissions, workflow.jobs['due']?.permissions]).toEqual([
      {},
      { contents: 'read' },
    ]);
    const { steps = [] } = workflow.jobs['due'] ?? {};
    expect(steps.at(-2)?.run).toContain('--report "$RUNNER_TEMP/reports"');
    expect(steps.at(-1)).toMatchObject({ with: { name: 'reports' } });
  });

  test('is not written in a folder below, where a new deskhand.yaml would hide the profiles', async () => {
    const below = { 'below/ladder.yaml': readmePlaybook };
    const cwd = folderWith({ ...desk, ...below });
    const { code, stderr } = await deskhand(['init', 'below', '--github'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('guards and approvals')]);
    expect(readdirSync(join(cwd, 'below'))).toEqual(['ladder.yaml']);
  });
});

describe('an existing repository', () => {
  const files = {
    'deskhand.yaml': 'profiles: { main: { as: agent } }\n',
    '.gitignore': 'dist/\n.env\n',
    '.vscode/settings.json': '{ "editor.tabSize": 2 }\n',
    'README.md': '# Ours\n',
    'playbooks/ours.yaml': readmePlaybook,
  };

  for (const flag of ['--github', '--gitlab'] as const) {
    test(`gets missing files with ${flag}, and nothing else is changed`, async () => {
      const cwd = folderWith(files);
      const { code, stdout } = await deskhand(['init', flag], { cwd });
      expect(code).toBe(0);
      const after = contents(cwd);
      expect([...after]).toEqual(expect.arrayContaining(Object.entries(files)));
      const added = [...after.keys()].filter((name) => !Object.hasOwn(files, name)).toSorted();
      expect(added).toEqual(
        [
          ...(flag === '--github'
            ? [
                '.github/actions/deskhand/action.yml',
                '.github/dependabot.yml',
                '.github/rulesets/deskhand-state-pipeline.json',
                '.github/rulesets/deskhand-state.json',
                '.github/workflows/playbooks.yaml',
              ]
            : ['.gitlab-ci.yml', 'renovate.json']),
          'schemas/config.schema.json',
          'schemas/playbook-test.schema.json',
          'schemas/playbook.schema.json',
        ].toSorted(),
      );
      // Its playbooks may write: the pipeline runs none of them automatically.
      const pipeline = {
        '--github': '.github/workflows/playbooks.yaml',
        '--gitlab': '.gitlab-ci.yml',
      };
      expect(after.get(pipeline[flag])).toMatch(/deskhand run(?! playbooks\/)/);
      expect(after.get(pipeline[flag])).not.toContain('deskhand run playbooks/');
      expect(stdout).toContain('unchanged: deskhand.yaml, .gitignore, .vscode/settings.json');
      expect(stdout).toContain('add to .gitignore: .deskhand/ out/ node_modules/ *.secrets');
      expect(stdout).toContain('state: { store: git }');
      expect(stdout).toContain('deskhand plan playbooks/ours.yaml');
      const again = await deskhand(['init', flag], { cwd });
      expect([again.code, contents(cwd)]).toEqual([0, after]);
    });
  }

  test('gets rulesets: nobody can reset the state, and only deploy keys can push it', () => {
    const [history, push] = [historyRuleset(), pushRuleset()].map((text) => JSON.parse(text));
    const refs = ['refs/heads/deskhand-state', 'refs/heads/deskhand-state-witness'];
    for (const { target, enforcement, conditions } of [history, push]) {
      expect([target, enforcement, conditions.ref_name.include]).toEqual([
        'branch',
        'active',
        refs,
      ]);
    }
    const typesOf = ({ rules }: { rules: { type: string }[] }): string[] =>
      rules.map(({ type }) => type);
    // A person who may bypass one rule of a ruleset may bypass all of them.
    expect([typesOf(history), history.bypass_actors]).toEqual([
      ['deletion', 'non_fast_forward'],
      [],
    ]);
    expect([typesOf(push), push.bypass_actors]).toEqual([
      ['creation', 'update'],
      [{ actor_id: null, actor_type: 'DeployKey', bypass_mode: 'always' }],
    ]);
    const workflow = githubWorkflow({ hasSnapshot: true });
    const jobs = workflow.split(/^ {2}(?=\w+:$)/m);
    for (const job of jobs.filter((text) => text.includes('runs-on'))) {
      const writes = /contents: write/.test(job);
      expect([job.split(':')[0], job.includes('secrets.DESKHAND_STATE_KEY')]).toEqual([
        job.split(':')[0],
        writes,
      ]);
    }
  });

  test('keeps a playbook with the default name, and no pipeline runs it', async () => {
    const own = { 'playbooks/market-snapshot.yaml': readmePlaybook };
    const cwd = folderWith(own);
    expect((await deskhand(['init', '--github'], { cwd })).code).toBe(0);
    const after = contents(cwd);
    expect(after.get('playbooks/market-snapshot.yaml')).toBe(readmePlaybook);
    expect(after.get('.github/workflows/playbooks.yaml')).not.toContain('run playbooks/');
  });
});

describe('init --example', () => {
  test('offers every bundled workflow with its test', () => {
    const names = readdirSync(join(root, 'workflows'));
    const playbooks = names.filter((name) => !name.endsWith('.test.yaml'));
    expect(exampleNames()).toEqual(playbooks.map((name) => name.replace('.yaml', '')));
    for (const name of exampleNames()) expect(names).toContain(`${name}.test.yaml`);
  });

  test('copies one with its test into a new or existing repository', async () => {
    const cwd = folderWith();
    expect((await deskhand(['init', '--example', 'order-ladder'], { cwd })).code).toBe(0);
    const before = contents(cwd);
    const words = ['init', '--example', 'reserve-watch', '--example', 'order-ladder'];
    expect((await deskhand(words, { cwd })).code).toBe(0);
    const added = [...contents(cwd).keys()].filter((name) => !before.has(name)).toSorted();
    expect(added).toEqual(['playbooks/reserve-watch.test.yaml', 'playbooks/reserve-watch.yaml']);
    for (const name of ['order-ladder.yaml', 'order-ladder.test.yaml']) {
      const text = readFileSync(join(root, 'workflows', name), 'utf8');
      expect(before.get(`playbooks/${name}`)).toBe(text);
    }
    expect((await deskhand(['validate'], { cwd })).code).toBe(0);
    expect((await deskhand(['test'], { cwd })).code).toBe(0);
  });

  test('suggests a similar name for an unknown one and writes nothing', async () => {
    const cwd = folderWith();
    const near = await deskhand(['init', '--example', 'order-lader'], { cwd });
    expect([near.code, near.stderr]).toEqual([2, expect.stringContaining('order-ladder?')]);
    const none = await deskhand(['init', '--example', '../../secrets'], { cwd });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there are agent-')]);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe('accounts in validate', () => {
  const steps = `steps:
  - id: prices
    uses: market/list-tickers
    account: mian
    with: { category: SPOT }
`;
  const playbook = (account: string): string =>
    `playbook: 1\nname: prices\naccount: ${account}\n${steps.replace('    account: mian\n', '')}`;

  test('of a playbook and of a step must be profiles', async () => {
    const cwd = folderWith({
      'deskhand.yaml': 'profiles: { main: {} }\n',
      'good.yaml': playbook('main'),
      'bad.yaml': playbook('mian'),
      'step.yaml': `playbook: 1\nname: prices\naccount: main\n${steps}`,
    });
    expect((await deskhand(['validate', 'good.yaml'], { cwd })).code).toBe(0);
    for (const [file, place] of [
      ['bad.yaml', 'bad.yaml:3:10'],
      ['step.yaml', 'step.yaml:7:14'],
    ]) {
      const { code, stdout } = await deskhand(['validate', file ?? ''], { cwd });
      expect([code, stdout]).toEqual([3, expect.stringContaining(place ?? '')]);
      expect(stdout).toContain('PB422');
      expect(stdout).toContain('unknown profile "mian" in deskhand.yaml');
      expect(stdout).toContain('did you mean main?');
    }
    // The flag overrides the playbook's account and names a profile itself.
    const other = ['validate', 'bad.yaml', '-p'];
    expect((await deskhand([...other, 'main'], { cwd })).code).toBe(0);
    const nowhere = await deskhand([...other, 'nowhere'], { cwd });
    expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringContaining('"nowhere"')]);
  });

  test('are not checked without deskhand.yaml, as in a plan', async () => {
    const cwd = folderWith({ 'any.yaml': playbook('whoever') });
    mkdirSync(join(cwd, '.git'));
    expect((await deskhand(['validate', 'any.yaml'], { cwd })).code).toBe(0);
    expect((await deskhand(['plan', 'any.yaml', '--offline'], { cwd })).code).toBe(0);
  });
});
