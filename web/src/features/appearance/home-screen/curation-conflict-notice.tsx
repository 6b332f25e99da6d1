import type { CurationItem } from '@looptide/contracts/http/videos'
import { Button } from '../../../ui/button.tsx'
import { ChangeNotice, DifferenceLines } from '../../admin/drafts/conflict-notice.tsx'
import { useLastEditor } from '../../audit/api.ts'
import type { CurationConflict, CurationEditor } from './use-curation-editor.ts'

const titleOf = ({ video }: CurationItem): string => video?.title ?? 'Deleted video'

/** Shows what another admin has changed in the order, and offers to repeat the move that was refused. */
export function CurationConflictNotice({ editor }: { editor: CurationEditor }) {
  return editor.conflict ? <Conflict editor={editor} conflict={editor.conflict} /> : null
}

function Conflict({ editor, conflict }: { editor: CurationEditor; conflict: CurationConflict }) {
  const { item, position, theirs } = conflict
  return (
    <ChangeNotice
      title="Another admin has changed the home screen."
      changedBy={useLastEditor('home')}
      actions={
        <>
          <Button tone="primary" onClick={() => void editor.move(item, position)}>
            Move anyway
          </Button>
          <Button onClick={editor.dismissConflict}>Keep this order</Button>
        </>
      }
    >
      <DifferenceLines difference={theirs} titleOf={titleOf} />
      <p>“{titleOf(item)}” was not moved.</p>
    </ChangeNotice>
  )
}
