import { atNewRate, type Reading, steadyPosition, withReading } from '@looptide/playhead/media-clock'
import type { YouTubeFrame } from '../../../lib/media/youtube-api.ts'
import type { PlayerReading } from './player.ts'

/** A position that advances by less than this share of the time is not the video's: an advert, or a hidden stall. */
const MOVING_SHARE = 0.5
/** The position may be refreshed only once a second. */
const MOVING_AFTER_MS = 1_000

/** Estimates the position of a YouTube frame from its reported positions, which are late and infrequent. */
export class YouTubePosition {
  /** Lower bounds of the position. */
  #readings: Reading[] = []
  /** The positions as reported by the frame. */
  #reported: Reading[] = []

  /** Reads the frame's position. Call it many times a second while the frame plays. */
  note(frame: YouTubeFrame): void {
    const reading = {
      positionMs: frame.getCurrentTime() * 1000,
      atMs: performance.now(),
      rate: frame.getPlaybackRate(),
    }
    this.#readings = withReading(this.#readings, reading)
    this.#reported = withReading(this.#reported, reading)
  }

  /** Call it when the frame's rate changes. */
  atRate(rate: number): void {
    this.#readings = atNewRate(this.#readings, performance.now(), rate)
  }

  forget(): void {
    this.#readings = []
    this.#reported = []
  }

  /** Whether the position has advanced like that of a playing video. */
  get isMoving(): boolean {
    const [first] = this.#reported
    const last = this.#reported.at(-1)
    if (!first || !last) return false
    const elapsedMs = last.atMs - first.atMs
    if (elapsedMs < MOVING_AFTER_MS) return false
    return last.positionMs - first.positionMs > elapsedMs * MOVING_SHARE
  }

  /** The position; null while it cannot be measured. */
  read(frame: YouTubeFrame): PlayerReading | null {
    const newest = this.#readings.at(-1)
    const steady = steadyPosition(this.#readings)
    if (!newest || !steady || !this.isMoving) return null
    const loaded = frame.getVideoLoadedFraction()
    const loadedToMs = loaded * frame.getDuration() * 1000
    // Loaded to the end: it cannot stall.
    const aheadMs = loaded >= 0.995 ? Number.POSITIVE_INFINITY : loadedToMs - steady.positionMs
    return { ...steady, atMs: newest.atMs, bufferedAheadMs: Math.max(0, aheadMs) }
  }
}
