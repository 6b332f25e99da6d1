import { randomUUID } from 'node:crypto'
import { until } from '@looptide/testkit/until'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Watcher } from '../support/crowd.ts'
import { clientFrame, lawfulFrames, type SocketWords, textFrame, VIOLATIONS } from '../support/fuzz/frames.ts'
import type { Ground } from '../support/fuzz/ground.ts'
import { HostileSocket } from '../support/fuzz/hostile-socket.ts'
import { count, seed } from '../support/fuzz/seed.ts'
import { sized } from '../support/sizes.ts'

const FRAMES_PER_SOCKET = 25
const SOCKETS = sized(40, 800)
const AT_ONCE = 8
const CHANNEL = 'test-card'
/** How a socket may end that spoke by the rules of WebSockets, whatever it said: too large, too much, session over. */
const LAWFUL_ENDS = [undefined, 1009, 4001, 4029]

const JOIN = textFrame(JSON.stringify(['1', '1', 'realtime:stream:test-card', 'phx_join', {}]))

/** Somebody who sits on the same topics all the while, and must not miss a word. */
class Witness {
  readonly #watcher: Watcher
  readonly #ground: Ground
  #said = 0
  #first = 0

  constructor(ground: Ground) {
    this.#ground = ground
    this.#watcher = new Watcher(ground.station.url, CHANNEL)
  }

  async start(): Promise<void> {
    this.#watcher.start()
    await until('the witness has joined', () => this.#watcher.joins === 1)
    this.#first = await this.#say()
    await until('the witness hears', () => this.#watcher.messages.has(this.#first))
  }

  /** Something is said in chat, and reaches the witness over the socket it has had from the beginning. */
  async hears(): Promise<void> {
    const seq = await this.#say()
    await until('the witness hears what is said', () => this.#watcher.messages.has(seq))
    expect(this.#watcher.joins).toBe(1)
    expect(this.#watcher.messages.size).toBeGreaterThanOrEqual(this.#said)
    expect(this.#watcher.contradictions).toEqual([])
  }

  stop(): Promise<void> {
    return this.#watcher.stop()
  }

  async #say(): Promise<number> {
    const response = await fetch(`${this.#ground.station.url}/api/chat/channels/${CHANNEL}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#ground.tokens.admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ clientId: randomUUID(), message: `Still here ${randomUUID()}` }),
    })
    const { seq } = (await response.json()) as { seq: number }
    this.#said += 1
    return seq
  }
}

/** Everything that can be sent to a socket, and whoever else is there. */
export function describeSockets(ground: () => Ground): void {
  const withWitness = async (work: (witness: Witness) => Promise<void>): Promise<void> => {
    const witness = new Witness(ground())
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
      `takes any message, answers the next one, and nobody else notices (${SOCKETS * FRAMES_PER_SOCKET} frames)`,
      { timeout: sized(60_000, 900_000) },
      () =>
        withWitness(async (witness) => {
          const { station, user, tokens, bait } = ground()
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
      'with $what is closed with $codes, before a join and after',
      async ({ bytes, codes }) => {
        for (const before of [Buffer.alloc(0), JOIN]) {
          const socket = await HostileSocket.open(ground().station.url)
          socket.write(before)
          await socket.settled()
          socket.write(bytes)
          expect(codes).toContain(await socket.whenClosed())
          count('socket frames')
        }
      },
    )

    it('that sends megabytes of nested arrays is closed, a hundred of them at once, and nobody else notices', () =>
      withWitness(async (witness) => {
        const { station } = ground()
        const nested = Array(20_000).fill('[[[[[[[[[[[]]]]]]]]]]]').join(',')
        const frame = textFrame(`[null,"1","phoenix","heartbeat",{"a":[${nested}]}]`)
        const sockets = await Promise.all(Array.from({ length: 100 }, () => HostileSocket.open(station.url)))
        for (const socket of sockets) for (let n = 0; n < 20; n += 1) socket.write(frame)
        await witness.hears()
        const codes = await Promise.all(sockets.map((socket) => socket.whenClosed()))
        // 1006: the reset came while the attacker still wrote, and had not read the close frame.
        expect(codes.filter((code) => code !== 1009 && code !== 1006)).toEqual([])
        count('socket frames', 2000)
      }))

    it('that stops within a frame, or floods, is nobody else’s trouble', () =>
      withWitness(async (witness) => {
        const { station } = ground()
        const halves = await Promise.all(Array.from({ length: 50 }, () => HostileSocket.open(station.url)))
        for (const [at, socket] of halves.entries()) socket.write(clientFrame(0x81, Buffer.alloc(at), 60_000))
        await witness.hears()
        for (const socket of halves.slice(0, 25)) socket.destroy()
        const flooding = await HostileSocket.open(station.url)
        for (let n = 0; n < 20_000; n += 1) flooding.write(JOIN)
        await witness.hears()
        for (const socket of [...halves, flooding]) socket.destroy()
      }))
  })
}
