import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogActions } from '../../../ui/form.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { VideoPicker } from '../../admin/video-picker.tsx'
import type { VersionedLog } from './api.ts'
import { EffectDetails } from './effect-details.tsx'
import type { LogChangeRequest, OpenChange } from './log-change.ts'
import { changeTitle } from './log-texts.ts'
import { ProgrammeChoices } from './programme-choices.tsx'
import { usePlannedChange } from './use-planned-change.ts'

/** A change that still misses its video or other programme, or one of which all is known. */
export type BegunChange = { open: OpenChange } | { request: LogChangeRequest }

interface Context {
  channelId: string
  log: VersionedLog
  timeZone: string
  onClose: () => void
}

/** Asks what is missing of a change of the log, shows what it would do, and applies it. */
export function ChangeDialog(props: Context & { begun: BegunChange; onClosed: () => void }) {
  const { begun, onClosed, ...context } = props
  const [chosen, setChosen] = useState<LogChangeRequest>()
  const open = 'open' in begun ? begun.open : undefined
  const request = chosen ?? ('request' in begun ? begun.request : undefined)
  const shown = request ?? open
  if (shown === undefined) return null
  return (
    <Dialog
      title={changeTitle(shown, context.timeZone)}
      isOpen
      onClose={context.onClose}
      onClosed={onClosed}
      width="medium"
    >
      {request ? (
        <EffectStep {...context} request={request} onBack={open && (() => setChosen(undefined))} />
      ) : (
        open && <ChoiceStep {...context} open={open} onChoose={setChosen} />
      )}
    </Dialog>
  )
}

/** Chooses the video to insert, or the programme to swap with or to move before. */
function ChoiceStep(props: Context & { open: OpenChange; onChoose: (request: LogChangeRequest) => void }) {
  const { open, onChoose, timeZone } = props
  if (open.action === 'insert') {
    return <VideoPicker chosen={null} onChoose={(video) => onChoose({ ...open, video })} />
  }
  const { programme } = open
  const others = props.log.programmes.filter(
    ({ isChangeable, programmeId }) => isChangeable && programmeId !== programme.programmeId,
  )
  return open.action === 'swap' ? (
    <>
      <p className="pb-3 text-sm text-muted">Choose the programme to swap it with.</p>
      <ProgrammeChoices
        programmes={others}
        timeZone={timeZone}
        onChoose={(other) => onChoose({ ...open, other })}
      />
    </>
  ) : (
    <>
      <p className="pb-3 text-sm text-muted">Choose the programme before which it airs.</p>
      <ProgrammeChoices
        programmes={others}
        timeZone={timeZone}
        onChoose={(before) => onChoose({ ...open, before })}
        onNext={() => onChoose({ ...open, before: null })}
      />
    </>
  )
}

/** What a change does, and the button that applies it. */
function EffectStep(props: Context & { request: LogChangeRequest; onBack: (() => void) | undefined }) {
  const { channelId, log, timeZone, onClose, onBack, request: change } = props
  const { state, isApplying, apply, planAgain } = usePlannedChange({
    ...{ channelId, log, change },
    onApplied: onClose,
  })
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div className="grid gap-5">
      {state.kind === 'planning' && (
        <Spinner text="Planning what changes..." className="min-h-48 text-muted" />
      )}
      {state.kind === 'failed' && (
        <p
          role="alert"
          className="rounded-md border border-accent bg-deep px-4 py-3 font-medium wrap-anywhere"
        >
          {state.text}
        </p>
      )}
      {state.kind === 'planned' && (
        <>
          {state.note && (
            <p role="alert" className="rounded-md border border-accent bg-deep px-4 py-3 font-medium">
              {state.note}
            </p>
          )}
          <EffectDetails effect={state.effect} timeZone={timeZone} />
        </>
      )}
      <DialogActions onCancel={onClose}>
        {onBack && <Button onClick={onBack}>Back</Button>}
        {state.kind === 'failed' ? (
          <Button ref={button} tone="primary" onClick={planAgain}>
            Try again
          </Button>
        ) : (
          <Button
            ref={button}
            tone="primary"
            isBusy={isApplying || state.kind === 'planning'}
            onClick={() => void apply()}
          >
            Apply
          </Button>
        )}
      </DialogActions>
    </div>
  )
}
