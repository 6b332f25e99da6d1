import { useEffect, useState } from 'react'
import { serverClock } from '../clients.ts'

/** The server's time (epoch ms), updated every `everyMs`. */
export function useServerNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(serverClock.nowMs)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverClock.nowMs()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
