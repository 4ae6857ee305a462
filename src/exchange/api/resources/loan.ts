/** Institutional loans: the terms of a product, and the loans drawn from it. */
import { either, list, openChoice, optional, record, text } from '../schema.ts';
import { decimalText, idText, millisText, plainWord, symbolName } from '../vocabulary.ts';

const leverage = plainWord('Maximum leverage');
const contractSymbols = list(record({ symbol: symbolName, leverage }));

export const loanProduct = record({
  productId: plainWord('Product id'),
  spotSymbols: list(symbolName, { description: 'Spot pairs' }),
  marginLeverage: optional(plainWord('Maximum leverage of spot margin trading; may be empty')),
  usdtContractLeverage: plainWord('Default leverage for USDT-M futures'),
  coinContractLeverage: plainWord('Default leverage for Coin-M futures'),
  usdcContractLeverage: plainWord('Default leverage for USDC-M futures'),
  usdtContractSymbols: contractSymbols,
  // An array in the field table for this one's leverage; both types are accepted.
  coinContractSymbols: list(
    record({ symbol: symbolName, leverage: either(leverage, list(text())) }),
  ),
  usdcContractSymbols: contractSymbols,
});

export const loanOrder = record({
  orderId: idText('Loan order id'),
  orderProductId: plainWord('Product id'),
  uid: idText('User id that binds product, loan and repayment'),
  loanTime: millisText('Loan time, Unix milliseconds'),
  loanCoin: plainWord('Loan coin'),
  loanAmount: decimalText('Loan amount'),
  unpaidAmount: decimalText('Unpaid principal'),
  unpaidInterest: decimalText('Unpaid interest'),
  repaidAmount: decimalText('Repaid principal'),
  repaidInterest: decimalText('Repaid interest'),
  status: openChoice(['not_paid_off', 'paid_off'], { description: 'Whether it is repaid' }),
});
