import { expect, it } from 'vitest'
import { Memo } from './memo.ts'

const createMemo = (maxEntries: number, maxSize: number) =>
  new Memo<string>({ ttlMs: () => 1000, maxEntries, maxSize, sizeOf: (text) => text.length, now: () => 0 })
const fill = async (memo: Memo<string>, keys: string, size: number): Promise<void> => {
  for (const key of keys) await memo.get(key, async () => 'x'.repeat(size))
}
const keysOf = (memo: Memo<string>): string => [...'abcdef'].filter((key) => memo.has(key)).join('')

it('evicts the oldest entry above the number of entries', async () => {
  const memo = createMemo(3, 1000)
  await fill(memo, 'abcdef', 1)
  expect(keysOf(memo)).toBe('def')
})

it('evicts the oldest entries above the total size', async () => {
  const memo = createMemo(100, 10)
  await fill(memo, 'abcd', 4)
  expect(keysOf(memo)).toBe('cd')
  memo.delete('c')
  await fill(memo, 'e', 6)
  expect(keysOf(memo)).toBe('de')
  memo.clear()
  await fill(memo, 'ab', 5)
  expect(keysOf(memo)).toBe('ab')
})

it('returns a result that is larger than the total size, and does not cache it', async () => {
  const memo = createMemo(100, 10)
  expect(await memo.get('a', async () => 'x'.repeat(11))).toHaveLength(11)
  expect(keysOf(memo)).toBe('')
})
