import type { Simulation } from '@looptide/contracts/http/simulation'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { ShortListWarning } from '../channels/short-list-warning.tsx'
import { countedVideos } from '../desk/counted-videos.ts'
import { liveChangeText, unplayableText } from './live-change.ts'

/** Says what viewers will see before videos are added to the live playlist. */
export function AddToLiveDialog(props: {
  selectedCount: number
  loop: Simulation['loop']
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}) {
  const { selectedCount, loop } = props
  const unplayable = unplayableText(loop, selectedCount)
  return (
    <ConfirmDialog
      title={`Add ${countedVideos(selectedCount)} to Live?`}
      confirmLabel="Add to Live"
      tone="primary"
      isBusy={props.isBusy}
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <p className="text-text">{liveChangeText(loop)}</p>
      {unplayable && <p>{unplayable}</p>}
      <ShortListWarning loop={loop.after} />
    </ConfirmDialog>
  )
}
