import { NowState, type Programme, type StreamStatus } from '@looptide/contracts/http/channels'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { internalFetch } from '@looptide/service-kit/tls/internal-client'
import { LRUCache } from 'lru-cache'
import { Check } from 'typebox/value'
import type { Snapshot } from '../realtime/channel-directory.ts'
import {
  type ChannelEntry,
  createEntry,
  hasChanged,
  jsonHead,
  needsRefresh,
  PROGRAMMES,
  trimEntry,
} from './channel-entry.ts'
import { LookupBudget } from './lookup-budget.ts'

interface ChannelStateCacheDeps {
  schedulerUrl: string
  logger: Logger
  /** Wall clock, epoch ms. */
  now: () => number
  /** Called with the scheduler's time (epoch ms) and this machine's time when the request was sent. */
  onTime?: (serverNowMs: number, requestedAtMs: number) => void
  /** Called when a channel's timeline or status has changed. */
  onChange: (channelId: string) => void
}

/** Time without use after which a channel is evicted, in ms. */
const UNUSED_MS = 600_000
const TICK_MS = 5000
const TIMEOUT_MS = 3000
/** Time for which a missing channel is not looked up again, in ms. */
const ABSENT_TTL_MS = 10_000
const MAX_ABSENT = 1000
const MAX_CONCURRENT_LOOKUPS = 50
const RETRY_MS = 150
const MAX_RETRIES = 20

type LookupResult = 'found' | 'absent' | 'unreachable'

/**
 * The current state of each channel, in memory. A channel is fetched from the scheduler once, for any number of viewers.
 * It is fetched again when an event reports a change and before its programmes run out. While the scheduler is down the
 * last state is used, which holds two hours of programmes.
 */
export class ChannelStateCache {
  readonly #deps: ChannelStateCacheDeps
  readonly #budget: LookupBudget
  readonly #entries = new Map<string, ChannelEntry>()
  /** Channels that the scheduler does not have. */
  readonly #absent: LRUCache<string, true>
  readonly #lookups = new Map<string, Promise<LookupResult>>()
  /** Channels to be fetched once more after the current lookup. */
  readonly #repeat = new Set<string>()
  /** The newest timeline version that events reported, of channels in memory or being looked up. */
  readonly #expectedVersions = new Map<string, number>()
  /** Channels with a reported change that is not fetched yet. */
  readonly #outdated = new Set<string>()
  /** Channels that viewers wait for while the scheduler is unreachable. */
  readonly #awaited = new Set<string>()
  readonly #retryTimers = new Set<NodeJS.Timeout>()
  #ticker: NodeJS.Timeout | undefined

  constructor(deps: ChannelStateCacheDeps) {
    this.#deps = deps
    this.#budget = new LookupBudget(deps.schedulerUrl, deps.now)
    const { now } = deps
    this.#absent = new LRUCache({ max: MAX_ABSENT, ttl: ABSENT_TTL_MS, ttlResolution: 0, perf: { now } })
  }

  start(): void {
    this.#ticker = setInterval(() => this.#tick(), TICK_MS)
    this.#ticker.unref()
  }

