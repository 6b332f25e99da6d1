import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

export type StreamQuestionKind = 'restart' | 'stop' | 'reset'

const QUESTIONS: Record<StreamQuestionKind, { verb: string; consequence: string }> = {
  restart: {
    verb: 'Restart',
    consequence:
      'What is on now plays to its end. Everything planned after it is replaced: the channel starts its list again.',
  },
  stop: { verb: 'Stop', consequence: 'Every viewer of this channel sees it go off the air.' },
  reset: {
    verb: 'Reset',
    consequence: 'What is on now is cut off, and the whole programme is planned again.',
  },
}

/** Confirmation before a change of the stream that viewers notice. */
export function StreamQuestion(props: {
  action: StreamQuestionKind
  channelName: string
  onYes: () => void
  onNo: () => void
}) {
  const { verb, consequence } = QUESTIONS[props.action]
  return (
    <ConfirmDialog
      title={`${verb} ${props.channelName}?`}
      confirmLabel={`Yes, ${verb.toLowerCase()}`}
      onConfirm={props.onYes}
      onCancel={props.onNo}
    >
      <p>{consequence}</p>
    </ConfirmDialog>
  )
}
