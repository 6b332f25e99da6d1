import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import type { RealPiece } from '../model/real-week.ts'
import { contentText } from '../model/sentences.ts'
import { dateText } from '../model/zoned-time.ts'
import { hoursOf, KIND_TEXTS, type RealWeekProps, type ShownDay } from './real-week-grid.tsx'

/** A week of dates as a list, for phones and screen readers. */
export function RealWeekList(props: RealWeekProps) {
  return (
    <div className="grid gap-4 lg:grid-cols-2 2xl:grid-cols-3">
      {props.days.map((day) => (
        <Day key={day.date} {...props} day={day} />
      ))}
    </div>
  )
}

function Day({ day, today, nowMs, onOpen }: RealWeekProps & { day: ShownDay }) {
  const { date, holiday, pieces, takeovers } = day
  return (
    <section
      aria-label={dateText(date)}
      className={classNames(
        'grid content-start gap-2 rounded-lg border bg-panel p-3',
        date === today ? 'border-accent' : 'border-line/70',
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        <h4 aria-current={date === today ? 'date' : undefined} className="mr-auto text-lg font-semibold">
          {dateText(date)}
        </h4>
        {holiday && (
          <Button onClick={() => onOpen({ kind: 'dates', item: holiday })}>
            {holiday.name ?? holiday.id}
          </Button>
        )}
      </div>
      {takeovers.map((takeover) => (
        <p
          key={takeover.startMs}
          className="rounded-md bg-live px-3 py-2 text-sm font-semibold wrap-anywhere text-on-live"
        >
          Takeover: {takeover.title}, {hoursOf(takeover)}
        </p>
      ))}
      {pieces.length === 0 ? (
        <p className="py-2 text-sm text-muted">No blocks.</p>
      ) : (
        <ul className="grid gap-1">
          {pieces.map((piece) => (
            <Row
              key={`${piece.item.id} ${piece.startMs}`}
              piece={piece}
              isOn={piece.startMs <= nowMs && nowMs < piece.endMs}
              onOpen={() => onOpen(piece)}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ piece, isOn, onOpen }: { piece: RealPiece; isOn: boolean; onOpen: () => void }) {
  const { item, kind, isContinuation, isHardStart } = piece
  return (
    <li
      data-now={isOn || undefined}
      className={classNames(
        'flex scroll-my-40 items-center gap-2 rounded-md pl-2',
        isOn ? 'bg-raised' : 'bg-raised/60',
      )}
    >
      <span
        aria-hidden="true"
        className="h-9 w-1.5 shrink-0 rounded-full bg-line"
        style={item.colour ? { background: item.colour } : undefined}
      />
      <div className="min-w-0 flex-1 py-1.5">
        <p className="font-medium wrap-anywhere">
          {kind === 'special' && <span aria-hidden="true">★ </span>}
          {item.name}
          {isOn && (
            <span className="ml-2 rounded-sm bg-live px-1.5 py-0.5 text-xs font-semibold text-on-live">
              Now
            </span>
          )}
        </p>
        <p className="text-sm text-muted tabular-nums">
          {hoursOf(piece)} · {KIND_TEXTS[kind] && `${KIND_TEXTS[kind]} · `}
          {contentText(item)}
          {isContinuation && ' · goes on'}
          {isHardStart && ' · exact start'}
        </p>
      </div>
      <Button tone="plain" className="px-3 print:hidden" aria-label={`Edit ${item.name}`} onClick={onOpen}>
        Edit
      </Button>
    </li>
  )
}
