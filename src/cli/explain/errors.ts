/** The names that stand in `error[…]`, explained. */

/** Why an error of a name comes up, and what it leaves behind. */
export const errorNames = {
  usage: 'The command line was not understood. Nothing was read or sent.',
  config:
    'A configuration file or a variable is wrong or missing. Nothing was sent. The message names the file and the field.',
  credentials:
    'A key, its secret or its passphrase is missing, may be read by others, or would be sent unencrypted. Nothing was sent.',
  input:
    'An operation’s input breaks the contract. It was checked before sending; nothing was sent.',
  unavailable: 'Every attempt failed before the exchange executed anything. Running again is safe.',
  'in-doubt':
    'A write may or may not have happened. It is never sent again until that is known: «deskhand resume RUN» asks the exchange first.',
  answer: 'The exchange answered a read in a shape the contract does not know.',
  guard:
    'A limit of the playbook or of the profile holds this plan back. Nothing was sent. Only the owner of the guard can loosen it.',
  locked:
    'Another run is writing on this account. Two runs at once could pass every check and still double.',
  approval:
    'A live run needs a person’s word: LIVE typed at the prompt, or --approve with the plan’s id.',
  'stale-plan':
    'The saved plan no longer fits: the playbook or the account changed since. Plan again and review.',
  'slot-taken':
    'The run for this time of a schedule was begun already. A time is run once; what is left of its run can be resumed.',
  journal: 'A run’s record is damaged. Nothing in it was changed and nothing was sent.',
  disk: 'The record could not be written. Nothing is sent without its record, so the run stopped.',
  evaluation: 'An expression of the playbook could not be evaluated with the values that arrived.',
  interrupted:
    'A person stopped the run. What was under way was waited for; the rest was not sent.',
  invalid:
    'The playbook, its inputs or a scenario have errors, each shown in its place. Nothing was sent.',
  unfit:
    'An order does not fit its symbol or its account, as the sandbox tells them, by a value that was known only after a step. It was not sent.',
  'clientoid-taken':
    'Two orders of one run carry the same clientOid, so the exchange would take them for one. The second was not sent.',
  expectation:
    'An answer was not as an expect of the playbook demands. What was done before stays done; nothing after it was sent.',
  'poll-ended':
    'A read was repeated for as long as poll allows and its until stayed false. The last answer is in the journal.',
  failure:
    'The exchange took the request and answered failure: no symbol was changed. It gives no reason with that word.',
  'no-progress':
    'A list was read page by page and stopped going forward, or a window held more than is given out, so its rows cannot be had whole. No file was written from it.',
  changed:
    'The run met something under a name that stood for something else when it began, so its journal and its playbook do not belong together. Nothing more was sent; begin a new run.',
  state:
    'The state store cannot be reached or is not as it was left, so other machines would not know what is sent. Nothing was; mend the remote or the ref and run again.',
  comment:
    'The comment on the pull or merge request could not be read or written. No account was touched; check the token and its rights.',
  'too-many-rows':
    'An answer has more rows than are kept in memory. With write they go to a file, however many there are.',
  program:
    'A program of shell/run could not be started, took too long, printed too much or ended with a code other than 0.',
  'file-name':
    'A file’s name leads out of the workspace or is one this machine cannot have. Nothing was written.',
  'file-in-the-way':
    'Something that is no file of ours stands where a file was to be written. It was left as it is.',
  'file-format':
    'The ending of a file’s name is no format rows can be written in; format: can say it.',
  chart:
    'A chart could not be drawn from its spec and its rows: the spec is no Vega-Lite, or the drawing would be too large. Nothing else is touched by that.',
  'file-changed':
    'A file that a later step reads is not what its manifest says: it was changed, cut or taken away. Nothing was made of it.',
  'too-many-groups':
    'A table keeps every group and every joined row in memory, and there are more than it may keep. Group the rows in a step before, or take fewer.',
  'two-partners':
    'A join takes at most one row beside each row, and two were there: a sum over both would count twice. Group the joined rows first, or join on more columns.',
  'no-partner': 'A join with missing: stop found a row without a partner. No file was written.',
  'duplicate-row':
    'Two rows share the columns that unique names, and differ in others. No file was written from them.',
  'too-many-columns':
    'The rows have more columns than the format can hold. Name the ones you need.',
  'disk-full': 'The disk is full. No part of the file was left under its name.',
  absent:
    'A write was in doubt, and a person said, after the exchange’s lists were looked through, that it never happened.',
  evidence:
    'A person’s word on a doubt does not fit what the exchange shows, or it is too early to know. The action stays in doubt.',
  recorded:
    'A recorded run is played again, and this read failed when it was recorded; the record keeps only the words.',
  notice: 'A notice to another system was not delivered. The run itself is not touched by that.',
  'sandbox-state':
    'The built-in exchange’s folder cannot be read back. A reset begins a new world.',
  internal: 'Something deskhand’s own logic rules out has happened. It stopped rather than go on.',
} as const satisfies Readonly<Record<string, string>>;

export type ErrorName = keyof typeof errorNames;

export function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(errorNames, name);
}
