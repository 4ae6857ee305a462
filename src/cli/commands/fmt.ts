/** stub */
import type { Run } from '../context.ts';
export const run: Run = async () => 0;
