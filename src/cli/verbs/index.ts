/** The verbs of the command line as data: words, flags, and where the work is written. */
import { faultNames } from '../../rehearsal/faults.ts';
import { shells } from '../completion/scripts.ts';
import { exportVerbs } from './export.ts';
import { changedSince, inputs, report } from './flags.ts';
import { planVerbs } from './plan.ts';
import { runsVerbs } from './runs.ts';
import { sandboxVerbs } from './sandbox.ts';
import { scheduleVerbs } from './schedule.ts';
import type { Verb } from './verb.ts';

/** Every verb, in the order help shows them. */
export const verbs: readonly Verb[] = [
  {
    name: 'demo',
    words: '',
    says: 'a playbook on the built-in exchange, start to report; no account, no key, no network',
    flags: [],
    load: () => import('../commands/demo.ts'),
  },
  {
    name: 'init',
    words: '[dir]',
    says: 'start a repository: playbooks, configuration, ignore file, editor settings',
    flags: [
      { flags: '--github', says: 'add a GitHub workflow: check, plan, comment, run, look' },
      { flags: '--gitlab', says: 'add a GitLab pipeline: check, plan, comment, run, look' },
      { flags: '--force', says: 'write over files that stand there already' },
    ],
    choices: ['folder'],
    load: () => import('../commands/init.ts'),
  },
  {
    name: 'validate',
    words: '[files...]',
    says: 'check playbooks completely, offline; «-» reads stdin',
    flags: [changedSince],
    choices: ['playbook'],
    formats: ['text', 'json', 'github', 'sarif', 'gitlab', 'junit', 'markdown'],
    load: () => import('../commands/validate.ts'),
  },
  {
    name: 'fmt',
    words: '[files...]',
    says: 'write playbooks in their canonical layout',
    flags: [{ flags: '--check', says: 'change nothing; exit 1 when a file would change' }],
    choices: ['playbook'],
    load: () => import('../commands/fmt.ts'),
  },
  {
    name: 'graph',
    words: '<file>',
    says: 'the steps of a playbook and what they need',
    flags: [
      {
        flags: '--format <name>',
        says: 'text, mermaid or dot',
        choices: ['text', 'mermaid', 'dot'],
      },
    ],
    choices: ['playbook'],
    load: () => import('../commands/graph.ts'),
  },
  ...planVerbs,
  {
    name: 'comment',
    words: '<files...>',
    says: 'put Markdown on the pull request of this pipeline, in place of what stood there',
    flags: [],
    choices: ['file'],
    load: () => import('../commands/comment.ts'),
  },
  {
    name: 'test',
    words: '[files...]',
    says: 'play *.test.yaml on sandboxes of their own and compare; a folder means all below it',
    flags: [
      { flags: '--update', says: 'rewrite the expectations that do not hold' },
      {
        flags: '--junit <file>',
        says: 'write the results as JUnit XML too',
        choices: 'file',
        path: 'write',
      },
    ],
    choices: ['test'],
    formats: ['text', 'json'],
    load: () => import('../commands/test.ts'),
  },
  {
    name: 'rehearse',
    words: '<file>',
    says: 'plan and run on private sandboxes while requests fail and the process dies',
    flags: [
      {
        flags: '--fault <name>',
        says: `only these faults: ${faultNames.join(', ')}; all when absent`,
        isRepeated: true,
        choices: faultNames,
      },
      { flags: '--scenario <file>', says: 'begin every world with this scenario', choices: 'file' },
      { flags: '--seeds <number>', says: 'how many worlds and stories (default 20)' },
      { flags: '--seed <number>', says: 'only this one, told in full' },
      ...inputs,
    ],
    choices: ['playbook'],
    formats: ['text', 'json'],
    load: () => import('../commands/rehearse.ts'),
  },
  {
    name: 'resume',
    words: '<run>',
    says: 'settle what is in doubt, then go on from what the journal proves',
    flags: [
      {
        flags: '--approve <run>',
        says: 'approve it; live runs need it off a terminal',
        choices: 'unfinished-run',
      },
      report,
    ],
    choices: ['unfinished-run'],
    formats: ['text', 'json', 'ndjson', 'markdown'],
    load: () => import('../commands/resume.ts'),
  },
  {
    name: 'resolve',
    words: '<run> <address>',
    says: 'say what became of an action in doubt, when the exchange cannot',
    flags: [
      { flags: '--placed <id>', says: 'it is there: its orderId, or the uid of a sub-account' },
      { flags: '--absent', says: 'it is not there and cannot come any more' },
      { flags: '--abandon', says: 'leave it undone, and what needs it' },
      { flags: '--comment <text>', says: 'how you know; kept in the journal' },
    ],
    choices: ['unfinished-run', 'address-in-doubt'],
    load: () => import('../commands/resolve.ts'),
  },
  {
    name: 'drift',
    words: '[files...]',
    says: 'what the ledger says beside what the exchange shows now; exit 10 when they differ',
    flags: [],
    choices: ['playbook'],
    formats: ['text', 'json', 'markdown'],
    load: () => import('../commands/drift.ts'),
  },
  ...runsVerbs,
  {
    name: 'call',
    words: '<operation> [fields...]',
    says: 'one signed call: deskhand call market/list-tickers category=SPOT',
    flags: [
      { flags: '--page <which>', says: '«all» follows every page', choices: ['all', 'one'] },
      { flags: '--show-request', says: 'show what is sent, secrets hidden' },
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
    words: '[topic]',
    says: 'an operation, a rule, a helper, an answer code; offline',
    flags: [{ flags: '--schema', says: 'its JSON Schema' }],
    choices: ['topic'],
    formats: ['text', 'json'],
    load: () => import('../commands/explain.ts'),
  },
  {
    name: 'doctor',
    words: '',
    says: 'what a run rests on: machine, configuration, locks, clock, key; only reads',
    flags: [{ flags: '--offline', says: 'ask nobody, and say what that leaves out' }],
    formats: ['text', 'json'],
    load: () => import('../commands/doctor.ts'),
  },
  {
    name: 'completion',
    words: '<shell>',
    says: 'what makes the shell complete words: source <(deskhand completion bash)',
    flags: [],
    choices: [shells],
    load: () => import('../commands/completion.ts'),
  },
  {
    name: 'help',
    words: '[topic...]',
    says: 'a verb, or exit-codes, environment, output',
    flags: [],
    choices: ['help-topic'],
    load: () => import('../commands/help.ts'),
  },
];
