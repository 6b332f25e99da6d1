import type { CurationItem } from '@looptide/contracts/http/videos'
import { ConflictNotice, DifferenceLines } from '../../admin/drafts/conflict-notice.tsx'
import { useLastEditor } from '../../audit/api.ts'
import type { CurationConflict, CurationEditor } from './use-curation-editor.ts'

const titleOf = ({ video }: CurationItem): string => video?.title ?? 'Deleted video'

/** Whether the row in which the conflict is shown still exists: the other admin may have removed the video. */
export const isShownInList = ({ item }: CurationConflict, items: readonly CurationItem[] = []): boolean =>
  items.some(({ id }) => id === item.id)

/** Shows what another admin has changed in the order, and offers to repeat the move that was refused. */
export function CurationConflictNotice(props: { editor: CurationEditor; conflict: CurationConflict }) {
  const { editor, conflict } = props
  return (
    <ConflictNotice
      title="Another admin has changed the home screen."
      changedBy={useLastEditor('home')}
      labels={{ merge: 'Keep this order', overwrite: 'Move anyway' }}
      onMerge={editor.dismissConflict}
      onOverwrite={() => void editor.move(conflict.item, conflict.position)}
    >
      <DifferenceLines difference={conflict.theirs} titleOf={titleOf} />
      <p>“{titleOf(conflict.item)}” was not moved.</p>
    </ConflictNotice>
  )
}
