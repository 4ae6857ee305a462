/** Names of functions in other languages that helpers have under another name. */
import { nearWord } from '../../base/text.ts';
import { didYouMean } from '../problems.ts';
import { chosenByStep } from './grammar.ts';

/**
 * An expression that does the same. `of` are its names elsewhere, in lower case without underscores, and `or` is
 * what to write where no expression does.
 */
export const forms: readonly {
  readonly form: string;
  readonly of: string;
  readonly or?: string;
}[] = [
  { form: "first (filter list 'field' 'eq' value)", of: 'find detect lookup findwhere query' },
  { form: "filter list 'field' 'eq' value", of: 'where select selectattr reject grep' },
  { form: "pluck list 'field'", of: 'map attribute collect jsonquery extract' },
  { form: 'in value list', of: 'contains includes has oneof isin' },
  { form: 'length list', of: 'size len strlen' },
  {
    form: 'length list',
    of: 'count',
    or: '{ count: rows } for a column of a table with groups',
  },
  { form: 'at list index', of: 'get nth index element item elementat' },
  { form: 'unique list', of: 'distinct uniq dedupe' },
  { form: "sort list by='field'", of: 'sortby orderby order' },
  { form: 'add a b', of: 'plus' },
  { form: 'sub a b', of: 'minus subtract diff' },
  { form: 'mul a b', of: 'times multiply product' },
  { form: 'div a b', of: 'divide' },
  { form: 'roundTo value 2', of: 'round tofixed quantize' },
  { form: 'floorTo value 0.01', of: 'floor trunc truncate' },
  { form: 'ceilTo value 0.01', of: 'ceil ceiling' },
  { form: 'eq a b', of: 'equals equal is same' },
  { form: 'default value other', of: 'ifnull nvl orelse otherwise fallback' },
  { form: 'run.time', of: 'now utcnow currenttime' },
  { form: "startOfDay run.time tz='Europe/Berlin'", of: 'today currentdate' },
  { form: 'hoursAgo 24', of: 'ago since timeago', or: '{{ daysAgo 7 }} for the start of a day' },
  { form: 'daysAgo 1', of: 'yesterday' },
  {
    form: "addTime run.time '-2h'",
    of: 'timedelta dateadd datesub addhours addminutes minutesago',
  },
  { form: "date time 'yyyy-MM-dd'", of: 'formatdate dateformat strftime formattime todate' },
  { form: 'upper text', of: 'uppercase toupper' },
  { form: 'lower text', of: 'lowercase tolower' },
  { form: 'json value', of: 'tojson stringify dumps' },
];

/** Functions of other languages that choose one of two values. */
const choices = new Set('if ifelse iif unless cond condition ternary choose when'.split(' '));

/**
 * The advice for an unknown helper: the form of a function of another language, or a similar name.
 */
export function helperHint(name: string, known: Iterable<string>): { readonly hint?: string } {
  const plain = name.toLowerCase().replaceAll('_', '');
  if (choices.has(plain)) return { hint: chosenByStep };
  const found = forms.find((each) => each.of.split(' ').includes(plain));
  if (found === undefined) return didYouMean(nearWord(name, known));
  const { form, or } = found;
  return { hint: `write {{ ${form} }}${or === undefined ? '' : `, or ${or}`}` };
}
