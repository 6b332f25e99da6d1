import type { Slot } from '@looptide/contracts/schedule'

/** The position in a clock. */
export interface SlotPosition {
  /** Start (epoch ms) of the block or special. */
  occurrenceMs: number
  /** Index of the current slot. */
  slot: number
  /** Videos played in the slot so far, and their total time in ms. */
  count: number
  elapsedMs: number
}

/** The position in the clock of the block that is being planned. A block starts with the first slot. */
export class ClockCursor {
  #position: SlotPosition | null

  constructor(position: SlotPosition | null) {
    this.#position = position
  }

  /** Null without a clock. */
  get position(): SlotPosition | null {
    return this.#position
  }

  /** The slot that is next in the block that started at `occurrenceMs` (epoch ms); null without a clock. */
  enter(occurrenceMs: number, clock: readonly Slot[] | undefined): Slot | null {
    if (clock === undefined || clock.length === 0) {
      this.#position = null
      return null
    }
    const known = this.#position
    const isValid = known?.occurrenceMs === occurrenceMs && known.slot < clock.length
    const position = known !== null && isValid ? known : { occurrenceMs, slot: 0, count: 0, elapsedMs: 0 }
    const isDone = isSlotDone(clock[position.slot] as Slot, position)
    const slot = isDone ? (position.slot + 1) % clock.length : position.slot
    this.#position = isDone ? { occurrenceMs, slot, count: 0, elapsedMs: 0 } : position
    return clock[slot] as Slot
  }

  /** Like {@link enter} for a programme that has been planned in `slot`: slots before it were left out. */
  enterSlot(occurrenceMs: number, clock: readonly Slot[] | undefined, slot: number | null): void {
    this.enter(occurrenceMs, clock)
    for (
      let left = clock?.length ?? 0;
      left > 0 && slot !== null && this.#position?.slot !== slot;
      left -= 1
    ) {
      this.skip()
      this.enter(occurrenceMs, clock)
    }
  }

  /** Counts a programme of the current slot. */
  count(durationMs: number): void {
    if (this.#position === null) return
    const { count, elapsedMs } = this.#position
    this.#position = { ...this.#position, count: count + 1, elapsedMs: elapsedMs + durationMs }
  }

  /** Leaves the rest of the current slot out. */
  skip(): void {
    if (this.#position !== null) this.#position = { ...this.#position, count: Number.MAX_SAFE_INTEGER }
  }
}

function isSlotDone(slot: Slot, { count, elapsedMs }: SlotPosition): boolean {
  if ('ident' in slot) return count > 0
  if ('durationMs' in slot) return elapsedMs >= slot.durationMs
  return count >= (slot.count ?? 1)
}
