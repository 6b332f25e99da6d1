import { NowState, type Programme, type StreamStatus } from '@looptide/contracts/http/channels'
import type { Logger } from '@looptide/service-kit/logger'
import { Check } from 'typebox/value'
import type { SharedJson } from '../realtime/channel-facts.ts'
import { LookupBudget } from './lookup-budget.ts'

export interface ChannelStatesDeps {
  schedulerUrl: string
  logger: Logger
  /** Wall clock, epoch ms. */
  now: () => number
  /** Called with the time (epoch ms) that the scheduler told, and when it was asked by our clock. */
  onTime?: (stationMs: number, askedAtMs: number) => void
  /** Called when a channel's future or status has become another one. */
  onChange: (channelId: string) => void
}

interface Entry {
  state: NowState
  /** `programmes` as JSON, made anew when the first one has ended; and as bytes, for the many. */
  json: string
  bytes: Buffer
  jsonEndsAtMs: number
  fetchedAtMs: number
  usedAtMs: number
}

/** Programmes reach two hours ahead; below this they are fetched again, long before they run out. */
const HORIZON_MS = 100 * 60_000
/** Mends what an event may have missed. */
const STALE_MS = 120_000
const UNUSED_MS = 600_000
const TICK_MS = 5000
const TIMEOUT_MS = 3000
/** A channel that is not there is not asked for again so soon. */
const ABSENT_MS = 10_000
const MAX_ABSENT = 1000
const MAX_LOOKUPS = 50
const RETRY_MS = 150
const MAX_RETRIES = 20

const NO_PROGRAMMES = Buffer.from('[]')

type Lookup = 'found' | 'absent' | 'unreachable'

/**
 * What is on each channel, in memory: fetched from the scheduler once per channel, whoever asks and
 * however many, refreshed when an event says so and before it runs out. While the scheduler is away
 * the last word stands: it holds two hours of programmes.
 */
export class ChannelStates {
  readonly #deps: ChannelStatesDeps
  readonly #budget: LookupBudget
  readonly #entries = new Map<string, Entry>()
  readonly #absentUntilMs = new Map<string, number>()
  readonly #lookups = new Map<string, Promise<Lookup>>()
  readonly #again = new Set<string>()
  /** The newest version that events have told of, of channels in memory or just being asked for. */
  readonly #expectedVersions = new Map<string, number>()
  /** Channels of which an event has told news that have not been fetched yet. */
  readonly #outdated = new Set<string>()
  /** Channels somebody waits for although the scheduler could not be reached. */
  readonly #wanted = new Set<string>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #ticker: NodeJS.Timeout | undefined

  constructor(deps: ChannelStatesDeps) {
    this.#deps = deps
    this.#budget = new LookupBudget(deps.schedulerUrl, deps.now)
  }

  start(): void {
    this.#ticker = setInterval(() => this.#tick(), TICK_MS)
    this.#ticker.unref()
  }

