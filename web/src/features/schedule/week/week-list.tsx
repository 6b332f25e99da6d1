import type { Block, Weekday } from '@looptide/contracts/schedule'
import { Button, IconButton } from '../../../ui/button.tsx'
import { contentText } from '../model/sentences.ts'
import { dayAfter, dayName, timeLabel } from '../model/times.ts'
import { type Piece, weekOf } from '../model/week-layout.ts'
import type { WeekActions } from './week-actions.ts'

/** The week as a list of days with every function of the grid, for phones and screen readers. */
export function WeekList(props: {
  blocks: readonly Block[]
  marked: ReadonlySet<string>
  actions: WeekActions
}) {
  const { blocks, marked, actions } = props
  return (
    <div className="grid gap-4 lg:grid-cols-2 2xl:grid-cols-3">
      {weekOf(blocks).map(({ day, pieces }) => (
        <section
          key={day}
          aria-labelledby={`day-${day}`}
          className="grid content-start gap-2 rounded-lg border border-line/70 bg-panel p-3"
        >
          <div className="flex flex-wrap items-center gap-2">
            <h3 id={`day-${day}`} className="mr-auto text-lg font-semibold">
              {dayName(day)}
            </h3>
            <IconButton
              icon="copy"
              label={`Copy ${dayName(day)}`}
              className="print:hidden"
              onClick={() => actions.copy(day)}
            />
            <IconButton
              icon="plus"
              label={`Add block on ${dayName(day)}`}
              className="print:hidden"
              onClick={() => actions.createFree(day)}
            />
          </div>
          {pieces.length === 0 ? (
            <p className="py-2 text-sm text-muted">No blocks.</p>
          ) : (
            <ul className="grid gap-1">
              {pieces.map((piece) => (
                <Row
                  key={`${piece.block.id} ${piece.startDay}`}
                  piece={piece}
                  day={day}
                  isMarked={marked.has(piece.block.id)}
                  actions={actions}
                />
              ))}
            </ul>
          )}
        </section>
      ))}
    </div>
  )
}

function Row(props: { piece: Piece<Block>; day: Weekday; isMarked: boolean; actions: WeekActions }) {
  const { piece, day, isMarked, actions } = props
  const { block, isContinuation, from, to } = piece
  return (
    <li className="flex items-center gap-2 rounded-md bg-raised/60 pl-2">
      <span
        aria-hidden="true"
        className="h-9 w-1.5 shrink-0 rounded-full bg-line"
        style={block.colour ? { background: block.colour } : undefined}
      />
      <div className="min-w-0 flex-1 py-1.5">
        <p className="font-medium wrap-anywhere">
          {isMarked && <span title="This block has a problem">⚠ </span>}
          {block.name}
        </p>
        <p className="text-sm text-muted tabular-nums">
          {timeLabel(from)}–{timeLabel(to)} · {contentText(block)}
          {isContinuation && ` · since ${dayName(dayAfter(day, -1))}`}
          {block.start === 'hard' && !isContinuation && ' · exact start'}
        </p>
      </div>
      {!isContinuation && (
        <>
          <Button
            tone="plain"
            className="px-3 print:hidden"
            aria-label={`Edit ${block.name}`}
            onClick={() => actions.edit(block)}
          >
            Edit
          </Button>
          <IconButton
            icon="remove"
            label={`Remove ${block.name} on ${dayName(day)}`}
            className="print:hidden"
            onClick={() => actions.remove(block, day)}
          />
        </>
      )}
    </li>
  )
}
