/** Playbooks and configurations of an embedding program: files, or values in their place. */
import { fieldOf, readableJson } from '../../base/json.ts';
import { readNamed } from '../machine/read-named.ts';
import { jsonOf } from './inputs.ts';
import type { PlaybookSource } from './options.ts';

/** A playbook as text, with the name that problems, plans and reports have of it. */
export interface NamedPlaybook {
  readonly file: string;
  readonly bytes: Buffer;
}

/** The name of a playbook that is not a file; no file of a checkout has it. */
const givenPlaybook = '<playbook>';

/**
 * @param name of a playbook that is not a file
 * @throws UsageError for a file that does not exist, or a value that JSON does not have
 */
export async function playbookOf(
  source: PlaybookSource,
  folder: string,
  name: string = givenPlaybook,
): Promise<NamedPlaybook> {
  const text = textOf('playbook', source);
  if (text !== undefined || typeof source !== 'string') {
    return { file: name, bytes: Buffer.from(text ?? '') };
  }
  return { file: source, bytes: await readNamed(source, folder) };
}

/** The playbook among options, if it is given by value: plans that were made of it are compared with it. */
export function givenIn(
  options: object,
): { readonly file: string; readonly text: string } | undefined {
  const text = textOf('playbook', fieldOf(options, 'playbook'));
  return text === undefined ? undefined : { file: givenPlaybook, text };
}

/** The text of a configuration given by value; undefined if it is a file. */
export function configText(config: unknown): string | undefined {
  return textOf('config', config);
}

/** A value as YAML, which JSON is. A text of several lines is a value, too: it is the name of no file. */
function textOf(name: string, given: unknown): string | undefined {
  if (typeof given === 'string') return given.includes('\n') ? given : undefined;
  if (typeof given !== 'object' || given === null) return undefined;
  return readableJson(jsonOf(`the option ${name}`, given));
}
