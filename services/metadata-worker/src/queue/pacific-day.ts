const CLOCK = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Los_Angeles',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const HOUR_MS = 3_600_000

/** The day in Pacific time, as 'YYYY-MM-DD'. YouTube resets quotas at midnight Pacific time. */
export function pacificDay(nowMs: number): string {
  const part = partsAt(nowMs)
  return `${part('year')}-${part('month')}-${part('day')}`
}

/** The start of the next Pacific day, in epoch ms. Days of 23 and 25 hours are handled. */
export function nextPacificMidnight(nowMs: number): number {
  const today = pacificDay(nowMs)
  const part = partsAt(nowMs)
  const sinceMidnightMs =
    (Number(part('hour')) * 60 + Number(part('minute'))) * 60_000 + Number(part('second')) * 1000
  const guess = nowMs - (nowMs % 1000) - sinceMidnightMs + 24 * HOUR_MS
  // A clock change in between shifts midnight by an hour.
  const candidates = [guess - HOUR_MS, guess, guess + HOUR_MS]
  return candidates.find((ms) => pacificDay(ms) !== today && pacificDay(ms - 1) === today) ?? guess
}

function partsAt(nowMs: number): (type: Intl.DateTimeFormatPartTypes) => string {
  const parts = CLOCK.formatToParts(nowMs)
  return (type) => parts.find((part) => part.type === type)?.value ?? ''
}
