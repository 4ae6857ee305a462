/** The workflow that `init --github` writes: from pull request to run, with minimal permissions. */
import { broughtLines } from './brought.ts';
import { installLines, type PackageSource } from './package-source.ts';
import { stateKey } from './protection.ts';
import { firstPlaybook } from './templates.ts';
import { usualVariables, type PipelineVariables } from './variables.ts';

/** Actions pinned to the commit of a release, so that the tag cannot be moved to other code. */
const checkout = 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0';
const setupNode = 'actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0';
const upload = 'actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2';

/** The input of a generated pipeline. */
export interface PipelineParts {
  /** The source from which the pipeline installs deskhand. */
  readonly source: PackageSource;
  /** Whether the first playbook of `init` exists, which only reads and runs every hour. */
  readonly hasSnapshot: boolean;
  /**
   * The variables that profiles and playbooks read; default: the key of the profile that `init`
   * describes.
   */
  readonly variables?: PipelineVariables;
}

/** The secrets of the steps of a job. */
interface JobParts {
  /** The secrets of steps that only read accounts. */
  readonly keys: readonly string[];
  /** The secrets of steps that plan and run playbooks. */
  readonly all: readonly string[];
}

/** The folder of the action that installs deskhand, within the repository. */
export const actionFolder = '.github/actions/deskhand';

const install = `      - uses: ./${actionFolder}`;

/** The action with which each job installs Node and deskhand: their pins are in one place. */
export function githubAction(source: PackageSource): string {
  return `# Installs Node and deskhand for each job of playbooks.yaml.
name: deskhand
description: Installs Node and the pinned deskhand
runs:
  using: composite
  steps:
${stepsOf(source, 4, ['shell: bash'])}
`;
}

export function githubWorkflow({
  hasSnapshot,
  variables = usualVariables,
}: Omit<PipelineParts, 'source'>): string {
  const { keys, secrets } = variables;
  const parts = { keys, all: [...keys, ...secrets] };
  const jobs = [check, plan, run, resume, hasSnapshot ? theme : lookOnly];
  return `${headOf(variables)}${jobs.map((job) => `\n${job(parts)}`).join('')}`;
}

const headOf = (variables: PipelineVariables): string => `name: playbooks

# Pull request: validate and plan; the plans are posted as comments.
# Merge: run the plans that it added to plans/, each once. Every hour: check drift.
# A pull request from a fork is only validated, without a key and without write access.
# A tag starts nothing. The first push of a branch, and a force push whose former commit is gone, run no plan.
# Keys can stay in the secret store of a cloud: docs/gitops.md of deskhand, "Keys in a cloud".${elsewhereNote(variables)}
on:
  pull_request:
  push:
    branches: [main]
  schedule:
    - cron: "17 * * * *"
  workflow_dispatch:
    inputs:
      resume:
        description: Run to resume after its machine was lost (r-1234567890)
        type: string
        required: true

permissions: {}

defaults:
  run:
    shell: bash

jobs:`;

const check = (): string =>
  `
  check:
    if: github.event_name == 'pull_request' || github.event_name == 'push'
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
    steps:
      - uses: ${checkout}
        with:
          persist-credentials: false
${install}
      - name: Check every playbook
        run: deskhand validate -o github
      - name: Test every playbook
        run: deskhand test
`.slice(1);

const plan = ({ all }: JobParts): string =>
  `
  plan:
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    needs: check
    runs-on: ubuntu-latest
    timeout-minutes: 20
    # Keys that may only read. Those that may write belong to the environment "main".
    environment: main-read
    permissions:
      contents: read
      pull-requests: write
    steps:
      - uses: ${checkout}
        with:
          fetch-depth: 0
${install}
      - name: Plan what this branch changes
${environment(all)}        run: |
          deskhand plan --changed-since "origin/$GITHUB_BASE_REF" --out-dir "$RUNNER_TEMP/plans" \\
            -o markdown > "$RUNNER_TEMP/plan.md"
      - name: Put the plans on the pull request
        if: \${{ !cancelled() }}
        env:
          GITHUB_TOKEN: \${{ github.token }}
        run: |
          if [ -s "$RUNNER_TEMP/plan.md" ]; then deskhand comment "$RUNNER_TEMP/plan.md"; fi
${uploaded('plans')}
`.slice(1);

const findBrought = broughtLines({
  before: 'BEFORE',
  after: 'GITHUB_SHA',
  into: '"$RUNNER_TEMP/brought"',
})
  .map((line) => `          ${line}`)
  .join('\n');

/**
 * The condition of jobs that a fork does not run: it has a copy of this file, and only its own
 * accounts.
 */
