import { randomInt } from 'node:crypto'

const TRIES = 10

/** Handles with this stem to try one after the other, with more digits after several tries. */
export function* randomHandles(stem: string): Generator<string> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    yield `${stem}_${randomInt(1000, 10 ** (4 + Math.floor(attempt / 2)))}`
  }
}

/** The stem of a handle that was made by {@link randomHandles}. */
export const stemOf = (handle: string): string => handle.replace(/_\d+$/, '')
