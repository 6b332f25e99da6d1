import type { ChatMessage } from '@looptide/contracts/http/chat'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { messagesBy, needsNextPage } from './messages-by.ts'

const START_MS = Date.parse('2026-11-28T20:00:00Z')
const messages = fc
  .array(fc.integer({ min: 0, max: 3_600_000 }), { maxLength: 150 })
  .map((offsets) =>
    offsets
      .toSorted((a, b) => a - b)
      .map(
        (ms, seq) =>
          ({ id: String(seq), seq, createdAt: new Date(START_MS + ms).toISOString() }) as ChatMessage,
      ),
  )

it('shows at each instant the last messages that had been posted then, whatever was shown before', () => {
  fc.assert(
    fc.property(messages, fc.integer({ min: -1, max: 3_700_000 }), (all, ms) => {
      const shown = messagesBy(all, START_MS + ms)
      const posted = all.filter(({ createdAt }) => Date.parse(createdAt) <= START_MS + ms)
      expect(shown).toEqual(posted.slice(-100))
    }),
  )
})

it('needs the next page a minute ahead, once, and not while the last request has failed', () => {
  const items = [{ createdAt: new Date(START_MS + 100_000).toISOString() } as ChatMessage]
  const list = { items, hasMore: true, isLoadingMore: false, error: undefined }
  expect(needsNextPage(list, START_MS + 40_001)).toBe(true)
  expect(needsNextPage(list, START_MS + 40_000)).toBe(false)
  expect(needsNextPage({ ...list, hasMore: false }, START_MS + 40_001)).toBe(false)
  expect(needsNextPage({ ...list, isLoadingMore: true }, START_MS + 40_001)).toBe(false)
  expect(needsNextPage({ ...list, error: new Error('outage') }, START_MS + 40_001)).toBe(false)
})
