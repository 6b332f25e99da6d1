import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { useState } from 'react'

/** Maximum number of undo steps. */
const MAX_STEPS = 100
/** Changes of the same part within this time are one step, in ms: several presses of an arrow key, for example. */
const SAME_STEP_MS = 2_000

interface History {
  past: readonly ScheduleDocument[]
  future: readonly ScheduleDocument[]
  last: { part: string; atMs: number } | undefined
}
const EMPTY: History = { past: [], future: [], last: undefined }

/** The steps of an editor that can be undone and redone. `show` displays a document. */
export function useHistory(document: ScheduleDocument | undefined, show: (next: ScheduleDocument) => void) {
  const [{ past, future, last }, setHistory] = useState(EMPTY)
  /** Shows a changed document. `part` names what is changed, if further changes of it belong to the same step. */
  const record = (next: ScheduleDocument, part?: string) => {
    const atMs = performance.now()
    const isSameStep = part !== undefined && last?.part === part && atMs - last.atMs < SAME_STEP_MS
    const steps = isSameStep || document === undefined ? past : [...past, document].slice(-MAX_STEPS)
    setHistory({ past: steps, future: [], last: part === undefined ? undefined : { part, atMs } })
    show(next)
  }
  const before = past.at(-1)
  const after = future.at(0)
  const undo =
    before &&
    document &&
    (() => {
      setHistory({ past: past.slice(0, -1), future: [document, ...future], last: undefined })
      show(before)
    })
  const redo =
    after &&
    document &&
    (() => {
      setHistory({ past: [...past, document], future: future.slice(1), last: undefined })
      show(after)
    })
  return { record, undo, redo, clear: () => setHistory(EMPTY) }
}
