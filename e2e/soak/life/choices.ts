import { type Random, randomIndex } from '@looptide/playhead/random'

/** Returns a random item. */
export function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items[randomIndex(random, items.length)]
}

/** A possible next action of a simulated user, and its relative frequency. */
export interface Choice {
  weight: number
  act: () => Promise<unknown>
}

/** Does a random action, weighted. */
export async function choose(random: Random, choices: readonly Choice[]): Promise<void> {
  let place = random() * choices.reduce((sum, { weight }) => sum + weight, 0)
  for (const { weight, act } of choices) {
    place -= weight
    if (place < 0) {
      await act()
      return
    }
  }
}
