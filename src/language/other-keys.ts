/** Keys of other tools, and types of inputs, that a playbook has under another name. */

/** The form of each of our keys; `of` are its names in other tools, without case, dashes and underscores. */
const forms: readonly { readonly key: string; readonly form: string; readonly of: string }[] = [
  { key: 'if', form: 'if: "{{ gt inputs.size 0 }}"', of: 'when condition onlyif unless runif' },
  {
    key: 'for-each',
    form: 'for-each: "{{ inputs.items }}", and {{ each.value }} for the item',
    of: 'loop withitems withlist withdict items repeat iterate loopover count',
  },
  {
    key: 'for-each',
    form: 'for-each: { matrix: { desk: [alpha, bravo], line: [USDT-FUTURES, COIN-FUTURES] } }, and {{ each.value.desk }}',
    of: 'matrix strategy product combinations fanout',
  },
  {
    key: 'needs',
    form: 'needs: [STEP]',
    of: 'dependson depends after requires require dependencies',
  },
  {
    key: 'retry',
    form: 'retry: { attempts: 3 }',
    of: 'retries retrypolicy maxattempts attempts maxretries tries retrycount',
  },
  {
    key: 'poll',
    form: 'poll: { every: 1s, for: 20s } beside until, or a step that uses: wait',
    of: 'delay interval pause sleep backoff pollinterval',
  },
  {
    key: 'outputs',
    form: 'outputs: { name: "{{ response.field }}" }; a later step reads steps.STEP.outputs.name',
    of: 'register save output setfact export capture result storeas',
  },
  {
    key: 'on-error',
    form: 'on-error: continue',
    of: 'ignoreerrors ignoreerror continueonerror continueonfailure allowfailure failfast rescue catch',
  },
  {
    key: 'on-failure',
    form: 'on-failure: with a list of steps',
    of: 'onerror rescue catch onfail handlers notify',
  },
  {
    key: 'finally',
    form: 'finally: with a list of steps',
    of: 'always post cleanup after ensure teardown',
  },
  {
    key: 'expect',
    form: 'expect: [{ that: "{{ gt (length response) 0 }}" }]',
    of: 'assert asserts assertion that failedwhen failif check checks validate test verify',
  },
  {
    key: 'uses',
    form: 'uses: and the name of an operation (`deskhand explain` lists them); a program is uses: shell/run',
    of: 'action call operation op task module function type run script command cmd shell request',
  },
  {
    key: 'uses',
    form: 'uses: approve, with: { text: Buy it?, for: 2h }',
    of: 'approve approval confirm gate manual prompt ask',
  },
  {
    key: 'with',
    form: 'with: { field: value }',
    of: 'params parameters args arguments input inputs body data env vars payload',
  },
  { key: 'timeout', form: 'timeout: 30s', of: 'timeoutminutes timeoutseconds timeoutms timelimit' },
  {
    key: 'parallel',
    form: 'parallel: 4',
    of: 'concurrency maxparallel forks throttle parallelism maxconcurrent async',
  },
  {
    key: 'uses',
    form: 'a step with uses: report/table, with: { from: STEP, where: "{{ gt row.size 0 }}" }',
    of: 'where filter select groupby sort orderby sortby join having aggregate',
  },
  {
    key: 'write',
    form: 'write: { file: "out/rows.csv", columns: { symbol: "{{ row.symbol }}" } }',
    of: 'columns file csv saveas outfile',
  },
  {
    key: 'name',
    form: 'name: what the step does, or a comment after #',
    of: 'description title label comment',
  },
  {
    key: 'account',
    form: 'account: PROFILE',
    of: 'profile credentials exchange hosts connection apikey secrets',
  },
  {
    key: 'steps',
    form: 'steps: with a list of steps',
    of: 'jobs tasks stages workflow actions plays',
  },
  {
    key: 'inputs',
    form: 'inputs: { size: { type: decimal, default: "0.01" } }',
    of: 'vars variables params parameters args env arguments',
  },
  {
    key: 'schedule',
    form: 'schedule: [{ cron: "15 2 * * *", timezone: "+08:00" }]',
    of: 'on cron trigger triggers schedules every',
  },
  { key: 'playbook', form: 'playbook: 1', of: 'version apiversion schema' },
  {
    key: 'defaults',
    form: 'defaults: { timeout: 10s, retry: { attempts: 5 } }',
    of: 'retry timeout retries options settings',
  },
  { key: 'minimum', form: 'minimum:', of: 'min gte' },
  { key: 'maximum', form: 'maximum:', of: 'max lte' },
  {
    key: 'values',
    form: 'type: enum with values: [a, b]',
    of: 'choices options enum allowed oneof',
  },
  {
    key: 'default',
    form: 'default: VALUE; an input without a default is required',
    of: 'required optional value',
  },
  { key: 'pattern', form: 'pattern: "^[a-z]+$"', of: 'regex regexp match format' },
  { key: 'attempts', form: 'attempts: 3', of: 'max count limit times retries maxattempts' },
  { key: 'that', form: 'that: "{{ gt rows 0 }}"', of: 'if assert condition expression expr when' },
  { key: 'message', form: 'message: TEXT', of: 'msg failmsg text description' },
  { key: 'file', form: 'file: "out/rows.csv"', of: 'path to dest destination output filename' },
  { key: 'every', form: 'every: 1s', of: 'interval delay' },
  { key: 'for', form: 'for: 20s', of: 'timeout max duration' },
];

/** The form to write instead of a key of another tool; undefined for any other key. */
export function keyHint(key: string, known: readonly string[]): string | undefined {
  const plain = key.toLowerCase().replaceAll(/[-_]/g, '');
  const found = forms.find(
    (each) => known.includes(each.key) && each.of.split(' ').includes(plain),
  );
  return found && `write ${found.form}`;
}

/** The type of an input to write; `of` are its names elsewhere, in small letters. */
const types: readonly { readonly type: string; readonly of: string }[] = [
  { type: 'string', of: 'str text char varchar password secret url uuid' },
  { type: 'integer', of: 'int int32 int64 long count' },
  { type: 'decimal', of: 'number float double real num numeric price amount' },
  { type: 'boolean', of: 'bool flag checkbox yesno' },
  { type: 'time', of: 'date datetime timestamp date-time instant' },
  { type: 'duration', of: 'interval timespan timedelta' },
  { type: 'enum with values: [a, b]', of: 'choice choices select options oneof literal union' },
  { type: 'list with items: { type: decimal }', of: 'array sequence tuple set vector slice' },
  { type: 'map with items: { type: decimal }', of: 'object dict dictionary hash any json' },
  { type: 'record with fields:', of: 'struct dataclass model' },
  {
    type: 'list with items: { type: record, fields: {…} }, and give it with --var-file NAME=FILE',
    of: 'file csv path table rows dataframe yaml',
  },
];

/** The form to write instead of a type that inputs do not have; undefined for any other word. */
export function typeHint(given: string, known: readonly string[]): string | undefined {
  const found = formFor(given, known);
  return found && `write type: ${found}`;
}

/** The type to write for a word, which may be one; undefined for any other word. */
export function typeFor(given: string, known: readonly string[]): string | undefined {
  const form = known.includes(given) ? given : formFor(given, known);
  return form && firstWord(form);
}

function formFor(given: string, known: readonly string[]): string | undefined {
  return types.find(
    ({ type, of }) =>
      known.includes(firstWord(type)) && of.split(' ').includes(given.toLowerCase()),
  )?.type;
}

function firstWord(text: string): string {
  return text.split(' ', 1)[0] ?? '';
}
