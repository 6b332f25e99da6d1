import type { Simulation } from '@looptide/contracts/http/simulation'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ShortLoopWarning } from '../admin/short-loops.tsx'
import { videoCountText } from '../admin/video-texts.ts'
import { liveChangeText, unplayableText } from './live-playlist-text.ts'

/** Confirms adding videos to the live playlist and explains what viewers will see. */
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
      title={`Add ${videoCountText(selectedCount)} to Live?`}
      confirmLabel="Add to Live"
      tone="primary"
      isBusy={props.isBusy}
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <p className="text-text">{liveChangeText(loop)}</p>
      {unplayable && <p>{unplayable}</p>}
      <ShortLoopWarning loop={loop.after} />
    </ConfirmDialog>
  )
}
