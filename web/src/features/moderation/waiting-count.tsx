import { useHeldMessages, useWaitingCases } from './api.ts'

/** The number of reported and held messages that wait for a decision, as a badge; nothing if there are none. */
export function WaitingCount() {
  const count = (useWaitingCases().data?.waiting ?? 0) + (useHeldMessages().first?.waiting ?? 0)
  if (count === 0) return null
  return (
    <span className="ml-auto rounded-full bg-accent px-2 text-xs leading-5 font-semibold text-on-accent tabular-nums">
      {count}
      <span className="sr-only"> waiting</span>
    </span>
  )
}
