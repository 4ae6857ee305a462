/** An exchange that only lists history orders: pages made ahead, no limits, no signature looked at. */
import { createServer } from 'node:http';
import process from 'node:process';

const [orders = '100000', newest = '0'] = process.argv.slice(2);
const total = Number(orders);
const end = Number(newest);
const spacing = Math.floor((80 * 86_400_000) / total); // the orders lie in the last 80 days
const firstId = 10n ** 18n;

/** Order `index`, 0 the newest. */
function orderOf(index) {
  const at = String(end - index * spacing);
  return `{"orderId":"${firstId + BigInt(total - index)}","clientOid":"bench-${index}","category":"USDT-FUTURES","symbol":"BTCUSDT","orderType":"limit","side":"${index % 2 ? 'buy' : 'sell'}","price":"61${index % 1000}.5","qty":"0.0${(index % 9) + 1}","amount":"0","cumExecQty":"0.01","cumExecValue":"611.05","avgPrice":"61105.0","timeInForce":"gtc","orderStatus":"filled","posSide":"long","holdMode":"hedge_mode","stpMode":"none","reduceOnly":"NO","feeDetail":[{"feeCoin":"USDT","fee":"-0.36663"}],"cancelReason":"","execType":"normal","createdTime":"${at}","updatedTime":"${at}"}`;
}

/** The first index whose time is not after `moment`. */
const indexAt = (moment) => Math.max(0, Math.ceil((end - moment) / spacing));

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  let data = '[]';
  if (pathname.endsWith('/history-orders')) {
    const cursor = searchParams.get('cursor');
    const from = cursor
      ? total - Number(BigInt(cursor) - firstId) + 1
      : indexAt(Number(searchParams.get('endTime') ?? end));
    const start = Number(searchParams.get('startTime') ?? 0);
    const list = [];
    let last = '';
    for (let index = from; index < total && list.length < 100; index++) {
      if (end - index * spacing < start) break;
      list.push(orderOf(index));
      last = String(firstId + BigInt(total - index));
    }
    data = `{"list":[${list.join()}],"cursor":"${last}"}`;
  }
  const body = `{"code":"00000","msg":"success","requestTime":${end},"data":${data}}`;
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
process.on('disconnect', () => process.exit());
