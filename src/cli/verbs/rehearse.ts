/** The command that runs a playbook on private sandboxes. */
import { answerForms } from '../../sandbox/world/world-settings.ts';
import { faultNames } from '../../rehearsal/simulation/faults.ts';
import { inputs } from './flags.ts';
import type { Verb } from './verb.ts';

export const rehearseVerb: Verb = {
  name: 'rehearse',
  positionals: '<file>',
  description: 'Run a playbook on private sandboxes while requests fail and the process crashes',
  flags: [
    {
      flags: '--fault <name>',
      description: `inject only these faults: ${faultNames.join(', ')} (default: all)`,
      isRepeated: true,
      choices: faultNames,
    },
    {
      flags: '--answers <forms>',
      description: 'forms of lists, times, ids and unset fields in responses (default interface)',
      choices: answerForms,
    },
    {
      flags: '--scenario <file>',
      description: 'load this scenario into every sandbox',
      choices: 'file',
      path: 'read',
      readsStdin: true,
    },
    { flags: '--seeds <number>', description: 'number of seeds to run (default 20)' },
    { flags: '--seed <number>', description: 'run only this seed, with all details' },
    ...inputs,
  ],
  choices: ['playbook'],
  formats: ['text', 'json'],
  load: () => import('../commands/rehearse.ts'),
};
