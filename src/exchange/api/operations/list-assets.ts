/** 9. Balances of an agent's referred customers. A POST that only reads. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { customerAssets } from '../resources/customer.ts';
import { list, optional, record } from '../schema.ts';
import { idText, pageNumber, pageSize } from '../vocabulary.ts';

const size = { initial: 100, maximum: 1000 } as const;

export const listAssets = operation({
  number: 9,
  title: 'Get agent customer assets list',
  method: 'POST',
  path: '/api/broker/v1/agent/customerAccountAssetsList',
  access: 'signed',
  permission: 'agent',
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'read',
  page: { kind: 'number', parameter: 'pageNo', size: { field: 'pageSize', ...size }, id: ['uid'] },
  input: record({
    pageNo: optional(pageNumber),
    pageSize: optional(pageSize(size)),
    uid: optional(idText('Only this customer')),
  }),
  output: list(customerAssets),
  doubts: ['balance beside a remark: not shown; "" and a number are both accepted'],
});
