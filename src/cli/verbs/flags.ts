/** Flags of all commands, and those that several share. */
import { logFormats, logLevels } from '../context.ts';
import type { Flag } from './verb.ts';

/** The flag `--json` of commands that have this format. */
export const jsonFlag: Flag = { flags: '--json', description: 'short for --output json' };

/** Flags that may come before any verb. */
export const globalFlags: readonly Flag[] = [
  {
    flags: '-p, --profile <name>',
    description: 'profile to use, from deskhand.yaml',
    choices: 'profile',
  },
  {
    flags: '-C, --dir <folder>',
    description: 'change to this folder first; serve takes several',
    isCollected: true,
    choices: 'folder',
  },
  {
    flags: '--config <file>',
    description: 'configuration file instead of deskhand.yaml',
    choices: 'file',
    path: 'read',
  },
  {
    flags: '--store <address>',
    description:
      'where runs are shared: local, git, git+ssh://…, postgres://…, restate://… (default: state in deskhand.yaml)',
    choices: ['local', 'git', 'postgres://', 'restate://'],
  },
  {
    flags: '-o, --output <format>',
    description: 'output format; each command lists its own: text, json, ndjson, markdown, csv',
  },
  jsonFlag,
  {
    flags: '--json-into <file>',
    description: 'also write the JSON result to this file',
    choices: 'file',
    path: 'write',
    owns: 'result',
  },
  {
    flags: '--max-file-size <megabytes>',
    description: 'largest file to read (default 10)',
    choices: ['10', '100', '1000'],
  },
  { flags: '-q, --quiet', description: 'show only the outcome and errors' },
  { flags: '-v, --verbose', description: 'show every request' },
  { flags: '--no-color', description: 'disable colors' },
  { flags: '--no-input', description: 'disable prompts' },
  {
    flags: '--log-level <level>',
    description: 'error, warn, info or debug (debug shows stack traces)',
    choices: logLevels,
  },
  {
    flags: '--log-format <format>',
    description: 'format of stderr: text, or json for one object per line; implies --no-input',
    choices: logFormats,
  },
];

export const inputs: readonly Flag[] = [
  {
    flags: '--var <name=value>',
    description: 'set an input of the playbook',
    isRepeated: true,
    choices: 'input',
  },
  {
    flags: '--var-file <file>',
    description:
      'read inputs from a YAML or JSON file, or one as NAME=FILE, also from CSV; - reads stdin',
    isRepeated: true,
    choices: 'input-file',
    path: 'read',
    mayName: true,
    readsStdin: true,
  },
];

export const report: Flag = {
  flags: '--report <dir>',
  description: 'write the run report to this folder',
  choices: 'folder',
  path: 'folder',
};

export const only: Flag = {
  flags: '--only <step>',
  description: 'run only this step and those it needs',
  isRepeated: true,
  choices: 'step',
};

/** The flags of a run that takes over the results of an earlier one. */
export const reuse: readonly Flag[] = [
  {
    flags: '--from <step>',
    description: "execute this step, or its item as 'STEP[KEY]', and what waits for it; needs --of",
    isRepeated: true,
    choices: 'step',
  },
  {
    flags: '--of <run>',
    description: 'with --from: the ended run whose results the other steps have',
    choices: 'run',
  },
];

export const scheduledFor: Flag = {
  flags: '--scheduled-for <time>',
  description: 'occurrence of its schedule to run: 2026-01-31T02:15:00+08:00; each runs once',
};

/** Flags for signed approvals. */
export const signed: readonly Flag[] = [
  {
    flags: '--key <file>',
    description: 'SSH key to sign with (default: the key of Git or ssh)',
    choices: 'file',
    path: 'read',
  },
  { flags: '--comment <text>', description: 'reason; part of the signed record' },
  {
    flags: '--out <file>',
    description: 'write the record to this file',
    choices: 'file',
    path: 'write',
    owns: 'record',
  },
  {
    flags: '--unsigned',
    description:
      'print the record to sign, sign and save nothing; -o json: also plan and approvals',
  },
  {
    flags: '--record <file>',
    description: 'check and save a record that was signed elsewhere; - reads stdin',
    choices: 'file',
    path: 'read',
    readsStdin: true,
  },
];

export const changedSince: Flag = {
  flags: '--changed-since <ref>',
  description: 'only playbooks changed since this ref, directly or through playbooks they use',
  choices: ['origin/main', 'main', 'HEAD~1'],
};

/** The flag `--package` of commands that write a pipeline. */
export const pipelinePackage: Flag = {
  flags: '--package <spec>',
  description:
    'what the pipeline installs as deskhand, with its digest or commit (default: as in package-lock.json)',
};

/** The flag for how long a queued job waits for a worker. */
export const wait: Flag = {
  flags: '--wait <time>',
  description: 'with --queue: withdraw it (exit code 5) if no worker takes it within this time',
  choices: ['1m', '10m', '1h'],
};

/** The flags of commands that a worker can execute. */
export const queued: readonly Flag[] = [
  {
    flags: '--queue',
    description: 'let a worker execute it; needs state: postgres or restate, and no key',
  },
  { flags: '--follow', description: 'with --queue: show it until it ends' },
  wait,
];

export const versionFlags: readonly string[] = ['-V', '--version'];
export const helpFlags: readonly string[] = ['-h', '--help'];