const notInFork = '!github.event.repository.fork';

const run = ({ all }: JobParts): string =>
  `
  run:
    if: github.event_name == 'push' && ${notInFork}
    needs: check
    runs-on: ubuntu-latest
    timeout-minutes: 60
    environment: main
${alone}
    steps:
      - uses: ${checkout}
        with:
          fetch-depth: 0
          ${pushKey}
${install}
      - name: Run the plans this merge brought
${environment(all, 'BEFORE: ${{ github.event.before }}')}        run: |
${findBrought}
          for plan in "\${brought[@]}"; do
            deskhand run "$plan" --report "$RUNNER_TEMP/reports"
          done
${uploaded('reports')}
`.slice(1);

const resume = ({ all }: JobParts): string =>
  `
  resume:
    if: github.event_name == 'workflow_dispatch' && ${notInFork}
    runs-on: ubuntu-latest
    timeout-minutes: 60
    environment: main
${alone}
    steps:
      - uses: ${checkout}
        with:
          ${pushKey}
${install}
      - name: Continue with a run whose machine was lost
${environment(all, 'RUN: ${{ inputs.resume }}')}        run: deskhand resume "$RUN" --approve "$RUN" --report "$RUNNER_TEMP/reports"
${uploaded('reports')}
`.slice(1);

const theme = (parts: JobParts): string => looking(parts, snapshot(parts.keys), 'reports');

/** The job that only looks, without the first playbook: no other is known to only read. */
const lookOnly = (parts: JobParts): string => looking(parts, '', undefined);

const looking = ({ keys }: JobParts, reading: string, documents: string | undefined): string =>
  `
  look:
    if: github.event_name == 'schedule' && ${notInFork}
    runs-on: ubuntu-latest
    timeout-minutes: 20
    environment: main-read
    permissions:
      contents: read
    steps:
      - uses: ${checkout}
${install}
${reading}      - name: Compare what was done with what the exchange shows
${environment(keys)}        run: deskhand drift
${documents === undefined ? '' : `${uploaded(documents)}\n`}`.slice(1);

/**
 * The steps that install Node and deskhand.
 * @param indent of the list of steps
 * @param more keys of the step that runs a script
 */
function stepsOf(source: PackageSource, indent: number, more: readonly string[] = []): string {
  const lines = [
    `- uses: ${setupNode}`,
    '  with:',
    '    node-version: 22',
    '- name: Install deskhand',
    ...more.map((line) => `  ${line}`),
    '  run: |',
    ...installLines(source).map((line) => `    ${line}`),
    '    echo "$folder/bin" >> "$GITHUB_PATH"',
  ];
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

/** The first steps of a job that runs deskhand without writing to the repository. */
export const preparation = (source: PackageSource): string =>
  `
      - uses: ${checkout}
        with:
          persist-credentials: false
${stepsOf(source, 6)}`.slice(1);

/** The `env` lines of one step with its secrets and further lines; '' without any. */
export function environment(names: readonly string[], ...others: readonly string[]): string {
  const lines = [...others, ...names.map((name) => `${name}: \${{ secrets.${name} }}`)];
  return lines.length === 0
    ? ''
    : ['        env:', ...lines.map((line) => `          ${line}`), ''].join('\n');
}

/** The note that names keys which the host's secrets do not have. */
export function elsewhereNote({ elsewhere }: PipelineVariables): string {
  return elsewhere.length === 0
    ? ''
    : `\n# No secret here is for ${elsewhere.join(', ')}: the key is in a file or comes from a program, on the machine of the job.`;
}

const snapshot = (keys: readonly string[]): string =>
  `
      - name: Write the reports
${environment(keys)}        run: deskhand run ${firstPlaybook} --report "$RUNNER_TEMP/reports"
`.slice(1);

/**
 * The line with the deploy key that pushes the state if a ruleset allows no one else; otherwise the
 * token does.
 */
const pushKey = `ssh-key: \${{ secrets.${stateKey} }} # from the environment, if it is set`;

/** The lines that permit the job to push the state, and one run of the account at a time. */
const alone = `
    # One run of the account at a time, and none is canceled.
    concurrency:
      group: deskhand-main
      cancel-in-progress: false
    permissions:
      contents: write # the ref of the state
`.slice(1, -1);

/** The step that keeps a folder of the job, also of one that failed. */
export function uploaded(what: string): string {
  return `
      - uses: ${upload}
        if: \${{ !cancelled() }}
        with:
          name: ${what}
          path: \${{ runner.temp }}/${what}
          if-no-files-found: ignore
`.slice(1, -1);
}
