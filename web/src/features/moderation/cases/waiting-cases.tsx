import { useRef, useState } from 'react'
import { usePageKeys } from '../../../lib/keys/page-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { CaseDetails } from './case-details.tsx'
import { useCases } from './use-cases.ts'

/**
 * The waiting cases, one at a time, oldest first; `n` and `p` step through them. The case that is shown stays, with what is
 * written about it, when the list changes.
 */
export function WaitingCases() {
  const list = useCases('waiting')
  const [shownId, setShownId] = useState<string>()
  // The case that was just decided here, until the list is loaded without it.
  const [decidedId, setDecidedId] = useState<string>()
  const panel = useRef<HTMLElement>(null)
  const items = list.items?.filter(({ id }) => id !== decidedId) ?? []
  // Ids are in the order of the list, also that of a case that has left it.
  const next = items.find(({ id }) => shownId === undefined || id > shownId)
  const previous = items.findLast(({ id }) => shownId !== undefined && id < shownId)
  const show = (target: { id: string } | undefined) => target && setShownId(target.id)
  usePageKeys({
    title: 'Reports',
    keys: [
      { keys: 'n', label: 'Next report', run: () => show(next) },
      { keys: 'p', label: 'Previous report', run: () => show(previous) },
    ],
  })
  if (shownId === undefined && next !== undefined) setShownId(next.id)
  if (!list.items) {
    if (list.error)
      return <ErrorNotice text="Failed to load the reports." onRetry={() => void list.reload()} />
    return (
      <div role="status" aria-label="Loading reports">
        <Skeleton className="h-72" />
      </div>
    )
  }
  if (shownId === undefined)
    return (
      <EmptyNotice title="No reports waiting">
        <p>Messages that viewers report, and appeals of authors, appear here at once.</p>
      </EmptyNotice>
    )
  const index = items.findIndex(({ id }) => id === shownId)
  const waiting = list.waiting === 100 ? '100 or more' : list.waiting
  const onDecided = () => {
    setDecidedId(shownId)
    setShownId((next ?? previous)?.id)
    void list.reload().then(() => setDecidedId(undefined))
    panel.current?.focus()
  }
  return (
    <section ref={panel} aria-label="Reports" tabIndex={-1} className="grid gap-5 outline-none">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="mr-auto font-semibold tabular-nums">
          {index < 0
            ? `Another moderator has decided this report. ${waiting} waiting`
            : `${index + 1} of ${waiting} waiting`}
        </p>
        {index < 0 && items.length === 0 && <Button onClick={() => setShownId(undefined)}>Close</Button>}
        <Button aria-keyshortcuts="p" disabled={previous === undefined} onClick={() => show(previous)}>
          Previous
        </Button>
        <Button aria-keyshortcuts="n" disabled={next === undefined} onClick={() => show(next)}>
          Next
        </Button>
        {next === undefined && list.hasMore && (
          <Button aria-disabled={list.isLoadingMore} onClick={() => list.isLoadingMore || list.loadMore()}>
            Show more
          </Button>
        )}
      </div>
      <CaseDetails key={shownId} id={shownId} onDecided={onDecided} />
    </section>
  )
}
