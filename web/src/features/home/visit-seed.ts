const KEY = 'looptide-visit'
/** Number of different seeds: enough for variety, few enough to be cached by the server. */
const SEEDS = 64

let seed: string | undefined

/** One seed per visit, so that random rows do not change during it. */
export function visitSeed(): string {
  seed ??= stored() ?? String(Math.floor(Math.random() * SEEDS))
  try {
    sessionStorage.setItem(KEY, seed)
  } catch {
    // Without storage the seed lasts until the next page load.
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
