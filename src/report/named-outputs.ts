/** The outputs of a run and of the playbooks that it used, by name. */
import { isRecord, type Json } from '../base/json.ts';
import { plainText } from '../base/text.ts';
import type { Story } from './story.ts';

export interface OutputLine {
  /** The name of the output: `total`, or of a nested playbook `desks[a].total`. */
  readonly name: string;
  readonly value: Json;
}

/** The outputs of a run, those of the playbook first; none unless the run has ended as done. */
export function outputLines({ finished, steps }: Story): readonly OutputLine[] {
  const nested = steps
    .filter(({ uses }) => /\.ya?ml$/.test(uses))
    .flatMap(({ actions }) => actions)
    .flatMap(({ address, outcome }) =>
      outcome?.kind === 'done' ? named(outcome.output, `${address}.`) : [],
    );
  return [...named(finished?.outputs, ''), ...nested];
}

function named(outputs: unknown, before: string): OutputLine[] {
  if (!isRecord(outputs)) return [];
  return Object.entries(outputs).map(([name, value]) => {
    return { name: `${before}${name}`, value: JSON.parse(JSON.stringify(value)) };
  });
}

/** The value of an output on one line: a text without quotes, and any other value as JSON. */
export function outputWords({ value }: OutputLine, max = 200): string {
  return plainText(typeof value === 'string' ? value : JSON.stringify(value), max);
}
