import { CHAT_PAGE, type ChatMessage, type ChatPage } from '@looptide/contracts/http/chat'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ChatLog,
  countAfter,
  EMPTY_LOG,
  followed,
  isBehind,
  KEPT_MESSAGES,
  READ_BACK_MESSAGES,
  readingBack,
  startedWith,
  withMessage,
  withNewer,
  withOlder,
  withoutMessage,
  withRestored,
} from './chat-log.ts'

const messageOf = (seq: number): ChatMessage => ({
  id: `id-${seq}`,
  channelId: 'default',
  seq,
  userId: 'u',
  author: { handle: 'ann', artistName: null, role: 'user' },
  message: `message ${seq}`,
  createdAt: '2026-11-20T10:00:00Z',
})

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
const seqsOf = (log: ChatLog) => log.messages.map(({ seq }) => seq)
const page = (from: number, to: number, lastSeq = to): ChatPage => ({
  items: range(from, to).map(messageOf),
  lastSeq,
  removedIds: [],
  slowModeS: 0,
})

/** A chat as the server has it. */
class Server {
  lastSeq = 0
  readonly removed = new Set<number>()

  permissions(from: number, to: number): number[] {
    return range(from, to).filter((seq) => !this.removed.has(seq))
  }

  #page(seqs: number[]): ChatPage {
    const removedIds = [...this.removed].map((seq) => `id-${seq}`)
    return { items: seqs.map(messageOf), lastSeq: this.lastSeq, removedIds, slowModeS: 0 }
  }

  newest = () => this.#page(this.permissions(1, this.lastSeq).slice(-CHAT_PAGE))
  after = (seq: number) => this.#page(this.permissions(seq + 1, this.lastSeq).slice(0, CHAT_PAGE))
  before = (seq: number) => this.#page(this.permissions(1, seq - 1).slice(-CHAT_PAGE))
}

function caughtUp(log: ChatLog, server: Server): ChatLog {
  if (log.syncedSeq === null) return startedWith(log, server.newest())
  let known = log
  for (let pages = 0; pages < 100 && isBehind(known); pages += 1) {
    known = withNewer(known, server.after(known.syncedSeq ?? 0))
  }
  return known
}

