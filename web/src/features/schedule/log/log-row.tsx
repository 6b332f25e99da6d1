import type { LogEdit, LogProgramme } from '@looptide/contracts/http/log'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { type HTMLAttributes, type Ref, Suspense, useRef, useState } from 'react'
import { PartBoundary } from '../../../lib/browser/part-boundary.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { lazyPart } from '../../admin/lazy-part.ts'
import { blockOf, programmeTitle, sourceLabel } from '../model/sentences.ts'
import { exactTimeIn } from '../model/zoned-time.ts'
import type { BegunChange } from './change-dialog.tsx'
import { type LogNote, notesOf, programmeAt } from './log-texts.ts'

const RowMenu = lazyPart(async () => (await import('./row-menu.tsx')).RowMenu)

export const COLUMNS = [
  { id: 'time', label: 'Time' },
  { id: 'title', label: 'Title' },
  { id: 'artist', label: 'Artist' },
  { id: 'block', label: 'Block' },
  { id: 'source', label: 'Source' },
  { id: 'notes', label: 'Notes' },
] as const

/** Where the virtual list places a row. */
export type Placed = HTMLAttributes<HTMLTableRowElement> & { ref: Ref<HTMLTableRowElement> }

/** A programme of the log, with the menu of its changes: by its button, the menu key, the right mouse button or a long press. */
export function LogRowCells(props: {
  placed: Placed
  className: string
  programme: LogProgramme
  next: LogProgramme | undefined
  isNext: boolean
  edit: LogEdit | undefined
  isOnAir: boolean
  isTabStop: boolean
  document: ScheduleDocument
  onBegin: (begun: BegunChange) => void
  onUndo: (() => void) | undefined
}) {
  const { programme, document, isOnAir, edit } = props
  const { startsAt, artistName, blockName, reason, isChangeable } = programme
  const { timeZone } = document
  const source = reason.source && sourceLabel(reason.source, Object.keys(document.sources))
  const [menu, setMenu] = useState<{ x: number; y: number } | 'button'>()
  const button = useRef<HTMLButtonElement>(null)
  const notes = notesOf(programme, edit, isOnAir)
  const close = () => setMenu(undefined)
  return (
    <tr
      {...props.placed}
      className={props.className}
      data-start={startsAt}
      onContextMenu={
        isChangeable
          ? (event) => {
              // React reports events in the menu here as well.
              if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return
              event.preventDefault()
              const { left, top } = event.currentTarget.getBoundingClientRect()
              setMenu({ x: event.clientX - left, y: event.clientY - top })
            }
          : undefined
      }
    >
      <Time programme={programme} document={document} />
      <td className={classNames(CELL, 'font-medium lg:truncate')} title={programmeTitle(programme)}>
        {programmeTitle(programme)}
      </td>
      <td className={classNames(CELL, 'text-muted lg:truncate')}>{artistName}</td>
      <td className={classNames(CELL, 'max-lg:text-muted lg:truncate')}>
        {blockName}
        <span className="lg:hidden">
          {blockName && source && ' · '}
          {source}
        </span>
      </td>
      <td className="min-w-0 truncate text-muted max-lg:hidden">{source}</td>
      <td className={classNames(CELL, notes.length === 0 && 'max-lg:hidden')}>
        <Notes notes={notes} />
      </td>
      <td className="grid h-11 max-lg:col-start-3 max-lg:row-span-4 max-lg:row-start-1 max-lg:self-start">
        {isChangeable && (
          <IconButton
            ref={button}
            icon="more"
            label={`Change ${programmeAt(programme, timeZone)}`}
            aria-haspopup="menu"
            aria-expanded={menu !== undefined}
            tabIndex={props.isTabStop ? 0 : -1}
            onClick={() => setMenu(menu === undefined ? 'button' : undefined)}
          />
        )}
        {menu && (
          <PartBoundary onFailure={close}>
            <Suspense>
              <RowMenu
                programme={programme}
                next={props.next}
                isNext={props.isNext}
                timeZone={timeZone}
                at={menu === 'button' ? undefined : menu}
                button={button}
                onClose={close}
                onBegin={props.onBegin}
                onUndo={props.onUndo}
              />
            </Suspense>
          </PartBoundary>
        )}
      </td>
    </tr>
  )
}

/** The time of a programme, with the colour of its block. */
function Time({ programme, document }: { programme: LogProgramme; document: ScheduleDocument }) {
  const { startsAt, isHardStart, reason } = programme
  const colour = blockOf(document, reason)?.colour
  return (
    <td className="flex items-center gap-2 max-lg:self-start">
      <span
        aria-hidden="true"
        className="h-6 w-1 shrink-0 rounded-full bg-line"
        style={colour ? { background: colour } : undefined}
      />
      <time
        dateTime={startsAt}
        className={classNames('whitespace-nowrap tabular-nums', isHardStart ? 'font-semibold' : 'text-muted')}
      >
        {exactTimeIn(document.timeZone, Date.parse(startsAt))}
      </time>
    </td>
  )
}

const CELL = 'min-w-0 wrap-anywhere max-lg:col-start-2'

const NOTE_CLASSES: Record<LogNote['kind'], string> = {
  air: 'bg-live text-on-live',
  start: 'border border-accent',
  edit: 'bg-raised',
  warning: 'border border-line',
}

function Notes({ notes }: { notes: readonly LogNote[] }) {
  return (
    <span className="flex flex-wrap gap-1 py-0.5">
      {notes.map(({ text, kind }) => (
        <span
          key={text}
          className={classNames('rounded-sm px-1.5 py-0.5 text-xs font-semibold', NOTE_CLASSES[kind])}
        >
          {kind === 'warning' && <span aria-hidden="true">⚠ </span>}
          {text}
        </span>
      ))}
    </span>
  )
}
