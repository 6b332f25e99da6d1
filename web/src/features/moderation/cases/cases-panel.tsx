import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useWaitingCases } from '../api.ts'
import { CaseDetails } from './case-details.tsx'

/** The waiting cases, one at a time, oldest first. `n` and `p` step through them while the focus is inside. */
export function CasesPanel() {
  const { data, error, mutate } = useWaitingCases()
  const [shownId, setShownId] = useState<string>()
  const panel = useRef<HTMLElement>(null)
  if (!data) {
    if (error) return <ErrorNotice text="Failed to load the reports." onRetry={() => void mutate()} />
    return (
      <div role="status" aria-label="Loading reports">
        <Skeleton className="h-72" />
      </div>
    )
  }
  const { items, waiting } = data
  const index = Math.max(
    0,
    items.findIndex(({ id }) => id === shownId),
  )
  const shown = items[index]
  const step = (by: number) => {
    const next = items[index + by]
    if (next !== undefined) setShownId(next.id)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isTyping = event.target instanceof HTMLTextAreaElement
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'n') step(1)
    if (event.key === 'p') step(-1)
  }
  if (shown === undefined)
    return (
      <EmptyNotice title="No reports waiting">
        <p>Messages that viewers report, and appeals of authors, appear here at once.</p>
      </EmptyNotice>
    )
  return (
    <section
      ref={panel}
      aria-label="Reports"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="grid max-w-3xl gap-5 outline-none"
    >
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="mr-auto font-semibold tabular-nums">
          {index + 1} of {waiting === 100 ? '100 or more' : waiting} waiting
        </p>
        <Button aria-keyshortcuts="p" disabled={index === 0} onClick={() => step(-1)}>
          Previous
        </Button>
        <Button aria-keyshortcuts="n" disabled={index === items.length - 1} onClick={() => step(1)}>
          Next
        </Button>
      </div>
      <CaseDetails
        key={shown.id}
        id={shown.id}
        onDecided={() => {
          void mutate()
          panel.current?.focus()
        }}
      />
    </section>
  )
}
