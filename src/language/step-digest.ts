/** The digest of what a step does: of all that its playbook says about it except its name and its place in the file. */
import { isRecord, sha256 } from '../base/json.ts';
import type { Playbook, Step } from './playbook.ts';

/** Two steps with one digest do the same with the same inputs. */
export function stepDigest(step: Step): string {
  const { name: _name, ...rest } = step;
  return sha256(JSON.stringify(contentOf(rest)));
}

/** The digest of the values that a playbook names at its top: its steps may read them. */
export function namesDigest({ let: named }: Pick<Playbook, 'let'>): string {
  const values = [...named].map(([name, { template }]) => [name, contentOf(template)]);
  return sha256(JSON.stringify(values));
}

/** Keys of a parsed playbook that say where something is written, or follow from its text. */
const places: ReadonlySet<string> = new Set(['at', 'usesAt', 'places', 'effort']);

function contentOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(contentOf);
  if (value instanceof Map) return ['map', [...value].map(([key, each]) => [key, contentOf(each)])];
  if (value instanceof Set) return ['set', [...value].map(contentOf)];
  if (typeof value === 'bigint') return `${value}n`;
  if (!isRecord(value)) return value;
  if (isExpression(value)) return ['expression', value.text];
  if (isPlaybook(value))
    return ['playbook', value.digest, value.includes.map((each) => each.digest)];
  return Object.entries(value)
    .filter(([key, each]) => !places.has(key) && each !== undefined)
    .map(([key, each]) => [key, contentOf(each)]);
}

function isExpression(value: Readonly<Record<string, unknown>>): value is { text: string } {
  return typeof value['evaluate'] === 'function' && typeof value['text'] === 'string';
}

function isPlaybook(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & Pick<Playbook, 'digest' | 'includes'> {
  return typeof value['digest'] === 'string' && Array.isArray(value['includes']);
}
