import type { LogEditResult } from '@looptide/contracts/http/log'
import { useEffect, useEffectEvent, useState } from 'react'
import { isVersionConflict } from '../../../lib/api/api-error.ts'
import { failureText, showFailure } from '../../../lib/failures.ts'
import { toast } from '../../../ui/toast.ts'
import { logActions, type VersionedLog } from './api.ts'
import { changeIn, type LogChangeRequest } from './log-change.ts'
import { doneText, effectSummary } from './log-texts.ts'

/** How long the toast of an edit offers Undo, in ms. */
const UNDO_MS = 30_000

const GONE = 'The log has changed meanwhile and is loaded again. This programme has another place now.'
const RENEWED = 'The log has changed meanwhile and is loaded again. This is what the edit changes now.'

type State =
  | { kind: 'planning' }
  | { kind: 'planned'; effect: LogEditResult; request: LogChangeRequest; etag: string; note?: string }
  | { kind: 'failed'; text: string }

/**
 * What a change of the log would do, planned by the server when it is first shown, and how to apply it. If the log has
 * changed meanwhile, it is loaded and the change planned again, before anything is applied.
 */
export function usePlannedChange(props: {
  channelId: string
  change: LogChangeRequest
  log: VersionedLog
  onApplied: () => void
}) {
  const { channelId, change, onApplied } = props
  const [state, setState] = useState<State>({ kind: 'planning' })
  const [isApplying, setApplying] = useState(false)
  const fail = (failure: unknown) =>
    setState({
      kind: 'failed',
      text: failureText(failure, 'The station is not responding. Please try again.'),
    })

  const plan = async (request: LogChangeRequest, etag: string, note?: string): Promise<void> => {
    const effect = await logActions.plan(channelId, request, etag)
    setState({ kind: 'planned', effect, request, etag, ...(note && { note }) })
  }
  /** Plans with the newest log. */
  const renew = async (note?: string): Promise<void> => {
    setState({ kind: 'planning' })
    try {
      const log = await logActions.reload(channelId)
      const request = log && changeIn(log.programmes, change)
      if (log && request) await plan(request, log.etag, note)
      else setState({ kind: 'failed', text: GONE })
    } catch (failure) {
      fail(failure)
    }
  }
  const start = useEffectEvent(async () => {
    try {
      await plan(change, props.log.etag)
    } catch (failure) {
      if (isVersionConflict(failure)) await renew(RENEWED)
      else fail(failure)
    }
  })
  useEffect(() => void start(), [])

  const apply = async (): Promise<void> => {
    if (state.kind !== 'planned' || isApplying) return
    setApplying(true)
    try {
      const effect = await logActions.apply(channelId, state.request, state.etag)
      showDone(channelId, state.request, effect)
      onApplied()
    } catch (failure) {
      if (isVersionConflict(failure)) await renew(RENEWED)
      else fail(failure)
    } finally {
      setApplying(false)
    }
  }
  return { state, isApplying, apply, planAgain: () => void renew() }
}

function showDone(channelId: string, change: LogChangeRequest, { editId, ...effect }: LogEditResult): void {
  toast({
    title: doneText(change),
    description: effectSummary(effect),
    tone: 'success',
    durationMs: UNDO_MS,
    ...(editId && { action: { label: 'Undo', onPress: () => void undoEdit(channelId, editId) } }),
  })
}

/** Undoes an edit of a log; a failure is shown as a toast. */
export async function undoEdit(channelId: string, editId: string): Promise<void> {
  try {
    const effect = await logActions.undo(channelId, editId)
    toast({ title: 'Edit undone', description: effectSummary(effect), tone: 'success' })
  } catch (failure) {
    showFailure(failure, { title: 'Failed to undo the edit', text: 'Please try again.' })
  }
}
