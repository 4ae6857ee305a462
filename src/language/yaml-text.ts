/** A value as the text of a YAML document. */
import { stringify } from 'yaml';
import type { Json } from '../base/json.ts';

/** Prints a value as YAML; long texts stay on one line. */
export function yamlOf(value: Json | object): string {
  return stringify(value, { lineWidth: 0 });
}
