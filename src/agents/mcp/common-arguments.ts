/** Schemas of arguments that several tools have. */
import { anything, list, named, optional, text } from '../../exchange/api/schema.ts';

export const playbookFile = text({
  minLength: 1,
  maxLength: 300,
  description: 'Path of the playbook in the folder of the server: playbooks/ladder.yaml',
});

export const inputValues = optional(
  named(anything, {
    maxProperties: 200,
    description: 'Inputs of the playbook by name; never a secret, because plans contain them',
  }),
);

export const onlySteps = optional(
  list(text({ pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,79}$' }), {
    maxItems: 100,
    description: 'Plan only these steps and those they need',
  }),
);

export const saveTo = optional(
  text({
    minLength: 1,
    maxLength: 300,
    description: 'Also save the plan to this new file in the folder: plans/ladder.json',
  }),
);

export const yamlFile = /\.ya?ml$/;
export const jsonFile = /\.json$/;
