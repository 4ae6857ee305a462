/** The files that `init` writes. */
import { join, relative, resolve } from 'node:path';
import { UsageError } from '../../base/error.ts';
import { kindAt } from '../../base/file-kind.ts';
import { readableJson } from '../../base/json.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { listed, nearWord } from '../../base/text.ts';
import { loadConfig } from '../../app/config/load.ts';
import { configSchema } from '../../app/config/parse.ts';
import { families } from '../../exchange/api/family.ts';
import { loadPlaybook } from '../../language/load.ts';
import { playbookSchema } from '../../language/schema.ts';
import { playbookTestSchema } from '../../rehearsal/tests/schema.ts';
import { includedFrom } from '../../app/planning/playbooks.ts';
import type { Args } from '../context.ts';
import { playbooksIn } from '../../app/config/playbook-files.ts';
import { exampleFiles } from './examples.ts';
import { dependabot, renovate } from './fresh.ts';
import { actionFolder, githubAction, githubWorkflow } from './github.ts';
import { gitlabPipeline } from './gitlab.ts';
import { packageSource, type PackageSource } from './package-source.ts';
import { historyRuleset, pushRuleset } from './protection.ts';
import { firstPlaybook, firstTest, sharedState, templates } from './templates.ts';
import { usualVariables, variablesOf, type PipelineVariables } from './variables.ts';

export interface NewFile {
  readonly path: string;
  /** Whether --force may replace the file: other files are people's own. */
  readonly isPipeline?: true;
  readonly text: string;
  readonly description: string;
}

export interface NewFiles {
  readonly files: readonly NewFile[];
  /** The name of the first playbook. */
  readonly playbook: string;
}

/**
 * The files of a repository of playbooks.
 * @param isAdded to an existing folder: it needs no first playbook
 * @throws UsageError for an unknown example, with a suggestion
 */
export async function filesFor(folder: string, args: Args, isAdded: boolean): Promise<NewFiles> {
  const own = isAdded ? await ownPlaybooks(folder) : [];
  const playbooks = playbooksFor(args, own.length > 0);
  const [first = own[0]] = playbooks.map(({ path }) => path);
  const files = [...playbooks, ...settings(args), ...(await pipelines(folder, args, playbooks))];
  return { files, playbook: first ?? firstPlaybook };
}

/** The playbooks of the folder, as paths within it. */
async function ownPlaybooks(folder: string): Promise<readonly string[]> {
  const { playbooks } = await playbooksIn(folder);
  return playbooks.map((name) => (folder === '.' ? name : name.slice(join(folder, '/').length)));
}

function playbooksFor(args: Args, hasOwn: boolean): NewFile[] {
  const examples = args.texts('example').flatMap(exampleFor);
  if (examples.length > 0 || hasOwn) return examples;
  return [
    {
      path: firstPlaybook,
      text: templates.playbook,
      description: 'a first playbook: it only reads',
    },
    { path: firstTest, text: templates.test, description: 'its expected results: deskhand test' },
  ];
}

function exampleFor(name: string): NewFile[] {
  const text = exampleFiles[`${name}.yaml`];
  const test = exampleFiles[`${name}.test.yaml`];
  if (text !== undefined && test !== undefined && !name.endsWith('.test')) {
    return [
      { path: `playbooks/${name}.yaml`, text, description: 'the example' },
      { path: `playbooks/${name}.test.yaml`, text: test, description: 'its test: deskhand test' },
    ];
  }
  const names = exampleNames();
  const near = nearWord(name, names);
  throw new UsageError(
    `unknown example ${JSON.stringify(name)}`,
    near === undefined ? `there are ${listed(names)}` : `did you mean ${near}?`,
  );
}

export function exampleNames(): readonly string[] {
  return Object.keys(exampleFiles)
    .filter((name) => !name.endsWith('.test.yaml'))
    .map((name) => name.replace(/\.yaml$/, ''));
}

