import { useEffect, useReducer } from 'react'
import { localNowMs } from '../../lib/time/server-clock.ts'

const LOOK_MS = 200

/** Whole seconds until an instant of the local clock (see `localNowMs`); 0 once it has passed. */
export function useCountdown(untilMs: number): number {
  const [, look] = useReducer((looks: number) => looks + 1, 0)
  const leftS = Math.max(0, Math.ceil((untilMs - localNowMs()) / 1000))
  const isOver = leftS === 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [isOver])
  return leftS
}
