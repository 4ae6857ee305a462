/** Hints in the words of the library: its functions and options in place of commands and flags. */

const program = 'deskhand';

/**
 * The calls of a program in place of the commands that a person types; an act of people alone stays
 * a command.
 */
const words: readonly (readonly [RegExp, string])[] = [
  [typed(String.raw`resume ([\w'-]+)(?: --approve \S+)?`), "`resume({ run: '$1' })`"],
  [typed(String.raw`run (p-[0-9a-f]{8})(?: --approve \S+)?`), "`run({ plan: '$1' })`"],
  [typed(String.raw`run (\S+\.ya?ml)`), "`run({ playbook: '$1' })`"],
  [typed(String.raw`plan (?:FILE|(\S+\.ya?ml))(?: --out \S+)?`), '`plan({ playbook })`'],
  [typed(String.raw`validate\b(?: \S+\.ya?ml)?`), '`validate({ playbooks })`'],
  [/--var name=value or --var-file FILE/g, '`inputs`'],
  [/--var(?:-file)?(?: [\w.-]+=?\S*)?/g, '`inputs`'],
  [/--new(?: --reason| and --reason)?(?: \S+)?/g, '`beside`'],
  [/--approve(?: [A-Za-z][\w-]*)?/g, '`approve`'],
  [/--config(?: FILE)?, or DESKHAND_CONFIG/g, '`config`'],
  [/--config(?: FILE)?\b/g, '`config`'],
  [/--profile(?: NAME)?\b/g, '`profile`'],
  [/--expires\b/g, '`expires`'],
  [/--scheduled-for(?: TIME)?\b/g, '`scheduledFor`'],
  [/--only(?: STEP)?\b/g, '`only`'],
  [/--store(?: ADDRESS)?\b/g, '`store`'],
  [/--plan(?: FILE)?(?=[,; ]|$)/g, '`planFile`'],
  [/--offline\b/g, '`isOffline`'],
];

/** A command of this program, with or without backticks. */
function typed(command: string): RegExp {
  return new RegExp(`\`?\\b${program} ${command}\`?`, 'g');
}

/** A text for a person who reads the errors of a program. */
export function libraryWords(text: string): string {
  return words.reduce((said, [form, replacement]) => said.replaceAll(form, replacement), text);
}
