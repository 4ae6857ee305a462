/** The playbook language as a library: validate a text, show its problems. */
export { codeFrame, formatProblems, problemsAsJson } from './format.ts';
export { resolveInputs } from './inputs.ts';
export { loadPlaybook } from './load.ts';
export type { Loaded } from './load.ts';
export type { Playbook, Step } from './playbook.ts';
export type { Problem } from './problem.ts';
export { rules } from './rules.ts';
export { playbookSchema } from './schema.ts';
