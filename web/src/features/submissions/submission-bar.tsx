import { MAX_DECISIONS_PER_REQUEST, type SubmissionState } from '@looptide/contracts/http/submissions'
import { Button } from '../../ui/button.tsx'

/** Selection buttons and bulk actions for submissions. */
export function SubmissionBar(props: {
  state: SubmissionState
  total: number
  selectedCount: number
  isAllSelected: boolean
  onSelectAll: () => void
  onClear: () => void
  onAccept: () => void
  onReject: () => void
}) {
  const { selectedCount } = props
  const isTooMany = selectedCount > MAX_DECISIONS_PER_REQUEST
  const isDisabled = selectedCount === 0 || isTooMany
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled={props.isAllSelected} onClick={props.onSelectAll}>
        Select all shown
      </Button>
      <Button disabled={selectedCount === 0} onClick={props.onClear}>
        Clear selection
      </Button>
      <p
        role="status"
        className="mr-auto rounded-full bg-raised px-3 py-1 text-sm font-semibold tabular-nums"
      >
        {selectedCount} of {props.total} selected
        {isTooMany && `, at most ${MAX_DECISIONS_PER_REQUEST} at once`}
      </p>
      <div className="flex gap-2">
        <Button tone="primary" disabled={isDisabled} onClick={props.onAccept}>
          Accept selected
        </Button>
        {props.state === 'submitted' && (
          <Button disabled={isDisabled} onClick={props.onReject}>
            Reject selected
          </Button>
        )}
      </div>
    </div>
  )
}
