/** Inputs of a playbook as fields of a form, from their types. An empty field is not given: its
 * default applies.
 */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';

export type Input = Answer<'GET /playbook'>['view']['inputs'][number];

/** The name of an input's field: inputs may have any name. */
export const fieldName = (name: string): string => `input.${name}`;

export function Inputs({
  inputs,
  given = new Map(),
}: {
  readonly inputs: readonly Input[];
  /** Values that are filled in, by name. */
  readonly given?: ReadonlyMap<string, string>;
}): JSX.Element | null {
  if (inputs.length === 0) return null;
  return (
    <fieldset>
      <legend>Inputs; an empty field has its default</legend>
      {inputs.map((input) => (
        <label key={input.name}>
          <span>
            <b>{input.name}</b> <span class="dim">{hintOf(input)}</span>
          </span>
          <Field input={input} given={given.get(input.name) ?? ''} />
          {input.description !== '' && <span class="dim">{input.description}</span>}
        </label>
      ))}
    </fieldset>
  );
}

function Field({ input, given }: { readonly input: Input; readonly given: string }): JSX.Element {
  const { name, type, values, isRequired } = input;
  const common = { name: fieldName(name), required: isRequired };
  const choices = type === 'boolean' ? ['true', 'false'] : values;
  if (choices.length > 0) {
    return (
      <select {...common}>
        <option value="">{input.default ?? ''}</option>
        {choices.map((value) => (
          <option value={value} selected={value === given}>
            {value}
          </option>
        ))}
      </select>
    );
  }
  const isLong = type === 'list' || type === 'map' || type === 'record';
  const shown = {
    ...common,
    placeholder: input.default ?? '',
    defaultValue: given,
    autocomplete: 'off',
  };
  if (isLong) return <textarea {...shown} rows={2} spellcheck={false} />;
  const isNumber = type === 'integer' || type === 'decimal';
  return <input type="text" {...shown} inputMode={isNumber ? 'decimal' : 'text'} />;
}

const forms: Readonly<Partial<Record<Input['type'], string>>> = {
  time: '2026-01-31T08:00:00Z',
  duration: '90s, 2h, 7d',
  list: 'a,b,c or JSON',
  map: 'JSON: {"a":"1"}',
  record: 'JSON: {"a":"1"}',
};

function hintOf(input: Input): string {
  const { type, itemType, fields, minimum, maximum, pattern, isRequired } = input;
  return [
    itemType === undefined ? type : `${type} of ${itemType}`,
    isRequired ? 'required' : '',
    itemType === 'record' ? 'JSON: [{"a":"1"}]' : (forms[type] ?? ''),
    fields.length === 0 ? '' : `with ${fields.join('; ')}`,
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    pattern === undefined ? '' : `matches ${pattern}`,
  ]
    .filter((words) => words !== '')
    .join(', ');
}
