import { expect, it } from 'vitest'
import { Memo } from './memo.ts'

const memo = (max: number, maxSize: number) =>
  new Memo<string>({ keepMs: () => 1000, max, maxSize, sizeOf: (text) => text.length, now: () => 0 })
const keep = async (kept: Memo<string>, keys: string, size: number): Promise<void> => {
  for (const key of keys) await kept.of(key, async () => 'x'.repeat(size))
}
const keysOf = (kept: Memo<string>): string => [...'abcdef'].filter((key) => kept.has(key)).join('')

it('keeps no more answers than it may', async () => {
  const kept = memo(3, 1000)
  await keep(kept, 'abcdef', 1)
  expect(keysOf(kept)).toBe('def')
})

it('keeps no more than its size, and gives up the oldest first', async () => {
  const kept = memo(100, 10)
  await keep(kept, 'abcd', 4)
  expect(keysOf(kept)).toBe('cd')
  kept.forget('c')
  await keep(kept, 'e', 6)
  expect(keysOf(kept)).toBe('de')
  kept.clear()
  await keep(kept, 'ab', 5)
  expect(keysOf(kept)).toBe('ab')
})

it('gives an answer that is larger than its size to those who wait for it, and keeps nothing', async () => {
  const kept = memo(100, 10)
  expect(await kept.of('a', async () => 'x'.repeat(11))).toHaveLength(11)
  expect(keysOf(kept)).toBe('')
})
