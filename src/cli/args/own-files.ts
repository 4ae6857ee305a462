/** Kinds of files that output flags write, and how each is recognized. */
import { isRecord } from '../../base/json.ts';
import type { OwnKind } from '../../base/own-file.ts';

export type OwnName = 'result' | 'junit' | 'ready' | 'plan' | 'record' | 'timer';

/** The kind of file of an output flag, by its name; loaded only if the file exists. */
export async function ownKind(name: OwnName): Promise<OwnKind> {
  switch (name) {
    case 'result':
      return resultFile;
    case 'junit':
      return junitFile;
    case 'ready':
      return readyFile;
    case 'timer':
      return timerFile;
    case 'plan':
      return (await import('../../engine/plan/file.ts')).planFile;
    case 'record':
      return (await import('../../engine/approval/record.ts')).recordFile;
  }
}

/** The file of `--json-into`: the result of one command may replace another's. */
export const resultFile: OwnKind = {
  name: 'a JSON result',
  isOurs: (text) => {
    const value = parsed(text);
    if (!isRecord(value)) return false;
    return isOfValidate(value) || results.some((keys) => keys.every((key) => key in value));
  },
};

/**
 * Whether a value is the result of `validate`: `{ "version": 1, "files": [{ "file", "problems" }]
 * }`, and no other keys; earlier ones had no version.
 */
function isOfValidate(value: Readonly<Record<string, unknown>>): boolean {
  const { version = 1, files, ...rest } = value;
  return (
    version === 1 &&
    Array.isArray(files) &&
    Object.keys(rest).length === 0 &&
    files.every((each) => isRecord(each) && 'file' in each && Array.isArray(each['problems']))
  );
}

/** Sets of keys that only the result of one command has together. */
const results: readonly (readonly string[])[] = [
  ['version', 'run', 'playbook', 'status', 'exit', 'headline', 'tally'],
  ['version', 'id', 'nonce', 'run', 'contract', 'digest', 'steps'],
  ['version', 'since', 'plans'],
  ['version', 'passed', 'failed', 'broken', 'files'],
  ['version', 'file', 'faults', 'seeds', 'bad', 'placedTwice'],
  ['version', 'isSame', 'playbooks', 'exit'],
  ['version', 'verdict', 'plan', 'digest', 'playbook', 'notional'],
];

/** The file of `test --junit`. */
export const junitFile: OwnKind = {
  name: 'a JUnit report',
  isOurs: (text) => /^<\?xml [^>]*\?>\n<testsuites name="deskhand"/.test(text),
};

/** The file of `sandbox start --ready-file`. */
export const readyFile: OwnKind = {
  name: 'a ready file',
  isOurs: (text) => {
    const value = parsed(text);
    const keys = isRecord(value) ? Object.keys(value).toSorted() : [];
    return /^accounts baseUrl controlUrl(?: version)?$/.test(keys.join(' '));
  },
};

/** Files of `schedule export --out`. */
export const timerFile: OwnKind = {
  name: 'a timer',
  isOurs: (text) =>
    /^(?:\[Unit\]\nDescription=deskhand: |# deskhand schedules, for a machine |# Written by [\u00ab`]deskhand schedule export )/.test(
      text,
    ),
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not one of our files
  }
}
