import type { OverrideBlock, Weekday } from '@looptide/contracts/schedule'
import { blockMinutes } from '@looptide/planner/grid'
import { minutesOf } from '@looptide/planner/local-days'
import { ALL_DAYS, DAY_MINUTES, dayIndex, STEP_MINUTES, timeText } from './times.ts'

const STEPS = DAY_MINUTES / STEP_MINUTES
/** Shorter lengths of a new block, in steps, for days without room for its own. */
const SHORTER = [60 / STEP_MINUTES, 1]

/** Days and hours of a new block. */
export interface Place {
  days: readonly Weekday[]
  from: string
  to: string
}

/**
 * The first hours of these days at which no block is: those that are wanted, else the first ones from midnight on, if need
 * be on fewer days or shorter. Without any, those that are wanted.
 */
export function freePlace(
  blocks: readonly Pick<OverrideBlock, 'days' | 'from' | 'to'>[],
  wanted: Place,
): Place {
  const isTaken = takenSteps(blocks)
  const { from, to } = blockMinutes(wanted)
  const length = Math.ceil((to - from) / STEP_MINUTES)
  const starts = [minutesOf(wanted.from), ...Array.from({ length: STEPS }, (_, step) => step * STEP_MINUTES)]
  for (const steps of [length, ...SHORTER.filter((shorter) => shorter < length)]) {
    const places = starts.map((start) => ({
      start,
      days: wanted.days.filter((day) => isFree(isTaken, dayIndex(day) * STEPS + start / STEP_MINUTES, steps)),
    }))
    const place =
      places.find(({ days }) => days.length === wanted.days.length) ??
      places.find(({ days }) => days.length > 0)
    if (place) {
      const end = Math.min(place.start + steps * STEP_MINUTES, place.start + to - from)
      return { days: place.days, from: timeText(place.start), to: timeText(end) }
    }
  }
  return wanted
}

/** For each step of the week, whether a block is on. */
function takenSteps(blocks: readonly Pick<OverrideBlock, 'days' | 'from' | 'to'>[]): boolean[] {
  const taken = Array.from({ length: 7 * STEPS }, () => false)
  for (const block of blocks) {
    const { from, to } = blockMinutes(block)
    for (const day of block.days ?? ALL_DAYS) {
      const first = Math.floor(from / STEP_MINUTES)
      for (let step = first; step < Math.ceil(to / STEP_MINUTES); step += 1)
        taken[(dayIndex(day) * STEPS + step) % taken.length] = true
    }
  }
  return taken
}

function isFree(taken: readonly boolean[], first: number, steps: number): boolean {
  for (let step = Math.floor(first); step < first + steps; step += 1)
    if (taken[step % taken.length]) return false
  return true
}
