/** A finished run as a comment for a pull request. */
import { count, grouped, listed, spoken, shellWord } from '../../base/text.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Group } from '../achievements.ts';
import { orphanLines, orphansHint, orphansWords } from '../orphans.ts';
import { notionalWords, urgentFirst, type OrderLine } from '../orders.ts';
import { summaryOf, type Summary } from '../summary.ts';
import { groupedNumber } from '../request.ts';
import { beginsWords, moment, money, sizeOf } from '../words.ts';
import { fitted, type Block } from './fit.ts';
import { code, codeBlock, marker, points, prose, tableRow, wordList } from './text.ts';

/**
 * At most 60,000 characters: rows that do not fit are left out whole and counted.
 * @param entries a whole journal, in order
 */
export function runMarkdown(entries: readonly Entry[]): string {
  const summary = summaryOf(entries);
  return fitted([
    marker('run', summary.playbook.name),
    `### ${signs[summary.status]} ${prose(summary.playbook.name)}: ${prose(summary.headline)}`,
    facts(summary),
    `**${prose(summary.lead)}** ${prose(summary.rest)}`,
    ...stop(summary),
    answers(summary),
    ...warnings(summary),
    ...orders(summary),
    ...files(summary),
    ...guards(summary),
    next(summary),
  ]);
}

const signs = { done: '✔', stopped: '✖', doubt: '?', interrupted: '○', unfinished: '○' } as const;

function facts(summary: Summary): string {
  const { destination, run, plan, approvedBy, commit, scheduledFor } = summary;
  const { startedAt, tookMs, requests } = summary;
  return [
    `**${destination.target === 'live' ? 'LIVE' : 'SANDBOX'}** ${code(destination.profile)}`,
    `run ${code(run)}`,
    ...(plan === undefined ? [] : [`plan ${code(plan)}`]),
    ...(approvedBy === undefined ? [] : [`approved by ${listed(approvedBy.map(code))}`]),
    ...(commit === undefined ? [] : [`commit ${code(commit)}`]),
    ...(scheduledFor === undefined ? [] : [`scheduled for ${moment(scheduledFor)} UTC`]),
    `${moment(startedAt)} UTC, ${spoken(tookMs)}`,
    count(requests, 'request'),
  ].join(' · ');
}

function stop({ stop: found }: Summary): Block[] {
  if (found === undefined) return [];
  const { code: number, message, hint, file, line, excerpt } = found;
  const title = found.continues ? 'What failed' : 'Why it stopped';
  const head = `**${title}:** ${code(`${number} ${message}`)}`;
  const place = code(line === undefined ? file : `${file}:${line}`);
  const where = hint === undefined ? place : `${place}: ${prose(hint)}`;
  const lines = excerpt.flatMap(({ number: at, text, isMarked, sent }) => [
    `${isMarked ? '>' : ' '} ${String(at).padStart(4)} | ${text}`,
    ...(sent === undefined ? [] : [`       |   sent as ${sent}`]),
  ]);
  return [head, ...(lines.length === 0 ? [] : [codeBlock(lines)]), where];
}

/** Writes in doubt come first. */
function answers({ done, refused, inDoubt, notSent, skipped, run }: Summary): Block {
  const group =
    (word: string) =>
    ({ text, detail }: Group): string =>
      tableRow([word, prose(text), code(detail)]);
  return {
    head: [tableRow(['', 'What', 'Detail']), tableRow(['---', '---', '---'])],
    rows: [
      ...inDoubt.map(({ what, because, clientOid }) =>
        tableRow([
          '**? in doubt**',
          code(what),
          `${code(because)}${clientOid === undefined ? '' : ` clientOid ${code(clientOid)}`}`,
        ]),
      ),
      ...refused.map(({ what, by, code: number, message }) =>
        tableRow([
          by === 'exchange' ? '✖ refused' : '✖ failed',
          code(what),
          code(`${number} ${message}`),
        ]),
      ),
      ...done.map(group('✔ done')),
      ...notSent.map(group('○ not sent')),
      ...skipped.map(group('○ skipped')),
    ],
    more: (left) => leftOut(left, run),
  };
}

function warnings({ warnings: found, files: written, bases, orphans }: Summary): Block[] {
  const lines = [
    ...(orphans.length === 0
      ? []
      : [
          `! **${prose(orphansWords(orphans.length))}**: ${prose(orphansHint)}`,
          ...orphanLines(orphans).map((line) => code(line)),
        ]),
    ...bases.flatMap(({ warning }) =>
      warning === undefined ? [] : [`- ! **${prose(warning.text)}**: ${prose(warning.because)}`],
    ),
    ...found.map(({ address, message, line }) => {
      return `! ${code(message)}, expected of ${code(address)} at line ${line}`;
    }),
    ...written.flatMap(({ file, clamped }) => {
      if (clamped === undefined) return [];
      return [`! ${code(file)} ${beginsWords(clamped)}: the exchange keeps no older data`];
    }),
  ];
  return lines.length === 0 ? [] : [points(lines)];
}

function orders({ orders: all, run }: Summary): Block[] {
  if (all.length === 0) return [];
  const there = all.filter(({ standing }) => standing === 'done' || standing === 'found');
  const sum = there.length === 0 ? '' : `, ${notionalWords(there)} placed`;
  const names = [
    'State',
    'Symbol',
    'Side',
    'Size',
    'Price',
    'Terms',
    'Notional',
    'clientOid',
    'Evidence',
  ];
  const alignment = ['---', '---', '---', '--:', '--:', '---', '--:', '---', '---'];
  return [
    {
      before: `<details><summary>${count(all.length, 'order')}${prose(sum)}</summary>`,
      head: [tableRow(names), tableRow(alignment)],
      rows: urgentFirst(all).map(orderRow),
      more: (left) => leftOut(left, run),
      after: '</details>',
    },
  ];
}

function orderRow(order: OrderLine): string {
  const { state, symbol, side, size, price, terms, notional, coin, clientOid, how } = order;
  return tableRow([
    prose(state.replaceAll('_', ' ')),
    code(symbol),
    prose(side),
    prose(groupedNumber(size)),
    price === '' ? 'market' : prose(groupedNumber(price)),
    prose(terms.join(', ')),
    notional === undefined ? '–' : `${money(notional)} ${prose(coin)}`,
    code(clientOid),
    prose(how),
  ]);
}

function files({ files: all, run }: Summary): Block[] {
  if (all.length === 0) return [];
  return [
    {
      head: [tableRow(['File', 'Rows', 'Size', 'sha256']), tableRow(['---', '--:', '--:', '---'])],
      rows: all.map(({ file, rows, bytes, sha256 }) =>
        tableRow([code(file), grouped(String(rows)), sizeOf(bytes), code(sha256.slice(0, 16))]),
      ),
      more: (left) => leftOut(left, run),
    },
  ];
}

function guards({ guards: all }: Summary): string[] {
  if (all.length === 0) return [];
  const words = all.map(({ guard, used, limit, isKept }) => {
    return `${isKept ? '' : '✖ '}${code(guard)} ${prose(used || 'none')} of ${prose(limit)}`;
  });
  return [`Guards: ${wordList(words)}`];
}

function next({ next: commands }: Summary): string {
  const lines = commands.map(({ command, why }) => `- ${code(command)} ${prose(why)}`);
  return ['**Next**', ...lines].join('\n');
}

function leftOut(left: number, run: string): string {
  return `… ${count(left, 'more row')}: ${code(`deskhand runs show ${shellWord(run)}`)}`;
}
