import { TOOLSETS } from '@devdb/shared/tools';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { LIST_BUDGETS, listTokens, OFFER_BUDGET, offerTokens } from '../bench/list-tokens.ts';

const encoding = new Tiktoken(o200k);

test.each(TOOLSETS)('the list of the toolset %s stays within its tokens', (toolset) => {
  const tokens = listTokens(toolset, (text) => encoding.encode(text, 'all').length);
  expect(tokens).toBeGreaterThan(0);
  expect(tokens).toBeLessThanOrEqual(LIST_BUDGETS[toolset]);
});

test('what a client of the database tools gives for them before its first call stays within its tokens', () => {
  const tokens = offerTokens((text) => encoding.encode(text, 'all').length);
  expect(tokens).toBeGreaterThan(1_000);
  expect(tokens).toBeLessThanOrEqual(OFFER_BUDGET);
});
