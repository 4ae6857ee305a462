/** The commands as data: arguments, flags, and where they are implemented. */
import { shells } from '../completion/scripts.ts';
import { exportVerbs } from './export.ts';
import { changedSince, inputs, pipelinePackage, queued, report } from './flags.ts';
import { keysVerbs } from './keys.ts';
import { newVerb } from './new.ts';
import { planVerbs } from './changing.ts';
import { rehearseVerb } from './rehearse.ts';
import { runsVerbs } from './past-runs.ts';
import { sandboxVerbs } from './sandbox.ts';
import { scheduleVerbs } from './scheduling.ts';
import { serveVerbs } from './serve.ts';
import { storeVerbs } from './storing.ts';
import { workerVerbs } from './workers.ts';
import type { Verb } from './verb.ts';

/** Every verb, in the order of help. */
export const verbs: readonly Verb[] = [
  {
    name: 'demo',
    positionals: '',
    description: 'Run a demo playbook on the built-in exchange, without account, key or network',
    flags: [],
    load: () => import('../commands/demo.ts'),
  },
  {
    name: 'init',
    positionals: '[dir]',
    description: 'Create a repository: playbooks, configuration, ignore file, editor settings',
    flags: [
      {
        flags: '--github',
        description: 'add a GitHub workflow: validate, plan, comment, run, drift',
      },
      {
        flags: '--gitlab',
        description: 'add a GitLab pipeline: validate, plan, comment, run, drift',
      },
      {
        flags: '--example <name>',
        description: 'add a bundled workflow and its test',
        isRepeated: true,
        choices: 'example',
      },
      {
        flags: '--family <name>',
        description:
          'account family of the profiles: classic or unified; `deskhand doctor` reads it',
        choices: ['classic', 'unified'],
      },
      pipelinePackage,
      { flags: '--force', description: 'replace existing files of the pipeline, and no others' },
    ],
    choices: ['folder'],
    formats: ['text', 'json'],
    load: () => import('../commands/init.ts'),
  },
  newVerb,
  {
    name: 'validate',
    positionals: '[files...]',
    description: 'Validate playbooks offline; "-" reads stdin',
    flags: [changedSince],
    choices: ['playbook'],
    formats: ['text', 'json', 'github', 'sarif', 'gitlab', 'junit', 'markdown'],
    load: () => import('../commands/validate.ts'),
  },
  {
    name: 'fmt',
    positionals: '[files...]',
    description: 'Format playbooks',
    flags: [{ flags: '--check', description: 'exit 1 if a file would change; change nothing' }],
    choices: ['playbook'],
    load: () => import('../commands/fmt.ts'),
  },
  {
    name: 'lsp',
    positionals: '',
    description:
      'Start the language server for editors: diagnostics, completion, quick fixes, hover, definition, rename, formatting',
    flags: [{ flags: '--stdio', description: 'use standard input and output, as always' }],
    refused: {
      flags: ['--socket', '--pipe', '--node-ipc'],
      because: 'the language server uses standard input and output only',
      hint: 'start it with `deskhand lsp --stdio`',
    },
    load: () => import('../commands/lsp.ts'),
  },
  {
    name: 'mcp',
    positionals: '',
    description:
      'Start the Model Context Protocol server for agents: explain, validate, plan, propose; runs and approves nothing',
    flags: [{ flags: '--offline', description: 'plans make no requests, and cannot be run' }],
    load: () => import('../commands/mcp.ts'),
  },
  {
    name: 'graph',
    positionals: '<file>',
    description: 'Show the steps of a playbook and what they need',
    flags: [
      {
        flags: '--format <name>',
        description: 'text, mermaid or dot',
        choices: ['text', 'mermaid', 'dot'],
      },
    ],
    choices: ['playbook'],
    formats: ['text', 'json', 'arazzo'],
    load: () => import('../commands/graph.ts'),
  },
  {
    name: 'types',
    positionals: '<file>',
    description:
      'Print the inputs and outputs of a playbook as TypeScript, for programs that run it',
    flags: [],
    choices: ['playbook'],
    load: () => import('../commands/types.ts'),
  },
  ...planVerbs,
  {
    name: 'comment',
    positionals: '<files...>',
    description:
      'Post Markdown to the pull request of this pipeline, replacing the previous comment',
    flags: [],
    choices: ['file'],
    load: () => import('../commands/comment.ts'),
  },
  {
    name: 'test',
    positionals: '[files...]',
    description: 'Run *.test.yaml, each on its own sandbox; a folder includes its subfolders',
    flags: [
      { flags: '--update', description: 'rewrite expectations that fail' },
      {
        flags: '--junit <file>',
        description: 'also write the results as JUnit XML',
        choices: 'file',
        path: 'write',
        owns: 'junit',
      },
    ],
    choices: ['test'],
    formats: ['text', 'json'],
    load: () => import('../commands/test.ts'),
  },
  rehearseVerb,
  {
    name: 'resume',
    positionals: '<run>',
    description: 'Settle what is in doubt, then continue a run from its journal',
    flags: [
      {
        flags: '--approve <run>',
        description: 'approve the run; required for live runs without a terminal',
        choices: 'unfinished-run',
      },
      {
        flags: '--plan <file>',
        description: 'plan the run was started from, if it needs approvals',
        choices: 'file',
        path: 'read',
      },
      ...queued,
      report,
    ],
    choices: ['unfinished-run'],
    formats: ['text', 'json', 'ndjson', 'markdown'],
    load: () => import('../commands/resume.ts'),
  },
  {
    name: 'resolve',
    positionals: '<run> [address]',
    description: 'Record the outcome of an action in doubt, or look up all of a run',
    flags: [
      {
        flags: '--placed <id>',
        description: 'it exists: its orderId, or the uid of a sub-account',
      },
      { flags: '--absent', description: 'it does not exist and can no longer appear' },
      { flags: '--abandon', description: 'abandon it and the steps that need it' },
      {
        flags: '--from-exchange',
        description:
          'look it up, or all, and record what the exchange proves; exit 6 if doubts remain',
      },
      { flags: '--yes', description: 'with --from-exchange: record it without asking' },
      {
        flags: '--dry-run',
        description: 'with --from-exchange: show what would be recorded; record nothing',
      },
      { flags: '--comment <text>', description: 'evidence; recorded in the journal' },
    ],
    choices: ['unfinished-run', 'address-in-doubt'],
    load: () => import('../commands/resolve.ts'),
  },
  {
    name: 'import',
    positionals: '<file> <address>',
    description: 'Import an existing order or sub-account into the ledger; sends nothing',
    flags: [
      {
        flags: '--id <id>',
        description: 'orderId or clientOid of the order, or uid of the sub-account',
      },
      {
        flags: '--statement <text>',
        description: 'evidence, if the exchange cannot show it; signed',
      },
      {
        flags: '--key <file>',
        description: 'SSH key to sign the statement with',
        choices: 'file',
        path: 'read',
      },
      { flags: '--comment <text>', description: 'kept in the journal' },
      ...inputs,
    ],
    choices: ['playbook', 'step'],
    formats: ['text', 'json'],
    load: () => import('../commands/import.ts'),
  },
  {
    name: 'drift',
    positionals: '[files...]',
    description: 'Compare the ledger with the exchange; exit 10 on differences',
    flags: [],
    choices: ['playbook'],
    formats: ['text', 'json', 'markdown'],
    load: () => import('../commands/drift.ts'),
  },
  ...runsVerbs,
  ...serveVerbs,
  ...storeVerbs,
  ...workerVerbs,
  ...keysVerbs,
  {
    name: 'call',
    positionals: '<operation> [fields...]',
    description: 'Send one signed request: deskhand call market/list-tickers category=SPOT',
    flags: [
      { flags: '--page <which>', description: '"all" follows every page', choices: ['all', 'one'] },
      { flags: '--show-request', description: 'show the request, secrets hidden' },
      { flags: '--strict', description: 'exit 10 if the response deviates from the interface' },
      { flags: '--dry-run', description: 'validate and show the request; send nothing' },
    ],
    choices: ['operation', 'field'],
    formats: ['text', 'json'],
    load: () => import('../commands/call.ts'),
  },
  ...scheduleVerbs,
  ...exportVerbs,
  ...sandboxVerbs,
  {
    name: 'explain',
    positionals: '[topic]',
    description: 'Explain an operation, rule, helper or error code, offline',
    flags: [{ flags: '--schema', description: 'print its JSON Schema' }],
    choices: ['topic'],
    formats: ['text', 'json'],
    load: () => import('../commands/explain.ts'),
  },
  {
    name: 'doctor',
    positionals: '',
    description: 'Diagnose the setup and suggest fixes; reads only',
    flags: [{ flags: '--offline', description: 'skip all requests, and list the skipped checks' }],
    formats: ['text', 'json'],
    load: () => import('../commands/doctor.ts'),
  },
  {
    name: 'completion',
    positionals: '<shell>',
    description: 'Print a completion script: source <(deskhand completion bash)',
    flags: [],
    choices: [shells],
    load: () => import('../commands/completion.ts'),
  },
  {
    name: 'help',
    positionals: '[topic...]',
    description: 'Show help for a command or a topic; `help topics` lists the topics',
    flags: [],
    choices: ['help-topic'],
    load: () => import('../commands/help.ts'),
  },
  {
    name: 'version',
    positionals: '',
    description: 'Print the version of deskhand, of Node, and of the system',
    flags: [],
    formats: ['text', 'json'],
    load: () => import('../commands/version.ts'),
  },
];
