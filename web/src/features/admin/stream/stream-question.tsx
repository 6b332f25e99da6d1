import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

const CONSEQUENCES = {
  stop: 'Every viewer of this channel sees it go off the air.',
  reset: 'What is on now is cut off, and the whole programme is built anew.',
}

/** Asks before viewers lose what they watch. */
export function StreamQuestion(props: {
  action: 'stop' | 'reset'
  channelName: string
  onYes: () => void
  onNo: () => void
}) {
  const isStop = props.action === 'stop'
  return (
    <ConfirmDialog
      title={`${isStop ? 'Stop' : 'Reset'} ${props.channelName}?`}
      confirmLabel={isStop ? 'Yes, stop' : 'Yes, reset'}
      onConfirm={props.onYes}
      onCancel={props.onNo}
    >
      <p>{CONSEQUENCES[props.action]}</p>
    </ConfirmDialog>
  )
}
