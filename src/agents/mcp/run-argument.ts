/** The argument that names a run. */
import { text } from '../../exchange/api/schema.ts';

export const runId = text({
  pattern: '^(?:last|[A-Za-z0-9][A-Za-z0-9_-]{0,79})$',
  description: 'Id of the run, a prefix of it, or `last`',
});
