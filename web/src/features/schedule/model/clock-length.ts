import type { Slot } from '@looptide/contracts/schedule'

/** Playing time of a music video on average, for estimates, in ms. */
const VIDEO_MS = 225_000

/** About how long one pass through a clock takes, in ms. */
export const clockLengthMs = (slots: readonly Slot[]): number =>
  slots.reduce((sum, slot) => sum + slotLengthMs(slot), 0)

function slotLengthMs(slot: Slot): number {
  if ('durationMs' in slot) return slot.durationMs
  return (slot.count ?? 1) * VIDEO_MS
}
