import type { NowState } from '@looptide/contracts/http/channels'
import type { ChatPage } from '@looptide/contracts/http/chat'
import { testAdmin } from '@looptide/test-station/station'
import { until } from '@looptide/testkit/until'
import { expect } from 'vitest'
import { ChannelRenamer } from './channel-renamer.ts'
import { Chatter, Watcher } from './crowd.ts'
import { Fans } from './fan.ts'
import { signIn, signUp } from './people.ts'
import { Reader } from './reader.ts'
import { chatHistory, expectNothingLost, expectTimelineKept, getJson } from './records.ts'
import { Tally } from './tally.ts'

const CHATTERS = 10
const WATCHERS = 20
const CHAT_EVERY_MS = 250
const OTHERS_EVERY_MS = 500
/** The channel that viewers watch, and the one that the admin renames. */
const WATCHED = 'test-card'
const EDITED = 'default'

/**
 * The load of one test run: ten users chat, five like and vote (with `FAN_SETTINGS`), twenty watch, one polls the current
 * programme, and an admin edits.
 */
export class Load {
  readonly #url: string
  readonly #before: NowState
  readonly chatters: readonly Chatter[]
  readonly watchers: readonly Watcher[]
  readonly renamer: ChannelRenamer
  readonly reader: Reader
  readonly fans: Fans
  readonly chat: Tally
  readonly fanTally: Tally
  #joins = 0
  /** Sequence number of the newest message at the start of the table row. */
  #beganAtSeq = 0
  #nonsenseBefore = 0

  constructor(
    url: string,
    before: NowState,
    people: { chatters: Awaited<ReturnType<typeof signUp>>[]; fans: Fans; fanTally: Tally },
    adminToken: string,
  ) {
    this.#url = url
    this.#before = before
    this.fans = people.fans
    this.fanTally = people.fanTally
    this.chat = new Tally()
    this.chatters = people.chatters.map(
      (person) => new Chatter(url, WATCHED, person, CHAT_EVERY_MS, this.chat),
    )
    this.watchers = Array.from({ length: WATCHERS }, () => new Watcher(url, WATCHED))
    this.renamer = new ChannelRenamer(url, adminToken, EDITED)
    this.reader = new Reader(url, WATCHED)
  }

  /** Resolves when all clients are connected and active. */
  static async start(url: string): Promise<Load> {
    const names = Array.from({ length: CHATTERS }, (_, index) => `chatter-${index}`)
    const chatters = await Promise.all(names.map((name) => signUp(url, name)))
    const token = await signIn(url, testAdmin.email, testAdmin.password)
    const fanTally = new Tally()
    const fans = await Fans.create(url, token, fanTally)
    const onTheAir = async () => {
      const now = await getJson<NowState>(url, `/api/channels/${WATCHED}/now`)
      return now.programmes.length > 0 ? now : null
    }
    const before = await until('the channel is on the air', onTheAir, { timeoutMs: 60_000 })
    const load = new Load(url, before, { chatters, fans, fanTally }, token)
    for (const one of [...load.watchers, ...load.chatters]) one.start()
    load.fans.start(OTHERS_EVERY_MS)
    load.renamer.start(OTHERS_EVERY_MS)
    load.reader.start(OTHERS_EVERY_MS)
    await until('everybody has joined', () => load.watchers.every(({ joins }) => joins > 0))
    return load
  }

  get channelId(): string {
    return WATCHED
  }

  /** Starts a new row of the table. */
  async begin(): Promise<void> {
    for (const tally of this.#tallies) tally.clear()
    this.#nonsenseBefore = this.#allNonsense().length
    this.#joins = this.#allJoins()
    this.#beganAtSeq = await this.#newest()
  }

  get #tallies(): readonly Tally[] {
    return [this.chat, this.fanTally, this.renamer.tally, this.reader.tally]
  }

  #allJoins(): number {
    return this.watchers.reduce((sum, { joins }) => sum + joins, 0)
  }

  /** Results of all clients since {@link begin}. */
  seen(): { viewer: string; chatter: string; fan: string; admin: string } {
    const joins = this.#allJoins() - this.#joins
    return {
      viewer: `${joins} reconnects of ${WATCHERS}; what is on: ${this.reader.tally}`,
      chatter: String(this.chat),
      fan: String(this.fanTally),
      admin: String(this.renamer.tally),
    }
  }

  /** All failures since {@link begin}. */
  get refusals(): string[] {
    return this.#tallies.flatMap(({ refusals }) => refusals)
  }

  /** Resolves when all requests succeed again and all messages reach all viewers. */
  async untilWell(): Promise<void> {
    const [chat, fans, renamer, reader] = [
      this.chat.goodCount,
      this.fanTally.goodCount,
      this.renamer.tally.goodCount,
      this.reader.tally.goodCount,
    ]
    const longWait = { timeoutMs: 90_000 }
    await until('chat is acknowledged', () => this.chat.goodCount >= chat + CHATTERS, longWait)
    await until('likes and votes are acknowledged', () => this.fanTally.goodCount > fans, longWait)
    await until('the renames continue', () => this.renamer.tally.goodCount > renamer, longWait)
    await until('the current programme is answered', () => this.reader.tally.goodCount > reader, longWait)
    const newest = await until('the newest message is known', () => this.#newest(), longWait)
    await until(
      'chat messages reach every watcher live',
      () => this.watchers.every(({ messages }) => messages.has(newest)),
      longWait,
    )
  }

  async #newest(): Promise<number> {
    const page = await getJson<ChatPage>(this.#url, `/api/chat/channels/${WATCHED}/messages?limit=1`)
    return page.lastSeq
  }

  /**
   * Number of lost messages: acknowledged but not stored, of those numbered since {@link begin}. Earlier ones may have
   * been acknowledged later.
   */
  async lost(): Promise<{ lost: number; of: number }> {
    const said = this.chatters
      .flatMap(({ acknowledged }) => acknowledged)
      .filter(({ seq }) => seq > this.#beganAtSeq)
    const history = await chatHistory(this.#url, WATCHED, this.#beganAtSeq)
    const known = new Set(history.map(({ message }) => message))
    return { lost: said.filter(({ message }) => !known.has(message)).length, of: said.length }
  }

  /** Responses since {@link begin} that contradict themselves or the clock. */
  get nonsense(): string[] {
    return this.#allNonsense().slice(this.#nonsenseBefore)
  }

  /** A contradictory response, a moved programme or a changed message. */
  #allNonsense(): string[] {
    return [
      ...this.reader.nonsense,
      ...this.fans.nonsense,
      ...this.watchers.flatMap(({ contradictions }) => contradictions),
    ]
  }

  /** Stops all clients and compares their records with the station's. */
  async expectNothingLost(): Promise<void> {
    await Promise.all([...this.chatters, this.fans, this.renamer, this.reader].map((one) => one.stop()))
    await expectNothingLost(this.#url, WATCHED, this.chatters, this.watchers)
    await this.renamer.expectNothingLost()
    await this.fans.expectNothingLost()
    expect(this.#allNonsense()).toEqual([])
  }

  expectTimelineKept(): Promise<void> {
    return expectTimelineKept(this.#url, WATCHED, this.#before)
  }

  async stop(): Promise<void> {
    await Promise.all(this.watchers.map((watcher) => watcher.stop()))
  }
}
