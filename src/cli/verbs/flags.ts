/** Flags that every verb has, and those several share. */
import { logLevels } from '../context.ts';
import type { Flag } from './verb.ts';

/** Those before any verb. */
export const globalFlags: readonly Flag[] = [
  { flags: '-p, --profile <name>', says: 'account to use, from deskhand.yaml', choices: 'profile' },
  { flags: '-C, --dir <folder>', says: 'work as if started there', choices: 'folder' },
  {
    flags: '--config <file>',
    says: 'configuration file instead of deskhand.yaml',
    choices: 'file',
    path: 'read',
  },
  { flags: '-o, --output <format>', says: 'text, json, ndjson, markdown, as the verb allows' },
  {
    flags: '--json-into <file>',
    says: 'write the JSON result here as well',
    choices: 'file',
    path: 'write',
  },
  { flags: '-q, --quiet', says: 'no progress; only the outcome and errors' },
  { flags: '-v, --verbose', says: 'progress with every request' },
  { flags: '--no-color', says: 'plain text' },
  { flags: '--no-input', says: 'never ask' },
  {
    flags: '--log-level <level>',
    says: 'error, warn, info or debug (debug shows stack traces)',
    choices: logLevels,
  },
];

export const inputs: readonly Flag[] = [
  {
    flags: '--var <name=value>',
    says: 'give an input of the playbook a value',
    isRepeated: true,
    choices: 'input',
  },
  {
    flags: '--var-file <file>',
    says: 'read inputs from a YAML or JSON file',
    isRepeated: true,
    choices: 'file',
  },
];

export const report: Flag = {
  flags: '--report <dir>',
  says: 'write the run report into this folder',
  choices: 'folder',
  path: 'folder',
};

export const only: Flag = {
  flags: '--only <step>',
  says: 'do only this step and those it needs',
  isRepeated: true,
  choices: 'step',
};

export const scheduledFor: Flag = {
  flags: '--scheduled-for <time>',
  says: 'for this time of its schedule: 2026-01-31T02:15:00+08:00; it runs once for each',
};

/** Of a person's signed word. */
export const signed: readonly Flag[] = [
  {
    flags: '--key <file>',
    says: 'SSH key to sign with; the one Git signs with, or that ssh uses, when absent',
    choices: 'file',
    path: 'read',
  },
  { flags: '--comment <text>', says: 'why; part of what is signed' },
  { flags: '--out <file>', says: 'write the record here instead', choices: 'file', path: 'write' },
];

export const changedSince: Flag = {
  flags: '--changed-since <ref>',
  says: 'the playbooks a branch touches since it left this one, themselves or by those they use',
  choices: ['origin/main', 'main', 'HEAD~1'],
};