describe('the chat log', () => {
  it('is the same for any order and duplication of events', () => {
    const news = fc.record({
      count: fc.integer({ min: 0, max: 60 }),
      removed: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 10 }),
      repeats: fc.array(fc.nat({ max: 69 })),
    })
    fc.assert(
      fc.property(news, fc.infiniteStream(fc.nat()), ({ count, removed, repeats }, order) => {
        const messages = range(1, count).map(messageOf)
        const once: ((log: ChatLog) => ChatLog)[] = [
          ...messages.map((message) => (log: ChatLog) => withMessage(log, message)),
          ...removed.map((seq) => (log: ChatLog) => withoutMessage(log, `id-${seq}`)),
        ]
        const steps = [...once, ...repeats.flatMap((index) => once[index] ?? [])]
        const log = steps
          .map((step) => ({ step, key: order.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .reduce((known, { step }) => step(known), EMPTY_LOG)
        expect(seqsOf(log)).toEqual(range(1, count).filter((seq) => !removed.includes(seq)))
      }),
    )
  })

  it('shows a restored message at its place, unless that is before the first loaded one', () => {
    const removed = [1, 3].reduce(
      (known, seq) => withoutMessage(known, `id-${seq}`),
      range(1, 5).reduce((known, seq) => withMessage(known, messageOf(seq)), EMPTY_LOG),
    )
    expect(seqsOf(withRestored(removed, messageOf(3)))).toEqual([2, 3, 4, 5])
    expect(seqsOf(withRestored(removed, messageOf(1)))).toEqual([1, 2, 4, 5])
    const withMore = withRestored({ ...removed, hasOlder: true }, messageOf(1))
    expect(seqsOf(withMore)).toEqual([2, 4, 5])
    expect(withMore.removedIds.has('id-1')).toBe(false)
  })

  it('never has gaps, duplicates, deleted messages or too many messages', () => {
    const action = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('say'), n: fc.integer({ min: 1, max: 250 }) }) },
      fc.record({ kind: fc.constant('say unheard'), n: fc.integer({ min: 1, max: 250 }) }),
      fc.record({ kind: fc.constant('remove'), n: fc.nat() }),
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('look back'), n: fc.integer({ min: 1, max: 6 }) }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('follow'), n: fc.constant(0) }) },
    )
    const doIt = (log: ChatLog, server: Server, { kind, n }: { kind: string; n: number }): ChatLog => {
      if (kind === 'follow') return caughtUp(followed(log), server)
      let known = log
      if (kind === 'look back') {
        known = readingBack(known)
        for (let pages = 0; pages < n && known.hasOlder; pages += 1) {
          const before = known.messages[0]?.seq ?? 1
          known = withOlder(known, server.before(before), before)
        }
      } else if (kind === 'remove') {
        const seq = (n % (server.lastSeq + 1)) + 1
        if (seq > server.lastSeq) return known
        server.removed.add(seq)
        return withoutMessage(known, `id-${seq}`)
      } else {
        for (let said = 0; said < n; said += 1) {
          server.lastSeq += 1
          if (kind === 'say') known = withMessage(known, messageOf(server.lastSeq))
        }
      }
      return caughtUp(known, server)
    }
    fc.assert(
      fc.property(fc.nat({ max: 400 }), fc.array(action, { maxLength: 14 }), (before, actions) => {
        const server = new Server()
        server.lastSeq = before
        let log = caughtUp(EMPTY_LOG, server)
        for (const one of actions) {
          log = doIt(log, server, one)
          const seqs = seqsOf(log)
          expect(seqs).toEqual(server.permissions(seqs[0] ?? 1, log.syncedSeq ?? 0).slice(0, seqs.length))
          expect(seqs.length).toBeLessThanOrEqual(log.isFollowing ? KEPT_MESSAGES : READ_BACK_MESSAGES)
          expect(log.isCut && log.isFollowing).toBe(false)
          if (!log.hasOlder && seqs.length > 0) expect(server.permissions(1, (seqs[0] ?? 1) - 1)).toEqual([])
        }
        server.lastSeq += 1
        log = caughtUp(withMessage(followed(log), messageOf(server.lastSeq)), server)
        expect(seqsOf(log).at(-1)).toBe(server.lastSeq)
        expect(isBehind(log)).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('after an absence, catches up from the last contiguous message, not from the newest', () => {
    let log = withMessage(startedWith(EMPTY_LOG, page(1, 3)), messageOf(4))
    expect(log.syncedSeq).toBe(4)
    log = withMessage(log, messageOf(9))
    expect([log.syncedSeq, isBehind(log)]).toEqual([4, true])
    log = withNewer(log, page(5, 9))
    expect(seqsOf(log)).toEqual(range(1, 9))
    expect(isBehind(log)).toBe(false)
  })

  it('is not complete after a full page', () => {
    const log = withNewer(startedWith(EMPTY_LOG, page(1, 2)), page(3, 52, 90))
    expect([log.syncedSeq, isBehind(log)]).toEqual([52, true])
  })

  it('skips numbers without a message', () => {
    const log = startedWith(EMPTY_LOG, { ...page(3, 3), lastSeq: 7 })
    expect([log.syncedSeq, isBehind(log)]).toEqual([7, false])
  })

  it('restarts after a long absence, and keeps messages received since', () => {
    const before = withMessage(startedWith(EMPTY_LOG, page(1, 10)), messageOf(501))
    const log = startedWith(before, page(451, 500))
    expect(seqsOf(log)).toEqual(range(451, 501))
    expect(log).toMatchObject({ syncedSeq: 501, hasOlder: true })
  })

  it('ignores an older page that no longer precedes the first message', () => {
    const log = startedWith(EMPTY_LOG, page(101, 150))
    expect(withOlder(withOlder(log, page(51, 100, 150), 101), page(1, 50, 150), 51).hasOlder).toBe(true)
    expect(withOlder(withOlder(log, page(51, 100, 150), 101), page(51, 100, 150), 101).messages[0]?.seq).toBe(
      51,
    )
  })

  it('counts new messages without the user’s own', () => {
    let log = startedWith(EMPTY_LOG, page(1, 10))
    expect(countAfter(log, 10, 'me')).toBe(0)
    log = withMessage(withMessage(log, messageOf(11)), { ...messageOf(12), userId: 'me' })
    expect(countAfter(log, 10, 'me')).toBe(1)
    expect(countAfter(withoutMessage(log, 'id-11'), 10, 'me')).toBe(0)
    expect(countAfter({ ...log, isCut: true, newestSeq: 15 }, 10, 'me')).toBe(4)
  })
})