function settings(args: Args): NewFile[] {
  const isPiped = args.isOn('github') || args.isOn('gitlab');
  const config = templates.config(families.find((family) => family === args.text('family')));
  return [
    {
      path: 'deskhand.yaml',
      text: isPiped ? config + sharedState : config,
      description: 'profiles: which accounts there are',
    },
    {
      path: '.gitignore',
      text: templates.ignore,
      description: 'keeps runs, plans and secrets out',
    },
    {
      path: 'schemas/playbook.schema.json',
      text: readableJson(playbookSchema()),
      description: 'completion and checks for your editor',
    },
    {
      path: 'schemas/playbook-test.schema.json',
      text: readableJson(playbookTestSchema({ details: true })),
      description: 'the same for tests',
    },
    {
      path: 'schemas/config.schema.json',
      text: readableJson(configSchema()),
      description: 'the same for deskhand.yaml',
    },
    {
      path: '.vscode/settings.json',
      text: templates.editor,
      description: 'tells VS Code about them',
    },
  ];
}

async function pipelines(
  folder: string,
  args: Args,
  added: readonly NewFile[],
): Promise<readonly NewFile[]> {
  const given = args.text('package');
  if (given !== undefined && !args.isOn('github') && !args.isOn('gitlab')) {
    throw new UsageError('--package is for a pipeline', 'add --github or --gitlab');
  }
  const source = packageSource(given, folder);
  if (!args.isOn('github') && !args.isOn('gitlab')) return [];
  const variables = await variablesIn(folder);
  const parts = { source, hasSnapshot: isOurs(folder, added), variables };
  const files: NewFile[] = [];
  if (args.isOn('github')) {
    const text = githubWorkflow(parts);
    const path = '.github/workflows/playbooks.yaml';
    files.push({ path, text, description: 'from pull request to run, on GitHub' });
    files.push(
      {
        path: `${actionFolder}/action.yml`,
        text: githubAction(source),
        description: 'installs deskhand in its jobs',
      },
      {
        path: '.github/rulesets/deskhand-state.json',
        text: historyRuleset(),
        description: 'protects the state: import it in Settings, Rules, Rulesets',
      },
      {
        path: '.github/rulesets/deskhand-state-pipeline.json',
        text: pushRuleset(),
        description: 'the same, once the pipeline has a deploy key: docs/gitops.md',
      },
    );
  }
  if (args.isOn('gitlab')) {
    const text = gitlabPipeline(parts);
    files.push({
      path: '.gitlab-ci.yml',
      text,
      description: 'from merge request to run, on GitLab',
    });
  }
  const pipeline = files.map((file) => ({ ...file, isPipeline: true }) as const);
  return [...pipeline, ...freshness(args, source)];
}

/** Files that --force does not replace: a repository may have its own for other pins. */
function freshness(args: Args, source: PackageSource): readonly NewFile[] {
  const description = 'keeps the pins of the pipeline fresh';
  return [
    ...(args.isOn('github')
      ? [{ path: '.github/dependabot.yml', text: dependabot(source), description }]
      : []),
    ...(args.isOn('gitlab') ? [{ path: 'renovate.json', text: renovate(), description }] : []),
  ];
}

/**
 * The variables of the profiles and playbooks of the folder; without a configuration, those that
 * `init` describes.
 */
async function variablesIn(folder: string): Promise<PipelineVariables> {
  const file = join(folder, 'deskhand.yaml');
  if (kindAt(file) !== 'file') return usualVariables;
  const config = await loadConfig({ cwd: folder, env: {}, file: resolve(file) });
  const profiles = [...config.profiles.values()].filter(({ from }) => from === config.file);
  const { playbooks } = await playbooksIn(folder);
  const read = playbooks.flatMap((path) => {
    const include = includedFrom(resolve(folder));
    const name = relative(folder, path);
    const { playbook } = loadPlaybook(readRegularSync(path), name, { include });
    return playbook ?? [];
  });
  return variablesOf(profiles, read, config.state);
}

/**
 * Whether the first playbook is ours: a pipeline runs only ours automatically, because another may
 * write.
 */
function isOurs(folder: string, added: readonly NewFile[]): boolean {
  const path = join(folder, firstPlaybook);
  if (kindAt(path) === 'file') return readRegularSync(path).toString('utf8') === templates.playbook;
  return added.some((file) => file.path === firstPlaybook && file.text === templates.playbook);
}
