/** The codes that `error[…]` prints, with their cause and what to do. */

export const errorNames = {
  usage: 'The command line is not valid. Nothing was read or sent. Run the command with --help.',
  config:
    'A configuration file or an environment variable is wrong or missing. Nothing was sent. Correct the file and the field that the message names.',
  account:
    'The key belongs to another account-id, or deskhand cannot tell whether an earlier write with another key was on this account. Nothing was sent. Record which account the key belongs to with `deskhand keys former FINGERPRINT` or `deskhand keys other FINGERPRINT`.',
  credentials:
    'A key, its secret or its passphrase is missing, is in a file that other users can change or that has a line with two readings, is too short to be masked in output, or would be sent unencrypted. Nothing was sent. Run `deskhand doctor` to see where deskhand looks for the key. A file that others can only read, as platforms mount secrets, is used with a warning.',
  input:
    'An input of an operation violates the API schema. Nothing was sent. Correct the field that the message names; `deskhand explain OPERATION` lists the fields.',
  unavailable:
    'Every attempt failed before the exchange executed anything, or was refused by a rate limit longer than the timeout. Continue a run with `deskhand resume RUN`; run any other command again.',
  proxy:
    'The HTTP proxy opened no tunnel, so nothing was sent through it. The message names the proxy and where it comes from. HTTP 407: it requires a login, or refuses the one in its address. HTTP 403: it does not allow the server. Run `deskhand doctor`, which shows the proxy in effect and checks it.',
  'in-doubt':
    'A write may or may not have happened. It is not sent again until its outcome is known. Run `deskhand resume RUN`, which looks it up on the exchange, or record what the exchange shows of all of them with `deskhand resolve RUN --from-exchange`, or the outcome of one with `deskhand resolve RUN ADDRESS --absent`.',
  answer:
    'A response has no readable list or cursor, or a field that a decision needs cannot be read in the row that the message names. Other odd values never fail a read. Run the command again; if it fails again, the interface of the exchange has changed.',
  guard:
    'A limit of the playbook or the profile blocks this plan. Nothing was sent. Change the playbook, or ask the owner of the guard to change the limit.',
  locked:
    'Another run is writing to this account, or deskhand cannot tell whether it still is. Wait for it, or, if its process or machine is gone, run `deskhand runs unlock RUN`.',
  approval:
    'The run needs an approval: LIVE typed at the prompt, --approve with the id of the plan, or signed approvals where the profile requires them.',
  declined:
    'A person who may approve declined what follows an approve step. Nothing of it was sent, and the decision is final: no resume asks again. Start a new run after they agree.',
  unanswered:
    'The time of an approve step is over without enough approvals. Nothing that follows it was sent, and no resume asks again. Start a new run, or give people more time with for.',
  'other-than-approved':
    'A step would have sent something else than people approved at an approve step, so nothing of it was sent. Start a new run, and have it approved again.',
  'stale-plan':
    'The playbook, the account or the market changed since the plan was saved. Nothing was sent. Make a new plan and review it.',
  'not-started':
    'An item of a for-each was not started, because as many items as max-failures allows had failed before it. Nothing was sent for it. Correct the cause of the failures that the run shows, and run the playbook again.',
  reuse:
    'A run cannot take over the results of an earlier one: that run is not over, or a step that would be reused failed, was changed since, read another input, or wrote a file that is not there as it was; or another run already did the rest of it. Nothing was sent. Execute the step that the message names, too, with a further --from, or continue the earlier run with `deskhand resume RUN`. If only a changed playbook can do its rest, set it aside first: `deskhand runs set-aside RUN --reason WHY`.',
  unfinished:
    'An earlier run of the playbook sent something and did not end as done, so another one could do it twice. Nothing was sent. Continue that run with `deskhand resume RUN`; or, when its orders are taken care of, set it aside with `deskhand runs set-aside RUN --reason WHY`.',
  'plan-too-large':
    'The values that the expressions of the plan use are larger than 4 MiB. Read less data, or write the rows to a file.',
  'pauses-damaged':
    'The record of paused schedules cannot be read, so no schedule is started. See `deskhand schedule log` for pauses, remove the named file, and pause again.',
  'slot-taken':
    'The run for this occurrence of the schedule was already started. Each occurrence runs once. Resume that run if it is not finished.',
  journal:
    'The journal of a run is damaged or missing, so orders of that run may exist. This command changed and sent nothing. Run `deskhand runs show RUN` to see what can be read and what to do.',
  disk: 'The journal could not be written. Nothing is sent without a journal entry, so the run stopped. Free space or repair the disk, then run `deskhand resume RUN`.',
  evaluation:
    'An expression of the playbook has no result with the current values. Correct the expression; use default for values that may be missing.',
  interrupted:
    'The run was interrupted. Requests in progress were awaited and no others were sent. Continue with `deskhand resume RUN`.',
  invalid:
    'The playbook, its inputs or a scenario have errors; each is shown with its location. Nothing was sent. Correct them and run `deskhand validate`.',
  unfit:
    'An order does not fit the rules of its symbol or account on the sandbox; its values were known only after an earlier step. It was not sent. Correct the price, size or margin coin that the message names.',
  'clientoid-taken':
    'Two orders of one run have the same clientOid, so the exchange would treat them as one. The second was not sent. Give each order its own clientOid, or omit the field.',
  decided:
    'The run continued after this failure, or its on-failure or finally acted on it, so the failed step is not retried. Doubts are still settled. Start a new run for the rest.',
  expectation:
    'A response did not meet an expect of the playbook. Earlier steps remain done; no later step was sent. Check the response with `deskhand runs show RUN`.',
  'not-set':
    'The exchange accepted a value, such as a leverage, and the account still showed another one after about ten seconds. The step failed. Check the value on the exchange; `deskhand resume RUN` sets it again.',
  'record-full':
    'The record of a run has a bound of 256 MiB, so that it can always be read again. Nothing more was begun; what was in progress was finished and recorded. Start another run for the rest. Reads of many rows with a `write` keep them out of the record.',
  'poll-ended':
    'A read was repeated as long as poll allows and its until remained false. The journal has the last response. Poll longer, or correct until.',
  failure:
    'The exchange accepted the request and answered failure without a reason. No symbol was changed. Check the open positions and the leverage limits of the symbols.',
  'no-progress':
    'A list returned the same page again, or a time range has more rows than the exchange returns, so the rows cannot be read completely. No file was written. The message says whether repeating can help; otherwise read a shorter time range or select fewer rows.',
  changed:
    'The run has a step with the same name but other content than at its start, so its journal and its playbook do not match. Nothing more was sent. Start a new run.',
  job: 'A queued run did not begin: its worker refused it, or a person cancelled it. The message has the reason. Correct it and queue the plan again, or a new one. `deskhand workers` lists what is queued.',
  state:
    'The state store cannot be reached, or its history was changed. Other machines could not see what this run sends, so nothing was sent. Repair the remote, the ref or the database and run again.',
  comment:
    'The comment on the pull request or merge request could not be read or written. No account was used. Check the token and its permissions.',
  'too-many-items':
    'The for-each steps of the run have more items in total than one run may have. Nothing was sent. Split the playbook or reduce the items.',
  'too-many-rows':
    'A response has more rows than are kept in memory. Add write to the step: files have no such limit.',
  program:
    'A program of shell/run could not be started, timed out, printed too much or exited with a code other than 0. Check the command and its timeout.',
  'file-name':
    'A file name is outside the workspace or not valid on this machine. Nothing was written. Choose another name.',
  'file-in-the-way':
    'A file that deskhand did not write exists at this path. It was not changed. Move it or choose another path.',
  'file-locked':
    'Another run is writing this file, or its process ended and may not have released it. The file was not changed. Wait, or write to another name.',
  'file-elsewhere':
    'A run continues on another machine, and a file that it wrote is only on the first one. Nothing was read instead. Continue it there, or run it again with outputs: { keep: store }.',
  'file-too-large':
    'The page and the files of a notice have more than 10 MB together. Nothing was sent. Attach fewer or smaller files, such as .csv.gz.',
  'file-format':
    'The extension of the file is not a supported format. Use csv, ndjson, json, parquet or xlsx, or set format.',
  chart:
    'The chart could not be drawn: its spec is not valid Vega-Lite, or the drawing is too large. Other steps are not affected. Correct the spec.',
  'file-changed':
    'A file that a later step reads does not match its manifest: it was changed, truncated or removed. It was not used. Write it again with a new run.',
  'too-many-groups':
    'A table keeps every group and every joined row in memory, and there are too many. Group the rows in an earlier step, or read fewer.',
  'two-partners':
    'A join matches at most one row per row, and two matched, so a sum would count one of them twice. Group the joined rows first, or join on more columns.',
  'no-partner':
    'A join with missing: stop found a row without a match. No file was written. Use missing: drop, or correct the columns of the join.',
  'duplicate-row':
    'Two rows have the same values in the columns of unique and differ in others. No file was written. Add a column to unique.',
  'too-many-columns': 'The rows have more columns than the format allows. Select columns.',
  'disk-full':
    'The disk is full. The file was not created. Free space, then run `deskhand resume RUN`.',
  absent:
    'A person recorded that a write in doubt never happened, after the lists of the exchange were checked. Run `deskhand resume RUN` to send it.',
  evidence:
    'The recorded outcome contradicts what the exchange shows, or the request may still be executed. The action remains in doubt. Wait, or check the id.',
  recorded:
    'A replay reached a read that failed when the run was recorded; the journal keeps only its error message. Run the playbook again for current values.',
  issuer:
    'The OpenID Connect issuer of the page did not answer, or its answer failed a check. The person was not signed in. Check serve.auth in deskhand.yaml and the client at the issuer.',
  notice:
    'A notification was not delivered. The run itself is not affected. Check the address and the network.',
  path: 'A tool of `deskhand mcp` was asked for a file that it does not read or write: outside its folder, hidden, a link to such a file, or one that exists. Nothing was read or written. Name an ordinary file in the folder.',
  'tool-limit':
    'A call to `deskhand mcp` took too long, would return too much, or too many calls were waiting. Ask for less, or run the command in a terminal.',
  'config-changed':
    'deskhand.yaml changed after `deskhand mcp` was started, so no key was used with it. Read the change, then start the server again.',
  'sandbox-state':
    'The files of the sandbox cannot be read. Run `deskhand sandbox reset -p sandbox` to create a new world.',
  internal:
    'deskhand found a state that its own logic excludes, and stopped. This is a bug: run again with --log-level debug and report the output.',
} as const satisfies Readonly<Record<string, string>>;

export type ErrorName = keyof typeof errorNames;

export function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(errorNames, name);
}
