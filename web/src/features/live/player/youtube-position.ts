import { atNewRate, type Reading, steadyPosition, withReading } from '@looptide/playhead/media-clock'
import type { PlayerReading } from './player.ts'
import type { YouTubeFrame } from './youtube-api.ts'

/** A position that gains less than this share of the time is not the video's: an advert, or a hidden stall. */
const MOVING_SHARE = 0.5
/** A coarse position may stand for up to a second between refreshes. */
const MOVING_AFTER_MS = 1_000

/** Where a frame's video is, from positions that it tells late and only now and then. */
export class YouTubePosition {
  /** Lower bounds of the position. */
  private readings: Reading[] = []
  /** What the frame said, as it said it. */
  private said: Reading[] = []

  /** Asks the frame; to be called many times a second while it says that it plays. */
  note(frame: YouTubeFrame): void {
    const reading = {
      positionMs: frame.getCurrentTime() * 1000,
      atMs: performance.now(),
      rate: frame.getPlaybackRate(),
    }
    this.readings = withReading(this.readings, reading)
    this.said = withReading(this.said, reading)
  }

  /** The frame plays at another rate from now on. */
  atRate(rate: number): void {
    this.readings = atNewRate(this.readings, performance.now(), rate)
  }

  forget(): void {
    this.readings = []
    this.said = []
  }

  /** Whether the position gains on the clock as a playing video's does, over the readings at hand. */
  get isMoving(): boolean {
    const [first] = this.said
    const last = this.said.at(-1)
    if (!first || !last) return false
    const elapsedMs = last.atMs - first.atMs
    if (elapsedMs < MOVING_AFTER_MS) return false
    return last.positionMs - first.positionMs > elapsedMs * MOVING_SHARE
  }

  /** Null while it cannot be told. */
  read(frame: YouTubeFrame): PlayerReading | null {
    const newest = this.readings.at(-1)
    const steady = steadyPosition(this.readings)
    if (!newest || !steady || !this.isMoving) return null
    const loaded = frame.getVideoLoadedFraction()
    const loadedToMs = loaded * frame.getDuration() * 1000
    // Loaded to the end: nothing can run dry.
    const aheadMs = loaded >= 0.995 ? Number.POSITIVE_INFINITY : loadedToMs - steady.positionMs
    return { ...steady, atMs: newest.atMs, bufferedAheadMs: Math.max(0, aheadMs) }
  }
}
