import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

export type ConfirmedAction = 'restart' | 'stop' | 'reset'

const TEXTS: Record<ConfirmedAction, { verb: string; consequence: string }> = {
  restart: {
    verb: 'Restart',
    consequence:
      'The current video plays to its end. Everything scheduled after it is replaced, and the playlist starts again.',
  },
  stop: { verb: 'Stop', consequence: 'Viewers of this channel will see it go off the air.' },
  reset: {
    verb: 'Reset',
    consequence: 'The current video is cut off, and the whole programme is rescheduled.',
  },
}

/** Confirms a stream action that viewers notice. */
export function StreamConfirmation(props: {
  action: ConfirmedAction
  channelName: string
  onConfirm: () => void
  onCancel: () => void
}) {
  const { verb, consequence } = TEXTS[props.action]
  return (
    <ConfirmDialog
      title={`${verb} ${props.channelName}?`}
      confirmLabel={`Yes, ${verb.toLowerCase()}`}
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <p>{consequence}</p>
    </ConfirmDialog>
  )
}
