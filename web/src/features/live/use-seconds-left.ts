import { useEffect, useState } from 'react'
import { serverClock } from '../../lib/clients.ts'

const SECOND_MS = 1_000

/** The seconds until an instant (epoch ms) by the station's clock, rounded up; changes on the second. */
export function useSecondsLeft(untilMs: number): number {
  const [nowMs, setNowMs] = useState(serverClock.nowMs)
  const leftMs = Math.max(0, untilMs - nowMs)
  useEffect(() => {
    if (leftMs === 0) return
    // One millisecond later, since a timer may fire early by a fraction of one.
    const timer = setTimeout(() => setNowMs(serverClock.nowMs()), (leftMs % SECOND_MS) + 1)
    return () => clearTimeout(timer)
  }, [leftMs])
  return Math.ceil(leftMs / SECOND_MS)
}
