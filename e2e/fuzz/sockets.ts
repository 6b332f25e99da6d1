import { randomUUID } from 'node:crypto'
import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Watcher } from '../support/crowd.ts'
import type { FuzzFixture } from '../support/fuzz/fixture.ts'
import { clientFrame, lawfulFrames, type SocketWords, textFrame, VIOLATIONS } from '../support/fuzz/frames.ts'
import { HostileSocket } from '../support/fuzz/hostile-socket.ts'
import { count, seed } from '../support/fuzz/seed.ts'
import { sized } from '../support/sizes.ts'

const FRAMES_PER_SOCKET = 25
const SOCKETS = sized(40, 800)
const AT_ONCE = 8
const CHANNEL = 'test-card'
/** Close codes for valid frames with any content: too large, rate limit, session ended. */
const LAWFUL_ENDS = [undefined, 1009, 4001, 4029]

const JOIN = textFrame(JSON.stringify(['1', '1', 'realtime:stream:test-card', 'phx_join', {}]))

/** A viewer who has joined the same topics throughout and must receive every message. */
class Witness {
  readonly #watcher: Watcher
  readonly #fixture: FuzzFixture
  #said = 0
  #first = 0

  constructor(fixture: FuzzFixture) {
    this.#fixture = fixture
    this.#watcher = new Watcher(fixture.station.url, CHANNEL)
  }

  async start(): Promise<void> {
    this.#watcher.start()
    await until('the witness has joined', () => this.#watcher.joins === 1)
    this.#first = await this.#say()
    await until('the witness receives the first message', () => this.#watcher.messages.has(this.#first))
  }

  /** Posts a chat message and waits until the witness receives it over its first socket. */
  async hears(): Promise<void> {
    const seq = await this.#say()
    await until('the witness receives the message', () => this.#watcher.messages.has(seq))
    expect(this.#watcher.joins).toBe(1)
    expect(this.#watcher.messages.size).toBeGreaterThanOrEqual(this.#said)
    expect(this.#watcher.contradictions).toEqual([])
  }

  stop(): Promise<void> {
    return this.#watcher.stop()
  }

  async #say(): Promise<number> {
    const response = await fetch(`${this.#fixture.station.url}/api/chat/channels/${CHANNEL}/messages`, {
      method: 'POST',
      headers: { ...bearerOf(this.#fixture.tokens.admin), 'content-type': 'application/json' },
      body: JSON.stringify({ clientId: randomUUID(), message: `Still here ${randomUUID()}` }),
    })
    const { seq } = (await response.json()) as { seq: number }
    this.#said += 1
    return seq
  }
}

/** Hostile input on sockets, and its effect on other viewers. */
export function describeSockets(fixture: () => FuzzFixture): void {
  const withWitness = async (work: (witness: Witness) => Promise<void>): Promise<void> => {
    const witness = new Witness(fixture())
    await witness.start()
    try {
      await work(witness)
      await witness.hears()
    } finally {
      await witness.stop()
    }
  }

  describe('a socket', () => {
    it(
      `accepts any message, answers the next one, and does not affect others (${SOCKETS * FRAMES_PER_SOCKET} frames)`,
      { timeout: sized(60_000, 900_000) },
      () =>
        withWitness(async (witness) => {
          const { station, user, tokens, bait } = fixture()
          const words: SocketWords = { tokens: [tokens.user, tokens.admin], userId: user.id, bait: bait.url }
          const size = { minLength: FRAMES_PER_SOCKET, maxLength: FRAMES_PER_SOCKET }
          const scripts = fc.sample(
            fc.tuple(
              fc.constantFrom('1.0.0' as const, '2.0.0' as const),
              fc.array(lawfulFrames(words), size),
            ),
            { numRuns: SOCKETS, seed },
          )
          const ends: (number | undefined)[] = []
          const open = scripts.values()
          const work = async (): Promise<void> => {
            for (const [version, frames] of open) {
              const socket = await HostileSocket.open(station.url, version)
              for (const frame of frames) socket.write(frame)
              await socket.settled()
              ends.push(socket.closeCode)
              socket.destroy()
              count('socket frames', frames.length)
              if (ends.length % 100 === 0) await witness.hears()
            }
          }
          await Promise.all(Array.from({ length: AT_ONCE }, work))
          expect(ends.filter((code) => !LAWFUL_ENDS.includes(code))).toEqual([])
        }),
    )

    it.each(VIOLATIONS)(
      'with $what is closed with $codes, before and after a join',
      async ({ bytes, codes }) => {
        for (const before of [Buffer.alloc(0), JOIN]) {
          const socket = await HostileSocket.open(fixture().station.url)
          socket.write(before)
          await socket.settled()
          socket.write(bytes)
          expect(codes).toContain(await socket.whenClosed())
          count('socket frames')
        }
      },
    )

    it('that sends megabytes of nested arrays is closed, a hundred at once, without effect on other viewers', () =>
      withWitness(async (witness) => {
        const { station } = fixture()
        const nested = Array(20_000).fill('[[[[[[[[[[[]]]]]]]]]]]').join(',')
        const frame = textFrame(`[null,"1","phoenix","heartbeat",{"a":[${nested}]}]`)
        const sockets = await Promise.all(Array.from({ length: 100 }, () => HostileSocket.open(station.url)))
        for (const socket of sockets) for (let n = 0; n < 20; n += 1) socket.write(frame)
        await witness.hears()
        const codes = await Promise.all(sockets.map((socket) => socket.whenClosed()))
        // 1006: the connection was reset while the attacker still wrote, before it read the close frame.
        expect(codes.filter((code) => code !== 1009 && code !== 1006)).toEqual([])
        count('socket frames', 2000)
      }))

    it('that stops within a frame is closed after ten seconds; neither it nor a flood has an effect on other viewers', () =>
      withWitness(async (witness) => {
        const { station } = fixture()
        const halves = await Promise.all(Array.from({ length: 50 }, () => HostileSocket.open(station.url)))
        for (const [at, socket] of halves.entries()) socket.write(clientFrame(0x81, Buffer.alloc(at), 60_000))
        await witness.hears()
        for (const socket of halves.slice(0, 25)) socket.destroy()
        const flooding = await HostileSocket.open(station.url)
        for (let n = 0; n < 20_000; n += 1) flooding.write(JOIN)
        await witness.hears()
        flooding.destroy()
        const codes = await Promise.all(halves.slice(25).map((socket) => socket.whenClosed()))
        expect(new Set(codes)).toEqual(new Set([4029]))
      }))
  })
}
