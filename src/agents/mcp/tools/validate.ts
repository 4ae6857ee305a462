/** The tool that validates playbooks: files of the folder, or a given text. */
import { list, optional, text } from '../../../exchange/api/schema.ts';
import { validateOutput } from '../../../app/documents/playbooks.ts';
import { ArgumentError } from '../refusal.ts';
import { playbookFile, yamlFile } from '../common-arguments.ts';
import { readable } from '../paths.ts';
import { argumentsOf, tool } from '../tool.ts';
import { validated } from '../validating.ts';

const textMax = 512 * 1024; // characters; a playbook may have 256 KiB

export const validate = tool({
  name: 'validate',
  title: 'Validate playbooks',
  description:
    'Validate playbooks offline and return all problems with their locations: `files` of the folder, or a `text` that is in no file. Without arguments, all playbooks of the folder.',
  writes: 'nothing',
  isConnected: false,
  input: argumentsOf({
    files: optional(list(playbookFile, { minItems: 1, maxItems: 100 })),
    text: optional(text({ maxLength: textMax, description: 'The YAML of one playbook' })),
  }),
  output: validateOutput,
  call: async ({ files = [], text: given }, desk, signal) => {
    if (given === undefined) {
      const place = await desk.place('files');
      const named = files.map((file) => readable(file, place, yamlFile));
      return { structured: await validated({ files: named }, desk, signal) };
    }
    if (files.length > 0) {
      throw new ArgumentError('text', 'files and text are given', 'give one of them');
    }
    return { structured: await validated({ text: given }, desk, signal) };
  },
});
