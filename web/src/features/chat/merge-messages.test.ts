import type { ChatMessage } from '@looptide/contracts/http/chat'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ChatLog,
  EMPTY_LOG,
  hasGap,
  KEPT_MESSAGES,
  withMessage,
  withoutMessage,
  withPage,
} from './merge-messages.ts'

const messageOf = (seq: number): ChatMessage => ({
  id: `id-${seq}`,
  channelId: 'default',
  seq,
  userId: 'u',
  author: { handle: 'ann', artistName: null, role: 'user' },
  message: `message ${seq}`,
  createdAt: '2026-11-20T10:00:00Z',
})

const seqsOf = (log: ChatLog) => log.messages.map(({ seq }) => seq)
const page = (from: number, to: number, lastSeq = to) => ({
  items: Array.from({ length: to - from + 1 }, (_, index) => messageOf(from + index)),
  lastSeq,
  removedIds: [],
})

describe('the chat log', () => {
  it('is the same whatever the order, the doubling and the paging in which news arrive', () => {
    const news = fc.record({
      count: fc.integer({ min: 0, max: 60 }),
      removed: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 10 }),
    })
    fc.assert(
      fc.property(
        news,
        fc.infiniteStream(fc.nat()),
        fc.array(fc.nat({ max: 200 })),
        ({ count, removed }, order, repeats) => {
          const messages = Array.from({ length: count }, (_, index) => messageOf(index + 1))
          const steps: ((log: ChatLog) => ChatLog)[] = [
            ...messages.map((message) => (log: ChatLog) => withMessage(log, message)),
            ...removed.map((seq) => (log: ChatLog) => withoutMessage(log, `id-${seq}`)),
          ]
          for (const index of repeats) {
            const step = steps[index]
            if (step) steps.push(step)
          }
          const shuffled = steps
            .map((step) => ({ step, key: order.next().value ?? 0 }))
            .toSorted((a, b) => a.key - b.key)
          const log = shuffled.reduce((known, { step }) => step(known), EMPTY_LOG)
          expect(seqsOf(log)).toEqual(messages.map(({ seq }) => seq).filter((seq) => !removed.includes(seq)))
        },
      ),
    )
  })

  it('after an absence asks on from where nothing was missing, not from the newest it has seen', () => {
    let log = withPage(EMPTY_LOG, page(1, 3), true)
    log = withMessage(log, messageOf(4))
    expect(log.syncedSeq).toBe(4)
    log = withMessage(log, messageOf(9))
    expect(log.syncedSeq).toBe(4)
    expect(hasGap(log)).toBe(true)
    log = withPage(log, page(5, 9), true)
    expect(seqsOf(log)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(hasGap(log)).toBe(false)
  })

  it('does not call complete what a full page left out', () => {
    const log = withPage(withPage(EMPTY_LOG, page(1, 2), true), page(3, 5, 40), false)
    expect(log.syncedSeq).toBe(5)
  })

  it('goes past numbers that no message has', () => {
    const log = withPage(EMPTY_LOG, { items: [messageOf(3)], lastSeq: 7, removedIds: [] }, true)
    expect(log.syncedSeq).toBe(7)
    expect(hasGap(log)).toBe(false)
  })

  it('keeps the newest messages when there are too many', () => {
    const log = withPage(EMPTY_LOG, page(1, KEPT_MESSAGES + 50), true)
    expect(log.messages.length).toBe(KEPT_MESSAGES)
    expect(log.messages[0]?.seq).toBe(51)
  })
})
