/** The least a server can do for a signed order: read the body, verify the signature, answer. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';

const [secret = ''] = process.argv.slice(2);
const envelope = JSON.stringify({
  code: '00000',
  msg: 'success',
  requestTime: 1_700_000_000_000,
  data: { orderId: '1300000000000000001', clientOid: '1200000000000000001' },
});
const headers = {
  'content-type': 'application/json;charset=UTF-8',
  'content-length': Buffer.byteLength(envelope),
};

const server = createServer((request, answer) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const given = Buffer.from(String(request.headers['access-sign']), 'base64');
    const wanted = createHmac('sha256', secret)
      .update(`${request.headers['access-timestamp']}${request.method}${request.url}`)
      .update(Buffer.concat(chunks))
      .digest();
    const isSigned = given.length === wanted.length && timingSafeEqual(given, wanted);
    answer.writeHead(isSigned ? 200 : 400, headers);
    answer.end(envelope);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
});
