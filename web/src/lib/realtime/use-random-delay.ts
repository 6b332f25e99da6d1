import { useEffect, useEffectEvent, useRef } from 'react'
import { REJOIN_SPREAD_MS } from './reconnect-delay.ts'

/** Runs `work` at a random instant within 5 s of each call, unless the component unmounts before. */
export function useRandomDelay(work: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const run = useEffectEvent(work)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(run, Math.random() * REJOIN_SPREAD_MS)
  }
}
