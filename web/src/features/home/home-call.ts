const KEY = 'looptide-visit'
/** Number of different seeds: enough for variety, few enough to be cached by the server. */
const SEEDS = 64

/** One seed per visit, so that random rows do not change during it. */
function visitSeed(): string {
  const seed = stored() ?? String(Math.floor(Math.random() * SEEDS))
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

/** The call that reads the home page, for this visit. The start script and the page make the same. */
export const HOME_CALL = ['GET /api/home', { query: { seed: visitSeed() } }] as const
