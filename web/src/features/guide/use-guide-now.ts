import { useServerNow } from '../../lib/time/use-server-now.ts'

const TICK_MS = 5_000

/** The server's time, updated every five seconds: the now line moves by less than a pixel. */
export const useGuideNow = (): number => useServerNow(TICK_MS)