  stop(): void {
    clearInterval(this.#ticker)
    for (const timer of this.#retryTimers) clearTimeout(timer)
  }

  /** True also while the scheduler is unreachable: the viewer may join and receives the state once it is fetched. */
  exists(channelId: string): boolean | Promise<boolean> {
    if (this.#entries.has(channelId)) return true
    if (this.#absent.has(channelId)) return false
    if (!this.#lookups.has(channelId) && this.#lookups.size >= MAX_CONCURRENT_LOOKUPS) return false
    return this.#lookUpWithinBudget(channelId).then((result) => result !== 'absent')
  }

  /** Status and version; null when the channel is not in memory. */
  get(channelId: string): Pick<NowState, 'status' | 'timelineVersion'> | null {
    const entry = this.#entries.get(channelId)
    if (entry === undefined) return null
    entry.usedAtMs = this.#deps.now()
    return entry.state
  }

  /** Identifies status and timeline of a channel; null when it is not in memory, or a reported change is not fetched yet. */
  versionOf(channelId: string): string | null {
    if (this.#outdated.has(channelId)) return null
    const state = this.get(channelId)
    return state === null ? null : `${state.timelineVersion} ${state.status}`
  }

  /** The JSON text of a {@link NowState} that starts with the current programme; null when it is not in memory. */
  json(channelId: string): string | null {
    const nowMs = this.#deps.now()
    const entry = this.#currentEntry(channelId, nowMs)
    return entry === null ? null : `${jsonHead(channelId, entry.state, nowMs)}${PROGRAMMES}${entry.json}}`
  }

  /** The same in parts that joins share. `members`: additional JSON members, with a leading comma. */
  snapshot(channelId: string, members: string): Snapshot | null {
    const nowMs = this.#deps.now()
    const entry = this.#currentEntry(channelId, nowMs)
    if (entry === null) return null
    const head = jsonHead(channelId, entry.state, nowMs)
    const shared = { version: entry.state.timelineVersion, name: PROGRAMMES, bytes: entry.bytes }
    return { head, shared, tail: `${members}}` }
  }

  /** The current and the next programmes; empty when the channel is not in memory or nothing is scheduled. */
  programmes(channelId: string): readonly Programme[] {
    return this.#currentEntry(channelId, this.#deps.now())?.state.programmes ?? []
  }

  /** The entry without programmes that have ended. */
  #currentEntry(channelId: string, nowMs: number): ChannelEntry | null {
    const entry = this.#entries.get(channelId)
    if (entry === undefined) return null
    entry.usedAtMs = nowMs
    if (nowMs >= entry.jsonEndsAtMs) trimEntry(entry, nowMs)
    return entry
  }

  /**
   * Fetches a channel that is not in memory. If an event has reported a change that is not fetched yet, waits for it: a
   * client that requests the state because of that event must not get the old one.
   */
  async load(channelId: string): Promise<LookupResult> {
    if (this.#entries.has(channelId)) {
      if (this.#outdated.has(channelId)) await this.#lookups.get(channelId)
      return 'found'
    }
    if (this.#absent.has(channelId)) return 'absent'
    return this.#lookUpWithinBudget(channelId)
  }

  #lookUpWithinBudget(channelId: string): Promise<LookupResult> {
    const isAllowed = this.#lookups.has(channelId) || this.#budget.allows(channelId)
    if (isAllowed === true) return this.#lookUp(channelId)
    return isAllowed.then((allowed) => (allowed ? this.#lookUp(channelId) : 'absent'))
  }

  /** Call it when an event reports a new timeline version. */
  timelineChanged(channelId: string, timelineVersion: number): void {
    if (!this.#isTracked(channelId)) return
    const expected = this.#expectedVersions.get(channelId) ?? 0
    this.#expectedVersions.set(channelId, Math.max(expected, timelineVersion))
    this.#outdated.add(channelId)
    this.#refresh(channelId, 0)
  }

  /** Call it when an event reports a new status. */
  statusChanged(channelId: string, status: StreamStatus): void {
    if (!this.#isTracked(channelId)) return
    const entry = this.#entries.get(channelId)
    if (entry !== undefined) entry.state = { ...entry.state, status }
    this.#outdated.add(channelId)
    this.#refresh(channelId, 0)
  }

  /** Call it when a channel was deleted. */
  delete(channelId: string): void {
    this.#entries.delete(channelId)
    this.#expectedVersions.delete(channelId)
  }

  /** Call it when a channel was created: it may be looked up again. */
  channelCreated(channelId: string): void {
    this.#absent.delete(channelId)
    if (this.#lookups.has(channelId)) this.#refresh(channelId, 0)
  }

  /** In memory or being looked up. The response of a running lookup may be older than an event. */
  #isTracked(channelId: string): boolean {
    return this.#entries.has(channelId) || this.#lookups.has(channelId)
  }

  /** Fetches every channel again. For use after events may have been missed. */
  refreshAll(): void {
    for (const channelId of this.#entries.keys()) this.#refresh(channelId, 0)
  }

  #tick(): void {
    const nowMs = this.#deps.now()
    for (const channelId of this.#awaited) void this.#lookUp(channelId)
    for (const [channelId, entry] of this.#entries) {
      if (nowMs - entry.usedAtMs > UNUSED_MS) this.delete(channelId)
      else if (this.#isBehind(channelId, entry) || needsRefresh(entry, nowMs)) this.#refresh(channelId, 0)
    }
  }

  /** Fetches until the state has the version that events reported. */
  #refresh(channelId: string, attempt: number): void {
    void this.#lookUp(channelId, attempt === 0).then(() => {
      const entry = this.#entries.get(channelId)
      if (entry === undefined || attempt >= MAX_RETRIES || !this.#isBehind(channelId, entry)) return
      const timer = setTimeout(() => {
        this.#retryTimers.delete(timer)
        this.#refresh(channelId, attempt + 1)
      }, RETRY_MS)
      timer.unref()
      this.#retryTimers.add(timer)
    })
  }

  #isBehind(channelId: string, { state }: ChannelEntry): boolean {
    return state.timelineVersion < (this.#expectedVersions.get(channelId) ?? 0)
  }

  /** Runs one lookup per channel at a time. `repeat`: a running lookup is followed by another one. */
  #lookUp(channelId: string, repeat = false): Promise<LookupResult> {
    const running = this.#lookups.get(channelId)
    if (running !== undefined) {
      if (repeat) this.#repeat.add(channelId)
      return running
    }
    const lookup = this.#fetchUntilCurrent(channelId).finally(() => {
      this.#lookups.delete(channelId)
      this.#outdated.delete(channelId)
      if (!this.#entries.has(channelId)) this.#expectedVersions.delete(channelId)
    })
    this.#lookups.set(channelId, lookup)
    return lookup
  }

  async #fetchUntilCurrent(channelId: string): Promise<LookupResult> {
    for (;;) {
      this.#repeat.delete(channelId)
      const result = await this.#fetch(channelId)
      if (!this.#repeat.has(channelId)) return result
    }
  }

  async #fetch(channelId: string): Promise<LookupResult> {
    const requestedAtMs = this.#deps.now()
    try {
      const url = `${this.#deps.schedulerUrl}/api/channels/${encodeURIComponent(channelId)}/now`
      const response = await internalFetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const body: unknown = await response.json().catch(() => null)
      if (response.status === 404) return this.#setAbsent(channelId)
      if (!response.ok || !Check(NowState, body)) throw new Error(`scheduler responded ${response.status}`)
      this.#deps.onTime?.(body.serverNowMs, requestedAtMs)
      this.#store(channelId, body)
      return 'found'
    } catch (error) {
      this.#deps.logger.warn({ err: error, channelId }, 'channel refresh failed')
      if (!this.#entries.has(channelId) && this.#awaited.size < MAX_ABSENT) this.#awaited.add(channelId)
      return 'unreachable'
    }
  }

  #setAbsent(channelId: string): LookupResult {
    this.#absent.set(channelId, true)
    this.#awaited.delete(channelId)
    this.#entries.delete(channelId)
    return 'absent'
  }

  #store(channelId: string, state: NowState): void {
    const nowMs = this.#deps.now()
    const before = this.#entries.get(channelId)
    this.#entries.set(channelId, createEntry(state, nowMs, before?.usedAtMs ?? nowMs))
    const isNew = before === undefined ? this.#awaited.has(channelId) : hasChanged(before.state, state)
    this.#awaited.delete(channelId)
    if (isNew) this.#deps.onChange(channelId)
  }
}