  stop(): void {
    clearInterval(this.#ticker)
    for (const timer of this.#timers) clearTimeout(timer)
  }

  /** True also when nobody can tell: a viewer is let in and hears when the scheduler is back. */
  exists(channelId: string): boolean | Promise<boolean> {
    if (this.#entries.has(channelId)) return true
    if ((this.#absentUntilMs.get(channelId) ?? 0) > this.#deps.now()) return false
    if (!this.#lookups.has(channelId) && this.#lookups.size >= MAX_LOOKUPS) return false
    return this.#find(channelId).then((result) => result !== 'absent')
  }

  /** The state as it is now, or null when it is not in memory. */
  get(channelId: string): Pick<NowState, 'status' | 'timelineVersion'> | null {
    const entry = this.#entries.get(channelId)
    if (entry === undefined) return null
    entry.usedAtMs = this.#deps.now()
    return entry.state
  }

  /** The same as the JSON text of a {@link NowState}, beginning with the programme on the air. */
  json(channelId: string): string | null {
    const nowMs = this.#deps.now()
    const entry = this.#current(channelId, nowMs)
    return entry === null ? null : `${headOf(channelId, entry.state, nowMs)}${entry.json}}`
  }

  /** The same in pieces, for one arrival of many; what is in `more` (JSON members, with a comma before them) is added. */
  shared(channelId: string, more: string): SharedJson | null {
    const nowMs = this.#deps.now()
    const entry = this.#current(channelId, nowMs)
    if (entry === null) return null
    return { head: headOf(channelId, entry.state, nowMs), shared: entry.bytes, tail: `${more}}` }
  }

  /** What is on the air and what follows; empty when it is not in memory, or nothing is on. */
  onAir(channelId: string): readonly Programme[] {
    return this.#current(channelId, this.#deps.now())?.state.programmes ?? []
  }

  /** The channel without what has ended by now. */
  #current(channelId: string, nowMs: number): Entry | null {
    const entry = this.#entries.get(channelId)
    if (entry === undefined) return null
    entry.usedAtMs = nowMs
    if (nowMs >= entry.jsonEndsAtMs) trim(entry, nowMs)
    return entry
  }

  /**
   * Fetches a channel that is not in memory yet. Where an event has told that what is in memory is not true any more,
   * waits for the news: who asks because of that event must not get the old state.
   */
  async load(channelId: string): Promise<Lookup> {
    if (this.#entries.has(channelId)) {
      if (this.#outdated.has(channelId)) await this.#lookups.get(channelId)
      return 'found'
    }
    if ((this.#absentUntilMs.get(channelId) ?? 0) > this.#deps.now()) return 'absent'
    return this.#find(channelId)
  }

  /** Asks for a channel that is not in memory, unless too many of these are asked for. */
  #find(channelId: string): Promise<Lookup> {
    const isAllowed = this.#lookups.has(channelId) || this.#budget.allows(channelId)
    if (isAllowed === true) return this.#lookUp(channelId)
    return isAllowed.then((allowed) => (allowed ? this.#lookUp(channelId) : 'absent'))
  }

  /** An event says the future is another one from now on. */
  timelineChanged(channelId: string, timelineVersion: number): void {
    if (!this.#isFollowed(channelId)) return
    const expected = this.#expectedVersions.get(channelId) ?? 0
    this.#expectedVersions.set(channelId, Math.max(expected, timelineVersion))
    this.#outdated.add(channelId)
    this.#refresh(channelId, 0)
  }

  statusChanged(channelId: string, status: StreamStatus): void {
    if (!this.#isFollowed(channelId)) return
    const entry = this.#entries.get(channelId)
    if (entry !== undefined) entry.state = { ...entry.state, status }
    this.#outdated.add(channelId)
    this.#refresh(channelId, 0)
  }

  forget(channelId: string): void {
    this.#entries.delete(channelId)
    this.#expectedVersions.delete(channelId)
  }

  /** A channel was made, or is there again: ask anew. */
  allow(channelId: string): void {
    this.#absentUntilMs.delete(channelId)
    if (this.#lookups.has(channelId)) this.#refresh(channelId, 0)
  }

  /** In memory, or being asked for: the answer that is under way may be older than what an event tells. */
  #isFollowed(channelId: string): boolean {
    return this.#entries.has(channelId) || this.#lookups.has(channelId)
  }

  /** Events may have been missed: everything is asked for again. */
  refreshAll(): void {
    for (const channelId of this.#entries.keys()) this.#refresh(channelId, 0)
  }

  #tick(): void {
    const nowMs = this.#deps.now()
    for (const channelId of this.#wanted) void this.#lookUp(channelId)
    for (const [channelId, entry] of this.#entries) {
      if (nowMs - entry.usedAtMs > UNUSED_MS) this.forget(channelId)
      else if (this.#isBehind(channelId, entry) || needsRefresh(entry, nowMs)) this.#refresh(channelId, 0)
    }
  }

  /** Asks until the answer is as new as the event that made us ask. */
  #refresh(channelId: string, attempt: number): void {
    void this.#lookUp(channelId, attempt === 0).then(() => {
      const entry = this.#entries.get(channelId)
      if (entry === undefined || attempt >= MAX_RETRIES || !this.#isBehind(channelId, entry)) return
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        this.#refresh(channelId, attempt + 1)
      }, RETRY_MS)
      timer.unref()
      this.#timers.add(timer)
    })
  }

  #isBehind(channelId: string, { state }: Entry): boolean {
    return state.timelineVersion < (this.#expectedVersions.get(channelId) ?? 0)
  }

  /** One request per channel at a time; `afresh` has one more follow when one is under way already. */
  #lookUp(channelId: string, afresh = false): Promise<Lookup> {
    const running = this.#lookups.get(channelId)
    if (running !== undefined) {
      if (afresh) this.#again.add(channelId)
      return running
    }
    const lookup = this.#fetchAgain(channelId).finally(() => {
      this.#lookups.delete(channelId)
      this.#outdated.delete(channelId)
      if (!this.#entries.has(channelId)) this.#expectedVersions.delete(channelId)
    })
    this.#lookups.set(channelId, lookup)
    return lookup
  }

  async #fetchAgain(channelId: string): Promise<Lookup> {
    for (;;) {
      this.#again.delete(channelId)
      const result = await this.#fetch(channelId)
      if (!this.#again.has(channelId)) return result
    }
  }

  async #fetch(channelId: string): Promise<Lookup> {
    const askedAtMs = this.#deps.now()
    try {
      const url = `${this.#deps.schedulerUrl}/api/channels/${encodeURIComponent(channelId)}/now`
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const body: unknown = await response.json().catch(() => null)
      if (response.status === 404) return this.#setAbsent(channelId)
      if (!response.ok || !Check(NowState, body)) throw new Error(`the scheduler answered ${response.status}`)
      this.#deps.onTime?.(body.serverNowMs, askedAtMs)
      this.#take(channelId, body)
      return 'found'
    } catch (error) {
      this.#deps.logger.warn({ err: error, channelId }, 'a channel could not be refreshed')
      if (!this.#entries.has(channelId) && this.#wanted.size < MAX_ABSENT) this.#wanted.add(channelId)
      return 'unreachable'
    }
  }

  #setAbsent(channelId: string): Lookup {
    const oldest = this.#absentUntilMs.keys().next()
    if (this.#absentUntilMs.size >= MAX_ABSENT && !oldest.done) this.#absentUntilMs.delete(oldest.value)
    this.#absentUntilMs.set(channelId, this.#deps.now() + ABSENT_MS)
    this.#wanted.delete(channelId)
    this.#entries.delete(channelId)
    return 'absent'
  }

  #take(channelId: string, state: NowState): void {
    const nowMs = this.#deps.now()
    const before = this.#entries.get(channelId)
    const entry: Entry = {
      state,
      json: '[]',
      bytes: NO_PROGRAMMES,
      jsonEndsAtMs: 0,
      fetchedAtMs: nowMs,
      usedAtMs: before?.usedAtMs ?? nowMs,
    }
    trim(entry, nowMs)
    this.#entries.set(channelId, entry)
    const isNews = before === undefined ? this.#wanted.has(channelId) : differs(before.state, state)
    this.#wanted.delete(channelId)
    if (isNews) this.#deps.onChange(channelId)
  }
}

const differs = (before: NowState, after: NowState): boolean =>
  before.timelineVersion !== after.timelineVersion || before.status !== after.status

function needsRefresh({ state, fetchedAtMs }: Entry, nowMs: number): boolean {
  const endsAtMs = state.programmes.at(-1)?.endsAtMs ?? nowMs
  const age = nowMs - fetchedAtMs
  return age > STALE_MS || (state.status === 'live' && endsAtMs - nowMs < HORIZON_MS && age > TICK_MS * 2)
}

const headOf = (channelId: string, { status, timelineVersion }: NowState, nowMs: number): string =>
  `{"channelId":${JSON.stringify(channelId)},"status":"${status}","timelineVersion":${timelineVersion},"serverNowMs":${nowMs},"programmes":`

/** Leaves out what has ended and remembers when the next programme does. */
function trim(entry: Entry, nowMs: number): void {
  const programmes: Programme[] = entry.state.programmes.filter(({ endsAtMs }) => endsAtMs > nowMs)
  entry.state = { ...entry.state, programmes }
  entry.json = JSON.stringify(programmes)
  entry.bytes = Buffer.from(entry.json)
  entry.jsonEndsAtMs = programmes[0]?.endsAtMs ?? Number.POSITIVE_INFINITY
}
