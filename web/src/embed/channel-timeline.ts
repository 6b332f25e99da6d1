import type { NowState, Programme, ProgrammeVideo } from '@looptide/contracts/http/channels'
import type { NowPlaying } from '@looptide/contracts/http/now-playing'
import { newerTimeline, type Timeline } from '../features/live/timeline-state.ts'
import { createServerClock, localNowMs } from '../lib/time/server-clock.ts'

/** Interval at which the timeline is loaded again whatever happens, in ms; a fifth of it differs by embed. */
const REFRESH_MS = 60_000

/** As the station rounds them in what it announces. */
const seconds = (epochMs: number): number => Math.floor(epochMs / 1000)

/** The programmes of a channel, and the station's clock, over HTTP: an embed opens no socket. */
export class ChannelTimeline {
  readonly #channelId: string
  readonly #onChange: (programmes: readonly Programme[]) => void
  readonly #clock = createServerClock()
  #timeline: Timeline | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(channelId: string, onChange: (programmes: readonly Programme[]) => void) {
    this.#channelId = channelId
    this.#onChange = onChange
  }

  nowMs(): number {
    return this.#clock.nowMs()
  }

  /** The programmes from the current one on. */
  get programmes(): readonly Programme[] {
    return this.#timeline?.programmes ?? []
  }

  /** Whether the timeline has what the station says is on now and next, at the same times. */
  agreesWith({ now_playing: current, playing_next: next }: NowPlaying): boolean {
    const announced = next === null ? [current] : [current, next]
    return announced.every(({ song, played_at, duration }) => {
      const id = song.custom_fields.programme_id
      if (id === null) return !this.#hasOnAir()
      const known = this.programmes.find((programme) => programme.id === id)
      return (
        known !== undefined &&
        seconds(known.startsAtMs) === played_at &&
        seconds(known.endsAtMs) - played_at === duration
      )
    })
  }

  #hasOnAir(): boolean {
    const nowMs = this.nowMs()
    return this.programmes.some(({ startsAtMs, endsAtMs }) => startsAtMs <= nowMs && nowMs < endsAtMs)
  }

  /** Loads the timeline, and again every minute. A failed load changes nothing: what is known stays valid. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer)
    const sentAtMs = localNowMs()
    try {
      const response = await fetch(`${this.#path}/now`)
      if (response.ok) this.#take((await response.json()) as NowState, sentAtMs)
    } catch {
      // Offline, or the station restarts.
    } finally {
      clearTimeout(this.#timer)
      const waitMs = REFRESH_MS * (0.8 + 0.2 * Math.random())
      this.#timer = setTimeout(() => void this.refresh(), waitMs)
    }
  }

  /** What viewers see in whose region a programme's video does not play. Empty if the request fails. */
  async substitutes(programmeId: string): Promise<readonly ProgrammeVideo[]> {
    try {
      const response = await fetch(`${this.#path}/programmes/${encodeURIComponent(programmeId)}/substitutes`)
      if (!response.ok) return []
      return ((await response.json()) as { substitutes: ProgrammeVideo[] }).substitutes
    } catch {
      return []
    }
  }

  get #path(): string {
    return `/api/channels/${encodeURIComponent(this.#channelId)}`
  }

  #take(state: NowState, sentAtMs: number): void {
    this.#clock.addSample({ sentAtMs, serverNowMs: state.serverNowMs, receivedAtMs: localNowMs() })
    this.#timeline = newerTimeline(this.#timeline, state)
    this.#onChange(this.#timeline.programmes)
  }
}
