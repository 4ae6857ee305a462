/** The vocabulary of the interface: text types with their formats, and closed sets of values. */
import { choice, described, openChoice, text, type Schema } from './schema.ts';

/**
 * Text formats used below, also by the playbook's type checker and the validators. `decimal`: plain
 * decimal number. `millis`: Unix milliseconds. `id`: digits compared as a number.
 */
export const formats = {
  decimal: /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/,
  millis: /^\d{1,16}$/,
  id: /^\d{1,40}$/,
  count: /^[1-9]\d{0,8}$/,
  symbol: /^[^\s\p{Cc}]{1,40}$/u,
} as const;

export const decimalText = (description: string): Schema<string> =>
  text({ format: 'decimal', maxLength: 64, description });

/** A decimal, or "" for no value. */
export const decimalOrEmpty = (description: string): Schema<string> =>
  text({ format: 'decimal-or-empty', maxLength: 64, description });

export const millisText = (description: string): Schema<string> =>
  text({ format: 'millis', description });

export const millisOrEmpty = (description: string): Schema<string> =>
  text({ format: 'millis-or-empty', description });

export const idText = (description: string): Schema<string> => text({ format: 'id', description });

export const plainWord = (description: string): Schema<string> => text({ description });

/** A page size as text: 1 to `maximum`, which is also `x-maximum`. */
export const pageSize = (size: { readonly initial: number; readonly maximum: number }) =>
  text({
    format: 'count',
    'x-maximum': size.maximum,
    description: `Rows in one page, default ${size.initial}, at most ${size.maximum}`,
  });

export const pageNumber = text({ format: 'count', description: 'Page number, from 1' });

export const symbolName = text({
  format: 'symbol',
  minLength: 1,
  maxLength: 40,
  description: 'Symbol name, base and quote joined, as BTCUSDT',
  examples: ['BTCUSDT'],
});

export const coinName = (description: string): Schema<string> =>
  text({ minLength: 1, maxLength: 20, description, examples: ['USDT'] });

export const futuresProductTypes = ['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'] as const;
export const demoProductTypes = ['SUSDT-FUTURES', 'SCOIN-FUTURES', 'SUSDC-FUTURES'] as const;
export const orderCategories = ['SPOT', 'MARGIN', ...futuresProductTypes] as const;
export const tickerCategories = ['SPOT', ...futuresProductTypes] as const;

export type ProductType = (typeof futuresProductTypes)[number];
export type OrderCategory = (typeof orderCategories)[number];
export type TickerCategory = (typeof tickerCategories)[number];

export const futuresProductType = choice(futuresProductTypes, {
  description: 'Futures product line',
});
export const futuresLineOrDemo = choice([...futuresProductTypes, ...demoProductTypes], {
  description: 'Futures product line, or its demo variant',
});
export const orderCategory = choice(orderCategories, { description: 'Kind of order' });

export const leverageText = (description: string): Schema<string> =>
  text({
    pattern: '^[1-9][0-9]{0,2}$',
    patternErrorMessage: 'must be a whole number from 1 to 999',
    description,
    examples: ['5'],
  });

export const side = choice(['buy', 'sell'], {
  description:
    'One-way mode: buy or sell. Hedge mode: buy is the long direction, sell the short direction',
});
export const orderType = choice(['limit', 'market'], { description: 'limit or market' });
export const timeInForce = choice(['ioc', 'fok', 'gtc', 'post_only'], {
  description:
    'ioc: the unfilled part is cancelled; fok: all at once or nothing; gtc: until filled or cancelled; post_only: only as a maker',
});
export const selfTradeMode = choice(['none', 'cancel_taker', 'cancel_maker', 'cancel_both'], {
  description: 'Self-trade prevention, none by default',
});
/** The self-trade modes in a response, where an unknown one is kept. */
export const openSelfTradeMode = openChoice(
  ['none', 'cancel_taker', 'cancel_maker', 'cancel_both'],
  { description: 'Self-trade prevention' },
);
export const yesNo = choice(['YES', 'NO']);
export const positionSide = openChoice(['long', 'short', ''], {
  description: 'Position side in hedge mode',
});

export const businessTypes = [
  'unknown',
  'trans_from_exchange',
  'trans_to_exchange',
  'open_long',
  'open_short',
  'close_long',
  'close_short',
  'force_close_long',
  'force_close_short',
  'contract_settle_fee',
  'append_margin',
  'adjust_down_lever_append_margin',
  'reduce_margin',
  'auto_append_margin',
  'cash_gift_issue',
  'cash_gift_recycle',
  'tracking_follow_pay',
  'tracking_follow_back',
  'tracking_trader_income',
  'burst_long_loss_query',
  'burst_short_loss_query',
  'trans_from_contract',
  'trans_to_contract',
  'trans_from_otc',
  'trans_to_otc',
  'buy',
  'sell',
  'force_buy',
  'force_sell',
  'burst_buy',
  'burst_sell',
  'bonus_issue',
  'bonus_recycle',
  'bonus_expired',
  'delivery_long',
  'delivery_short',
  'trans_from_cross',
  'trans_to_cross',
  'trans_from_isolated',
  'trans_to_isolated',
  'risk_captital_user_transfer', // the API's spelling
  'user_exchange_buy',
  'user_exchange_sell',
] as const;

/** The four types that `onlyFunding: yes` leaves out (interface, endpoint 8). */
export const marginMoveTypes = [
  'append_margin',
  'adjust_down_lever_append_margin',
  'reduce_margin',
  'auto_append_margin',
] as const;

export const deliveryStatuses = [
  'delivery_config_period',
  'delivery_normal',
  'delivery_before',
  'delivery_period',
] as const;

export const startTime = described('First moment, Unix milliseconds', millisText(''));
export const endTime = described('Last moment, Unix milliseconds', millisText(''));
