/** Every known response code in one table: its class decides what a caller may do next. */
import { hour, type Millis } from '../../base/clock.ts';

/**
 * `auth` key, signature, passphrase, address · `permission` of the key · `family` key of the other
 * account family · `clock` timestamp refused · `limit` too many requests · `validation` a parameter
 * · `state` of the account or market · `funds` insufficient · `duplicate` this clientOid already
 * exists · `exists` this name already exists · `not-found` · `busy` temporarily · `ambiguous` it
 * may have been executed.
 */
export type ErrorClass =
  | 'auth'
  | 'permission'
  | 'family'
  | 'clock'
  | 'limit'
  | 'validation'
  | 'state'
  | 'funds'
  | 'duplicate'
  | 'exists'
  | 'not-found'
  | 'busy'
  | 'ambiguous';

/** The source of a code: official documents, issue threads, or our own choice. */
export type Provenance = 'doc' | 'issue' | 'choice';

export interface ErrorRow {
  readonly code: string;
  readonly class: ErrorClass;
  readonly meaning: string;
  readonly provenance: Provenance;
}

export const successCode = '00000';

type Row = readonly [string, ErrorClass, string, Provenance];

const rows: readonly Row[] = [
  ['00001', 'validation', 'startTime and endTime are too far apart', 'doc'],
  ['22001', 'validation', 'No order to cancel', 'doc'],
  ['22002', 'state', 'No position to close', 'doc'],
  ['22006', 'validation', 'Price is above the highest price allowed now', 'doc'],
  ['22007', 'validation', 'Price is below the lowest price allowed now', 'doc'],
  ['22012', 'validation', 'Symbol does not belong to this product type', 'choice'],
  ['22034', 'validation', 'Order quantity is above the maximum', 'doc'],
  ['22038', 'validation', 'Size is not a multiple of the size step', 'doc'],
  ['22039', 'state', 'Opening positions is forbidden before delivery', 'choice'],
  ['22040', 'state', 'Trading is forbidden during delivery', 'choice'],
  ['22041', 'state', 'Cancelling is forbidden during delivery', 'choice'],
  ['22045', 'state', 'No counterparty: the book is empty', 'choice'],
  ['25000', 'ambiguous', 'The service did not answer', 'doc'],
  ['25001', 'ambiguous', 'The service answered with an error', 'doc'],
  ['25003', 'ambiguous', 'Unknown error', 'doc'],
  ['25004', 'limit', 'Too many requests', 'doc'],
  ['25100', 'validation', 'Symbol does not exist', 'doc'],
  ['25102', 'busy', 'Under maintenance', 'doc'],
  ['25104', 'validation', 'Symbol is not available', 'doc'],
  ['25106', 'busy', 'Under maintenance', 'doc'],
  ['25200', 'validation', 'A parameter is not valid', 'doc'],
  ['25202', 'funds', 'Insufficient balance', 'doc'],
  ['25203', 'funds', 'Insufficient margin', 'doc'],
  ['25204', 'not-found', 'Order not found', 'doc'],
  ['25207', 'validation', 'Below the minimum order', 'doc'],
  ['25208', 'validation', 'Above the maximum order', 'doc'],
  ['25211', 'state', 'Too many open orders', 'doc'],
  ['25212', 'duplicate', 'The clientOid already exists', 'doc'],
  ['25223', 'validation', 'Leverage is out of range', 'doc'],
  ['25227', 'state', 'No position to close', 'doc'],
  ['25236', 'state', 'Position mode does not fit the order', 'doc'],
  ['25237', 'state', 'Position mode does not fit the order', 'doc'],
  ['25244', 'validation', 'Too many decimal places', 'doc'],
  ['25245', 'family', 'The account is not a unified account', 'doc'],
  ['25620', 'permission', 'Permission denied', 'doc'],
  ['31021', 'permission', 'The leader may not lead this symbol', 'choice'],
  ['40001', 'auth', 'ACCESS-KEY is missing', 'doc'],
  ['40002', 'auth', 'ACCESS-SIGN is missing', 'doc'],
  ['40003', 'auth', 'Signature is missing', 'doc'],
  ['40004', 'clock', 'Request has expired', 'doc'],
  ['40005', 'clock', 'ACCESS-TIMESTAMP is missing or not valid', 'doc'],
  ['40006', 'auth', 'ACCESS-KEY is not valid', 'doc'],
  ['40007', 'validation', 'Content-Type must be application/json', 'doc'],
  ['40008', 'clock', 'Request timestamp expired', 'doc'],
  ['40009', 'auth', 'Signature does not match', 'doc'],
  ['40010', 'ambiguous', 'Request timed out', 'doc'],
  ['40011', 'auth', 'ACCESS-PASSPHRASE is missing', 'doc'],
  ['40012', 'auth', 'Key or passphrase is incorrect', 'doc'],
  ['40014', 'permission', 'The key lacks a permission', 'doc'],
  ['40015', 'ambiguous', 'System is unstable', 'doc'],
  ['40017', 'validation', 'A parameter is not valid', 'doc'],
  ['40018', 'auth', 'Address is not on the key’s list', 'doc'],
  ['40019', 'validation', 'A required parameter is missing', 'doc'],
  ['40020', 'validation', 'A parameter value is not allowed', 'doc'],
  ['40024', 'auth', 'The account is frozen', 'doc'],
  ['40025', 'permission', 'The key lacks a permission', 'doc'],
  ['40029', 'permission', 'The account is not an agent', 'choice'],
  ['40034', 'validation', 'A parameter does not exist', 'doc'],
  ['40036', 'auth', 'Passphrase is incorrect', 'doc'],
  ['40037', 'auth', 'The key does not exist', 'doc'],
  ['40038', 'auth', 'Address is not on the key’s list', 'doc'],
  ['40040', 'permission', 'The key lacks a permission', 'doc'],
  ['40041', 'auth', 'The key is not valid', 'doc'],
  ['40053', 'validation', 'A parameter is out of range', 'choice'],
  ['40060', 'exists', 'Sub-account name exists', 'doc'],
  ['40067', 'state', 'Sub-account could not be created', 'doc'],
  ['40068', 'permission', 'Only a main account may do this', 'doc'],
  ['40069', 'state', 'No more sub-accounts can be created', 'doc'],
  ['40071', 'exists', 'Sub-account name exists', 'doc'],
  ['40084', 'family', 'The key belongs to a classic account', 'doc'],
  ['40085', 'family', 'The key belongs to a unified account', 'doc'],
  ['40099', 'auth', 'The key belongs to the other environment', 'doc'],
  ['40102', 'validation', 'Symbol does not exist', 'doc'],
  ['40107', 'exists', 'Sub-account name is used', 'doc'],
  ['40108', 'exists', 'Sub-account name is used', 'doc'],
  ['40109', 'not-found', 'Order not found', 'doc'],
  ['40200', 'busy', 'Under maintenance', 'doc'],
  ['40304', 'validation', 'clientOid is too long', 'doc'],
  ['40305', 'validation', 'clientOid is not valid', 'doc'],
  ['40404', 'not-found', 'No such path', 'doc'],
  ['40405', 'validation', 'This path accepts another method', 'choice'],
  ['40409', 'validation', 'The body is not valid JSON', 'doc'],
  ['40704', 'validation', 'startTime is older than the data kept', 'doc'],
  ['40705', 'validation', 'The times are too far apart', 'doc'],
  ['40707', 'validation', 'startTime is after endTime', 'doc'],
  ['40708', 'duplicate', 'The clientOid already exists', 'doc'],
  ['40723', 'state', 'Too many open orders', 'doc'],
  ['40725', 'ambiguous', 'The service answered with an error', 'doc'],
  ['40754', 'funds', 'Insufficient balance', 'doc'],
  ['40757', 'state', 'Not enough position is available', 'doc'],
  ['40761', 'state', 'Too many open orders', 'doc'],
  ['40762', 'funds', 'The order is larger than what can be opened', 'doc'],
  ['40768', 'not-found', 'Order not found', 'doc'],
  ['40774', 'state', 'The order does not fit the position mode', 'issue'],
  ['40778', 'validation', 'Margin coin does not fit the symbol', 'choice'],
  ['40786', 'duplicate', 'The clientOid already exists', 'doc'],
  ['40797', 'validation', 'Leverage is out of range', 'doc'],
  ['40806', 'validation', 'Coin is not supported', 'choice'],
  ['40808', 'validation', 'A value has too many decimal places or is not a number', 'doc'],
  ['40811', 'validation', 'A required parameter is missing', 'doc'],
  ['40813', 'validation', 'A required parameter is missing', 'doc'],
  ['40844', 'busy', 'Under maintenance', 'doc'],
  ['40908', 'ambiguous', 'Another request is in progress', 'doc'],
  ['40910', 'ambiguous', 'The service did not answer', 'doc'],
  ['40911', 'clock', 'Request timestamp expired', 'doc'],
  ['40918', 'limit', 'Too many requests', 'doc'],
  ['41113', 'validation', 'Request is larger than allowed', 'choice'],
  ['41114', 'busy', 'Under maintenance', 'doc'],
  ['43001', 'not-found', 'Order not found', 'doc'],
  ['43011', 'validation', 'A parameter is not valid', 'doc'],
  ['43012', 'funds', 'Insufficient balance', 'doc'],
  ['43059', 'ambiguous', 'Request failed, outcome unknown', 'doc'],
  ['43111', 'validation', 'Time range is not valid', 'issue'],
  ['43115', 'state', 'Trading has not begun', 'choice'],
  ['43118', 'duplicate', 'The clientOid already exists', 'doc'],
  ['45001', 'ambiguous', 'Unknown error', 'doc'],
  ['45021', 'state', 'The order does not fit the position mode', 'doc'],
  ['45034', 'duplicate', 'The clientOid already exists', 'doc'],
  ['45035', 'validation', 'Price is not a multiple of the price step', 'doc'],
  ['45043', 'busy', 'Under maintenance', 'doc'],
  ['45064', 'validation', 'Take-profit price of a long must be above the price', 'doc'],
  ['45065', 'validation', 'Take-profit price of a short must be below the price', 'doc'],
  ['45066', 'validation', 'Stop-loss price of a long must be below the price', 'doc'],
  ['45067', 'validation', 'Stop-loss price of a short must be above the price', 'doc'],
  ['45109', 'state', 'The order does not fit the position mode', 'doc'],
  ['45110', 'validation', 'Below the minimum amount', 'doc'],
  ['45111', 'validation', 'Below the minimum quantity', 'doc'],
  ['45112', 'validation', 'Above the maximum quantity', 'doc'],
  ['45113', 'validation', 'Above the maximum quantity', 'doc'],
  ['45115', 'validation', 'Price is not a multiple of the price step', 'doc'],
  ['45117', 'state', 'Margin mode cannot change while orders or positions are open', 'issue'],
  ['48002', 'validation', 'A required parameter is missing', 'doc'],
  ['50009', 'limit', 'Too many requests', 'doc'],
  ['50060', 'duplicate', 'The clientOid already exists', 'doc'],
  ['70008', 'validation', 'startTime is older than the data kept', 'doc'],
  ['70206', 'permission', 'Only a main account may do this', 'doc'],
  ['70228', 'limit', 'Too many requests', 'doc'],
  ['400172', 'validation', 'A parameter is not valid', 'issue'],
  ['401', 'auth', 'Not authorized (HTTP)', 'choice'],
  ['403', 'permission', 'Forbidden (HTTP)', 'choice'],
  ['429', 'limit', 'Too many requests', 'doc'],
];

