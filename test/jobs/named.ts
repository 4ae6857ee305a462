/** The same playbook with values that have a name: those of `let` mean what was written in their place. */
import type { Choice } from './features.ts';

type Fields = Readonly<Record<string, unknown>>;

/** @param content a playbook; anything else is unchanged */
export function withNames({ let: names }: Choice, content: Fields): Fields {
  if (names === 'none' || !Array.isArray(content['steps'])) return content;
  const top = new Map<string, string>();
  const ofTop = (value: unknown): unknown => {
    if (names === 'step' || !isOfInputs(value)) return value;
    top.set(value, top.get(value) ?? `value-${top.size + 1}`);
    return `{{ let.${top.get(value)} }}`;
  };
  const inStep = (step: Fields): Fields => {
    const named = withTop(step, ofTop);
    return names === 'top' ? named : withOwn(named);
  };
  const lists = ['steps', 'on-failure', 'finally'].flatMap((key) => {
    const list = content[key];
    return Array.isArray(list) ? [[key, list.map(inStep)] as const] : [];
  });
  const steps = Object.fromEntries(lists);
  const values = [...top].map(([value, name]) => [name, value]);
  return { ...content, ...(values.length > 0 && { let: Object.fromEntries(values) }), ...steps };
}

/** The parts of a step that may name a value of the playbook. */
function withTop(step: Fields, ofTop: (value: unknown) => unknown): Fields {
  const parts = ['account', 'for-each', 'if'].flatMap((key) =>
    key in step ? [[key, ofTop(step[key])] as const] : [],
  );
  return { ...step, ...Object.fromEntries(parts), ...withFields(step, ofTop) };
}

/** Gives expressions and numbers of a step names in the step; words stay where a mistake in them is looked for. */
function withOwn(step: Fields): Fields {
  if (/^report\/|^notify\//.test(String(step['uses']))) return step;
  const named: Record<string, unknown> = {};
  const fields = withFields(step, (value, field) => {
    if (typeof value !== 'string' || !/^(?:\{\{|\d)(?!.*secrets\.)/.test(value)) return value;
    named[field] = value;
    return `{{ let.${field} }}`;
  });
  return Object.keys(named).length === 0 ? step : { ...step, let: named, ...fields };
}

function withFields(step: Fields, named: (value: unknown, field: string) => unknown): Fields {
  if (step['with'] === undefined) return {};
  const entries = Object.entries(Object(step['with']));
  return {
    with: Object.fromEntries(entries.map(([field, value]) => [field, named(value, field)])),
  };
}

/** Whether a value is one expression over the inputs alone. */
function isOfInputs(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\{\{[^}]*\binputs\.[^}]*\}\}$/.test(value) &&
    !/\b(?:steps|each|secrets|failure|let)\./.test(value)
  );
}
