/** The tool that plans a playbook. */
import { described, optional, truth } from '../../../exchange/api/schema.ts';
import { planSchema } from '../../../engine/plan/plan-schema.ts';
import { planText } from '../../../report/terminal/plan-screen.ts';
import { inputValues, onlySteps, playbookFile, saveTo } from '../common-arguments.ts';
import { plainTheme } from '../plain-theme.ts';
import { planFor } from '../planning.ts';
import { argumentsOf, tool } from '../tool.ts';

const offline = optional(described('Make no requests; such a plan cannot be run', truth));

export const plan = tool({
  name: 'plan',
  title: 'Plan a playbook',
  description:
    'Show what a run of a playbook would do. It reads the account and the market with the key of the profile, and sends no write. The plan is saved in the state folder; running it is up to a person.',
  writes: 'files',
  isConnected: true,
  input: argumentsOf({
    file: playbookFile,
    inputs: inputValues,
    only: onlySteps,
    offline,
    save: saveTo,
  }),
  output: planSchema,
  call: async (args, desk, signal) => {
    const isOffline = desk.isOffline || args.offline === true;
    const made = await planFor({ ...args, isOffline }, desk, signal);
    const text = planText(made, { isFull: false }, plainTheme).join('\n');
    return { structured: made, text };
  },
});
