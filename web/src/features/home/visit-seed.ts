const KEY = 'looptide-visit'
/** So many different homes there are at a time: enough for chance, few enough to be answered from memory. */
const SEEDS = 64

let seed: string | undefined

/** One seed per visit, so that random rows stay where they are under the finger. */
export function visitSeed(): string {
  seed ??= stored() ?? String(Math.floor(Math.random() * SEEDS))
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
