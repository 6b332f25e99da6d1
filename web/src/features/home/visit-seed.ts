import { randomId } from '../../lib/random-id.ts'

const KEY = 'looptide-visit'

let seed: string | undefined

/** One seed per visit, so that random rows stay where they are under the finger. */
export function visitSeed(): string {
  seed ??= stored() ?? randomId()
  try {
    sessionStorage.setItem(KEY, seed)
  } catch {
    // Without storage the seed lasts until the next load: good enough.
  }
  return seed
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
