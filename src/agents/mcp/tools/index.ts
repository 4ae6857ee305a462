/** All tools, in the order that clients list them. */
import type { Tool } from '../tool.ts';
import { plan } from './plan-tool.ts';
import { propose } from './propose.ts';
import { explain, listOperations } from './reference.ts';
import { compareRuns, listRuns, showRun } from './run-tools.ts';
import { validate } from './validate.ts';

/** All tools. None of them writes on the exchange, approves a plan, or settles a doubt. */
export const tools: readonly Tool[] = [
  listOperations,
  explain,
  validate,
  plan,
  propose,
  listRuns,
  showRun,
  compareRuns,
];
