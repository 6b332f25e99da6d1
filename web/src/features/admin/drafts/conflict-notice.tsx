import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import type { ListDifference } from '../list-difference.ts'

/**
 * Says that another admin has saved a change of what is edited here, and lists the change (`children`). Shown in place of
 * the button that saves, which ends at the right edge: there the notice has the button that loses nothing, and Overwrite
 * is at the left edge, so that a second press of the same place never overwrites. Merge and Overwrite only change what is
 * edited; nothing is saved, unless `labels` says otherwise.
 *
 * Takes the focus if the replaced button had it. If the notice is removed with the focus, the focus moves to the section
 * that contains it.
 */
export function ConflictNotice(props: {
  title: string
  /** Name of the other admin, if it is known. */
  changedBy: string | undefined
  onMerge: () => void
  onOverwrite: () => void
  /** Other names of the buttons, where there is one change instead of two sets. */
  labels?: { merge: string; overwrite: string }
  children: ReactNode
}) {
  const { labels } = props
  const notice = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = notice.current
    if (element && document.activeElement === document.body) element.focus()
    return () => {
      if (element?.contains(document.activeElement)) focusParent(element)
    }
  }, [])
  return (
    <section
      ref={notice}
      tabIndex={-1}
      aria-label={props.title}
      className={`${CLASS} grid min-w-0 basis-full gap-3 rounded-md border border-accent bg-panel px-4 py-3 text-sm`}
    >
      <div role="alert" className="grid gap-1">
        <p className="font-semibold">
          <span aria-hidden="true">⚠ </span>
          {props.title}
        </p>
        {props.changedBy && <p className="[overflow-wrap:anywhere]">Changed by {props.changedBy}.</p>}
        {props.children}
      </div>
      {!labels && (
        <p className="text-muted">
          Merge keeps both sets of changes, Overwrite only yours. Nothing is saved yet.
        </p>
      )}
      <div className="flex items-center justify-between gap-2">
        <Button onClick={props.onOverwrite}>{labels?.overwrite ?? 'Overwrite'}</Button>
        <Button tone="primary" onClick={props.onMerge}>
          {labels?.merge ?? 'Merge'}
        </Button>
      </div>
    </section>
  )
}

/** Marks a notice for {@link focusConflict}. */
const CLASS = 'conflict-notice'

/** Moves the focus to the conflict that the page shows. Returns whether it shows one. */
export function focusConflict(): boolean {
  const shown = [...document.querySelectorAll<HTMLElement>(`.${CLASS}`)].find((notice) =>
    notice.checkVisibility(),
  )
  shown?.focus()
  return shown !== undefined
}

function focusParent(element: HTMLElement): void {
  const parent = element.parentElement?.closest<HTMLElement>('section, [role="dialog"], main')
  if (!parent) return
  parent.tabIndex = -1
  parent.focus({ preventScroll: true })
}

const SHOWN_TITLES = 5

/** Lists what was added to, removed from and moved in an ordered list. */
export function DifferenceLines<T>(props: { difference: ListDifference<T>; titleOf: (item: T) => string }) {
  const { added, removed, moved } = props.difference
  const lines = [
    { label: 'Added', items: added },
    { label: 'Removed', items: removed },
    { label: 'Moved', items: moved },
  ]
  return (
    <ul className="grid gap-0.5">
      {lines.map(({ label, items }) => {
        const more = items.length - SHOWN_TITLES
        return items.length === 0 ? null : (
          <li key={label} className="break-words">
            <span className="text-muted">{label}: </span>
            {items.slice(0, SHOWN_TITLES).map(props.titleOf).join(', ')}
            {more > 0 && ` and ${more} more`}
          </li>
        )
      })}
    </ul>
  )
}