/** The table of response codes, by code. */
export const errorTable: ReadonlyMap<string, ErrorRow> = new Map(
  rows.map(([code, kind, meaning, provenance]) => [
    code,
    { code, class: kind, meaning, provenance },
  ]),
);

/** The class of a code; an unknown code is ambiguous. */
export function classOf(code: string): ErrorClass {
  return errorTable.get(code)?.class ?? 'ambiguous';
}

/**
 * The class of a code in the response to a write. During a deployment of the exchange, a rejected
 * value may be the exchange's own fault, and the write may have been executed.
 * @param moments candidates for the exchange's time: that of the response, and the last one known
 * before it
 */
export function classOfWrite(code: string, moments: readonly Millis[]): ErrorClass {
  return code === '40808' && moments.some(isDeploying) ? 'ambiguous' : classOf(code);
}

/** Whether the exchange may deploy: Tuesday to Thursday, 14:00 to 17:00 in UTC+8, according to its FAQ. */
function isDeploying(at: Millis): boolean {
  const there = new Date(at + 8 * hour);
  const [weekday, hours] = [there.getUTCDay(), there.getUTCHours()];
  return weekday >= 2 && weekday <= 4 && hours >= 14 && hours < 17;
}

/**
 * The verdict of a response class about a request: `refused` permanently, `not-executed` and may
 * be sent again, or `unknown`. For a write, `not-executed` is accepted only if it may be sent again
 * after a doubt, or for a rate limit if the lists agree; everything else is a doubt.
 */
export function verdictOf(kind: ErrorClass): 'refused' | 'not-executed' | 'unknown' {
  switch (kind) {
    case 'auth':
    case 'permission':
    case 'family':
    case 'validation':
    case 'state':
    case 'funds':
    case 'exists':
    case 'not-found':
      return 'refused';
    case 'clock':
    case 'limit':
      return 'not-executed';
    case 'duplicate': // an earlier attempt may have created that order: look it up
    case 'busy':
    case 'ambiguous':
      return 'unknown';
  }
}
