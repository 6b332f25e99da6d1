import { useEffect, useState } from 'react'

/** Minimum time between two emails to an address; the server enforces it. */
export const MAIL_INTERVAL_MS = 60_000

/** Seconds left of a wait that `begin` starts, counting down to 0. */
export function useCoolDown(initialMs: number): { secondsLeft: number; begin: (ms: number) => void } {
  const [endsAtMs, setEndsAtMs] = useState(() => Date.now() + initialMs)
  const [nowMs, setNowMs] = useState(() => Date.now())
  const secondsLeft = Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000))
  const isRunning = secondsLeft > 0

  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isRunning])

  return {
    secondsLeft,
    begin: (ms) => {
      setNowMs(Date.now())
      setEndsAtMs(Date.now() + ms)
    },
  }
}
