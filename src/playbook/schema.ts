/** The playbook's JSON Schema (draft-07): the structure check and editors read the same one. */
import { InternalError } from '../base/error.ts';
import type { JsonSchema } from '../contract/schema.ts';

export function playbookSchema(): JsonSchema {
  throw new InternalError('not written yet');
}
