import { useEffect, useState } from 'react'

/** The value, once it has not changed for `delayMs`; `initial` until then. */
export function useDebounced<T>(value: T, delayMs: number, initial = value): T {
  const [settled, setSettled] = useState(initial)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
