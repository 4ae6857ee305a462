/** `notify/webhook`: makes the notification of a step and sends it, after everything in it is checked. */
import { digestOf, type Json } from '../../base/json.ts';
import { runAddress } from '../../base/run-address.ts';
import { shellWord } from '../../base/text.ts';
import type { Item } from '../plan/items.ts';
import { refuseFiles } from '../plan/notice-files.ts';
import { channelFor } from '../../language/channels/index.ts';
import type { TextTable } from '../../base/text-table.ts';
import { isPlainMap, textOf } from '../../language/expression/helpers/define.ts';
import { knownValue } from '../../language/expression/known.ts';
import { EvaluationError, isList, type Value } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import { literalText } from '../../language/tables.ts';
import type { EffectContext } from './effect-context.ts';
import { tableOf } from './page.ts';
import { runFiles } from './run-file.ts';
import type { NoticePage, StepNotice } from './step-notice.ts';
import { withoutIn } from './without.ts';

const rowsUsual = 20; // rows of a table in a message; its file has all of them

/**
 * Everything that a step sends, except the address.
 * @param address which decides the channel if the step does not
 * @throws EvaluationError, ExportError for a file that cannot be attached, ConfigError for a channel
 * that takes no files
 */
export async function noticeOf(
  step: Step,
  item: Item,
  address: string,
  context: EffectContext,
): Promise<StepNotice> {
  const { runId: run, playbook, destination } = context;
  const [text, subject, format] = ['text', 'subject', 'format'].map((name) =>
    textIn(step, item, name),
  );
  if (text === undefined || text === '') {
    throw new EvaluationError(`${step.path}: text must be a text`);
  }
  if (URL.canParse(address)) {
    refuseFiles(step, channelFor({ ...(format !== undefined && { format }) }, new URL(address)));
  }
  const table = await tableIn(step, item, context);
  const { page, missing, attached } = await filesIn(step, item, context);
  return {
    text: missing === undefined ? text : `${text}\n\n${missing}`,
    id: digestOf([run, item.address]).slice(0, 16),
    playbook: playbook.name,
    target: destination.target,
    run,
    ...(format !== undefined && { format }),
    ...(subject !== undefined && { subject: subject.replaceAll(/\s+/g, ' ').trim() }),
    ...(table && { table }),
    ...(page && { page }),
    ...(attached.length > 0 && { attached }),
    ...(literalText(step.with.get('link')) === 'true' && linkTo(context)),
  };
}

/** The content of a notice for the record of the run, without its address. */
export function noticeRecord({ id, subject, page, attached = [] }: StepNotice): Json {
  return {
    sent: true,
    ...(id !== undefined && { id }),
    ...(subject !== undefined && { subject }),
    ...(page && { page: page.file }),
    ...(attached.length > 0 && { attached: attached.map(({ file }) => file) }),
  };
}

async function tableIn(
  step: Step,
  item: Item,
  context: EffectContext,
): Promise<TextTable | undefined> {
  const id = literalText(step.with.get('table'));
  if (id === '') return undefined;
  const most = Number(literalText(step.with.get('rows'))) || rowsUsual;
  const { scope } = item;
  const part = await tableOf(step.with, most, scope, context);
  if (part.kind !== 'table') {
    return {
      columns: [],
      rows: [],
      left: 0,
      notes: [`${id} was not done: its rows are missing here.`],
    };
  }
  const without = withoutIn(id, scope, context.playbook);
  return context.documents.table({ ...part, ...(without.length > 0 && { without }) });
}

/** The page and the attachments of a notice, which have one limit together. */
async function filesIn(step: Step, item: Item, context: EffectContext) {
  const id = literalText(step.with.get('page'));
  const file = id === '' ? undefined : pageFile(id, item);
  const names = attachedIn(step, item);
  const entries = await context.entries();
  const all = [...(file === undefined ? [] : [file]), ...names];
  const contents = await runFiles(all, entries, context);
  const attached = names.map((name, at) => ({
    file: name,
    content: contents[all.length - names.length + at] ?? Buffer.alloc(0),
  }));
  const page = file === undefined ? undefined : pageOf(file, String(contents[0]), context);
  const missing = id !== '' && file === undefined ? `The page ${id} was not written.` : undefined;
  return { page, missing, attached };
}

function pageOf(file: string, text: string, { documents }: EffectContext): NoticePage {
  if (file.endsWith('.md')) return { file, text };
  // Programs of e-mail run no scripts, and their filters suspect them.
  const html = text.replaceAll(/<script>[^]*?<\/script>/g, '');
  return { file, html, text: documents.plain(text) };
}

/** The file of a page; undefined if the page was not written. */
function pageFile(id: string, { scope }: Item): string | undefined {
  const step = isPlainMap(scope.steps) ? scope.steps[id] : undefined;
  const response = isPlainMap(step) ? step['response'] : undefined;
  const file = isPlainMap(response) ? response['file'] : undefined;
  return typeof file === 'string' ? file : undefined;
}

/** The files of `attach`: each a name, or the names of the items of a for-each. */
function attachedIn(step: Step, { scope }: Item): readonly string[] {
  const template = step.with.get('attach');
  if (template === undefined) return [];
  return [...new Set(namesIn(knownValue(template, scope, 'attach'), step))];
}

function namesIn(value: Value, step: Step): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap((each) => namesIn(each, step));
  if (isPlainMap(value)) return Object.values(value).flatMap((each) => namesIn(each, step));
  throw new EvaluationError(`${step.path}: attach must be names of files`);
}

function linkTo({ runId, pages }: EffectContext): Pick<StepNotice, 'link' | 'command'> {
  return pages === undefined
    ? { command: `deskhand runs show ${shellWord(runId)}` }
    : { link: runAddress(pages, runId) };
}

function textIn(step: Step, { scope }: Item, name: string): string | undefined {
  const template = step.with.get(name);
  return template && textOf(knownValue(template, scope, name));
}
