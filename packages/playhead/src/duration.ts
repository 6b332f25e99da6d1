/** Assumed when a video's length is not known: '4:00' (docs/product/viewer.md §9). */
export const DEFAULT_DURATION_MS = 240_000

const PATTERN = /^(?:(\d{1,4}):)?(\d{1,4}):([0-5]\d)$/

/** Milliseconds of 'm:ss' or 'h:mm:ss'; undefined for anything else (also for 'h:75:00'). */
export function parseDuration(text: string): number | undefined {
  const match = PATTERN.exec(text.trim())
  if (!match) return undefined
  const [, hours, minutes = '', seconds] = match
  if (hours !== undefined && (minutes.length !== 2 || Number(minutes) > 59)) return undefined
  return ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}

/** 'm:ss' below an hour, else 'h:mm:ss'; rounded to whole seconds, never negative. */
export function formatDuration(durationMs: number): string {
  const total = Math.max(0, Math.round(durationMs / 1000))
  const seconds = String(total % 60).padStart(2, '0')
  const minutes = Math.floor(total / 60) % 60
  const hours = Math.floor(total / 3600)
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}

const POSITION = /^(.*:\d\d)(?:[.,](\d{1,3}))?$/

/** Milliseconds of a position in a video: a duration with up to three decimals; undefined for anything else. */
export function parsePosition(text: string): number | undefined {
  const [, whole = '', decimals = ''] = POSITION.exec(text.trim()) ?? []
  const wholeMs = parseDuration(whole)
  return wholeMs === undefined ? undefined : wholeMs + Number(decimals.padEnd(3, '0'))
}

/** Like {@link formatDuration}, with three decimals unless the position is in whole seconds. */
export function formatPosition(positionMs: number): string {
  const restMs = positionMs % 1000
  const whole = formatDuration(positionMs - restMs)
  return restMs === 0 ? whole : `${whole}.${String(restMs).padStart(3, '0')}`
}
