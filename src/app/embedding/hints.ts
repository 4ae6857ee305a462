/** Hints in the words of the library: its functions and options in place of commands and flags. */

/** What a program does where a person would type a command; what only a person may do stays a command. */
const words: readonly (readonly [RegExp, string])[] = [
  [/`?\bdeskhand resume ([\w'-]+)(?: --approve \S+)?`?/g, "`resume({ run: '$1' })`"],
  [/`?\bdeskhand run (p-[0-9a-f]{8})(?: --approve \S+)?`?/g, "`run({ plan: '$1' })`"],
  [/`?\bdeskhand run (\S+\.ya?ml)`?/g, "`run({ playbook: '$1' })`"],
  [/`?\bdeskhand plan (?:FILE|(\S+\.ya?ml))(?: --out \S+)?`?/g, '`plan({ playbook })`'],
  [/`?\bdeskhand validate\b(?: \S+\.ya?ml)?`?/g, '`validate({ playbooks })`'],
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

/** A text for a person who reads the errors of a program. */
export function libraryWords(text: string): string {
  return words.reduce((said, [form, replacement]) => said.replaceAll(form, replacement), text);
}
