/** The limits of a new playbook that writes, and how often the same content is written. */
import { decimal, decimalText, isDecimalText, roundTo } from '../../base/decimal.ts';
import { UsageError } from '../../base/error.ts';
import { listed } from '../../base/text.ts';
import { keyedWriteOf } from '../../exchange/api/meant-order.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Args } from '../context.ts';
import type { Ask } from './questions.ts';

export interface Write {
  /** The step's name in the ledger. */
  readonly id: string;
  readonly guards: ReadonlyMap<string, string>;
  /** How often the same content is written; absent where a repeated write changes nothing. */
  readonly oncePer?: string;
}

/** The answers so far. */
interface Draft {
  readonly operation: OperationName;
  readonly fields: ReadonlyMap<string, string>;
  readonly cron?: string;
}

/** Asks for what limits a write. @throws UsageError for an answer that is none */
export async function writeFrom(args: Args, ask: Ask, draft: Draft): Promise<Write> {
  const { operation, fields } = draft;
  const { effect, ends, sets } = operationOf(operation);
  const once = new Map([['max-writes', '1']]);
  if (effect === 'keyed') return orderFrom(args, ask, draft);
  if (args.text('max-notional') !== undefined) {
    throw new UsageError('--max-notional is for orders', `${operation} places none`);
  }
  if (effect === 'once') return { id: 'account', guards: once, oncePer: 'playbook' };
  if (ends !== undefined) return { id: 'cancel', guards: once };
  const leverage = sets?.value === 'leverage' ? fields.get(sets.value) : undefined;
  if (leverage !== undefined) once.set('max-leverage', leverage);
  return { id: 'set', guards: once };
}

async function orderFrom(args: Args, ask: Ask, { operation, fields, cron }: Draft): Promise<Write> {
  const names = keyedWriteOf(operation)?.fields;
  const [price = '', size = '', symbol = ''] = [names?.price, names?.size, names?.symbol].map(
    (name) => name && fields.get(name),
  );
  const worth = isDecimalText(price) && isDecimalText(size) ? worthOf(price, size) : undefined;
  const most =
    args.text('max-notional') ??
    (await ask({
      flag: '--max-notional',
      text: 'How much may it be worth at most, in dollars?',
      ...(worth !== undefined && { initial: worth }),
    }));
  if (most === undefined) {
    throw new UsageError('--max-notional is missing', 'the value in dollars that no order exceeds');
  }
  if (!isDecimalText(most)) throw new UsageError('--max-notional must be a number');
  const often = ['playbook', 'run'];
  const usual = cron === undefined ? 'playbook' : 'run'; // a schedule repeats the order
  const oncePer =
    args.text('once-per') ??
    (await ask({
      flag: '--once-per',
      text: 'Place the same order once in any number of runs of this playbook, or once in each run?',
      choices: often,
      initial: usual,
    })) ??
    usual;
  if (!often.includes(oncePer)) throw new UsageError(`--once-per must be ${listed(often, 'or')}`);
  const guards = new Map([
    ['max-writes', '1'],
    ['max-notional', most],
  ]);
  if (symbol !== '') guards.set('symbols', symbol);
  return { id: 'order', guards, oncePer };
}

/** The value of a limit order in whole dollars, rounded up. */
function worthOf(price: string, size: string): string {
  return decimalText(roundTo(decimal(price).times(decimal(size)), 0, 'ceil'));
}
