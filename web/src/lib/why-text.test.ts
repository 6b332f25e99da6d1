import { expect, test } from 'vitest'
import { whyText } from './why-text.ts'

const gold = { id: 'friday-gold', name: 'Friday Night Gold', description: null, colour: null }
const again = { channelId: 'default', startedAtMs: 1000, endedAtMs: 2000 }
const reason = (source: string, number: number | null = null, count: number | null = null) => ({
  source,
  number,
  count,
})

test.each([
  [gold, reason('gold', 3, 3), 'Friday Night Gold: third of three from Gold'],
  [gold, reason('gold', 12, 22), 'Friday Night Gold: 12th of 22 from Gold'],
  [gold, reason('gold', 21, 30), 'Friday Night Gold: 21st of 30 from Gold'],
  [gold, reason('gold', 1, 1), 'Friday Night Gold: from Gold'],
  [gold, reason('80s hits'), 'Friday Night Gold: from 80s hits'],
  [null, reason('gold'), 'From Gold'],
  [null, reason('requests', 2, 4), 'Second of four from Requests'],
  [gold, { ...reason('again-gold'), again }, 'Friday Night Gold'],
  [gold, null, 'Friday Night Gold'],
  [null, null, undefined],
])('%# is one sentence', (block, why, text) => {
  expect(whyText({ block, reason: why })).toBe(text)
})
