import { randomInt } from 'node:crypto'
import { nightly } from '../sizes.ts'

const CI_SEED = 20_261_121

/**
 * Seed of all inputs: `FUZZ_SEED` if it is set, to repeat a run; otherwise random in the nightly run and constant in CI.
 */
export const seed: number = seedFrom(process.env.FUZZ_SEED) ?? (nightly ? randomInt(2 ** 31) : CI_SEED)

function seedFrom(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const number = Number(text)
  if (!Number.isInteger(number)) throw new Error(`FUZZ_SEED must be a whole number, not ${text}.`)
  return number
}

/** Numbers of sent inputs, by kind. */
export const sent = new Map<string, number>()

export const count = (kind: string, number = 1): void => void sent.set(kind, (sent.get(kind) ?? 0) + number)

/** Prints what was sent and how to repeat it. */
export function report(): void {
  const kinds = [...sent].map(([kind, number]) => `${number} ${kind}`)
  const total = [...sent.values()].reduce((sum, number) => sum + number, 0)
  console.log(`Hostile inputs: ${total} (${kinds.join(', ')}). To have them again: FUZZ_SEED=${seed}`)
}
