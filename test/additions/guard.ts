/** A guard whose value is a number: its rule and its keys, and the check itself. */
import { before, type Addition } from './addition.ts';

export const guard: Addition = {
  name: 'a guard',
  files: [
    {
      file: 'language/number-guards.ts',
      edits: [
        before('  readonly maxLeverage?: number;', '  readonly maxPrice?: string;\n'),
        before(
          '  maxLeverage: {',
          `  maxPrice: {
    kind: 'amount',
    key: 'max-price',
    profileKey: 'price',
    title: 'Maximum price of an order',
    blocks: 'an order with a higher price',
  },
`,
        ),
      ],
    },
    {
      file: 'engine/plan/limit-checks.ts',
      edits: [
        before(
          '  maxLeverage: (limit) => {',
          `  maxPrice: (limit) => ({
    limit,
    used: () => '',
    count: () => undefined,
    forget: () => undefined,
    breaks: ({ address, input }) =>
      Number(input['price'] ?? 0) > Number(limit) ? \`\${address}: price above \${limit}\` : undefined,
  }),
`,
        ),
      ],
    },
  ],
  shows: `
import { guards } from './src/language/schema/top.ts';
import { loadPlaybook } from './src/language/load.ts';
import { guards as ofConfig } from './src/app/config/profile-guards.ts';
import { checksOf } from './src/engine/plan/limit-checks.ts';
import { tightest } from './src/engine/plan/tightest.ts';

const text = 'playbook: 1\\nname: a\\nguards: { max-price: 70000 }\\nsteps: [{ id: a, uses: wait, with: { for: 1s } }]\\n';
const { playbook } = loadPlaybook(text, 'a.yaml');
const place = { file: 'deskhand.yaml', path: 'profiles.main.guards' };
const ofProfile = ofConfig.read({ price: '65000' }, place);
const { symbols, hours, ...own } = playbook?.guards ?? {};
const rules = tightest(ofProfile, own);
const check = checksOf(rules, { at: 0 }).get('max-price');
const write = { address: 'a', operation: 'futures/place-order', input: { price: '66000' } } as const;
console.log(JSON.stringify([Object.keys(guards().properties ?? {}).includes('max-price'), own, rules, check?.breaks(write, 0)]));
`,
  shown: [true, { maxPrice: '70000' }, { maxPrice: '65000' }, 'a: price above 65000'],
};
