import { dateLocale } from '../../../lib/time/date-locale.ts'
import { classNames } from '../../../ui/class-names.ts'
import { minuteOf, type RealDay, type RealPiece, type Stretch } from '../model/real-week.ts'
import { contentText } from '../model/sentences.ts'
import { DAY_MINUTES, timeLabel } from '../model/times.ts'
import { dateText } from '../model/zoned-time.ts'
import type { OpenItem } from './real-week-dialog.tsx'
import { HourAxis } from './week-grid.tsx'

/** A date with the parts of takeovers that are on at it. */
export type ShownDay = RealDay & { takeovers: readonly (Stretch & { title: string })[] }

/** What the grid and the list of a real week show. */
export interface RealWeekProps {
  days: readonly ShownDay[]
  today: string
  nowMs: number
  timeZone: string
  onOpen: (item: OpenItem) => void
}

/** The short name and the number of a date: "Mon 23". */
const columnText = (date: string): string =>
  `${new Date(date).toLocaleDateString(dateLocale, { timeZone: 'UTC', weekday: 'short' })} ${Number(date.slice(8))}`

const COLUMNS = 'grid-cols-[4.25rem_repeat(7,minmax(0,1fr))]'

/** A week of dates as seven columns of 24 hours, with a line at the present time. */
export function RealWeekGrid(props: RealWeekProps) {
  const { days, today, nowMs, timeZone } = props
  return (
    <div>
      <div
        className={classNames('sticky top-16 z-20 grid border-b border-line bg-canvas print:static', COLUMNS)}
      >
        <span />
        {days.map(({ date, holiday }) => (
          <div key={date} className="grid content-start gap-1 px-1 pb-1">
            <h4
              aria-current={date === today ? 'date' : undefined}
              className={classNames(
                'px-1 text-sm font-semibold tabular-nums',
                date === today && 'underline decoration-accent decoration-2 underline-offset-4',
              )}
            >
              {columnText(date)}
            </h4>
            {holiday && (
              <button
                type="button"
                title={holiday.name ?? holiday.id}
                onClick={() => props.onOpen({ kind: 'dates', item: holiday })}
                className="truncate rounded-sm bg-accent px-1.5 py-0.5 text-left text-xs font-semibold text-on-accent"
              >
                {holiday.name ?? holiday.id}
              </button>
            )}
          </div>
        ))}
      </div>
      <div className={classNames('grid h-[66rem] pt-2 print:h-[150mm]', COLUMNS)}>
        <HourAxis />
        {days.map((day) => (
          <section
            key={day.date}
            aria-label={dateText(day.date)}
            className={classNames(
              'relative border-l border-line/70 bg-[linear-gradient(to_bottom,var(--theme-line)_1px,transparent_1px)] bg-size-[100%_calc(100%/24)]',
              day.date === today ? 'bg-raised/60' : 'bg-deep/40',
            )}
          >
            {day.pieces.map((piece) => (
              <PieceButton
                key={`${piece.item.id} ${piece.startMs}`}
                piece={piece}
                onOpen={() => props.onOpen(piece)}
              />
            ))}
            {day.takeovers.map((takeover) => (
              <TakeoverStretch key={takeover.startMs} title={takeover.title} stretch={takeover} />
            ))}
            {nowMs >= day.startMs && nowMs < day.endMs && (
              <div
                data-now
                aria-hidden="true"
                className="pointer-events-none absolute inset-x-0 z-10 -mt-px scroll-my-40 border-t-2 border-live before:absolute before:-top-[5px] before:-left-1 before:size-2 before:rounded-full before:bg-live"
                style={{ top: percent(minuteOf(day, timeZone, nowMs)) }}
              />
            )}
          </section>
        ))}
      </div>
    </div>
  )
}

const percent = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`

const placeOf = ({ from, to }: Stretch) => ({ top: percent(from), height: percent(to - from) })

/** The hours at which a piece is on. */
export const hoursOf = ({ from, to }: Stretch): string => `${timeLabel(from)}–${timeLabel(to)}`

/** What kind of item a piece is, unless it is a block of every week. */
export const KIND_TEXTS: Record<RealPiece['kind'], string> = {
  block: '',
  holiday: 'Holiday',
  special: 'Special',
}

function PieceButton({ piece, onOpen }: { piece: RealPiece; onOpen: () => void }) {
  const { item, kind, isContinuation, isHardStart } = piece
  const content = contentText(item)
  const kindText = KIND_TEXTS[kind]
  return (
    <div className="absolute inset-x-0 p-px" style={placeOf(piece)}>
      <button
        type="button"
        title={`${item.name}, ${hoursOf(piece)}, ${content}`}
        onClick={onOpen}
        className={classNames(
          'flex size-full min-h-0 flex-col overflow-hidden rounded-sm border border-l-4 bg-raised px-1.5 py-0.5 text-left text-xs hover:brightness-110 focus-visible:z-10',
          kind === 'special' ? 'border-2 border-l-4 border-accent' : 'border-line',
        )}
        style={
          item.colour
            ? {
                borderLeftColor: item.colour,
                background: `color-mix(in srgb, ${item.colour} 16%, var(--theme-raised))`,
              }
            : undefined
        }
      >
        <span className="w-full shrink-0 truncate font-semibold">
          {kind === 'special' && <span aria-hidden="true">★ </span>}
          {item.name}
          {isContinuation && <span className="sr-only">, goes on</span>}
        </span>
        <span className="w-full shrink-0 truncate tabular-nums">
          {hoursOf(piece)}
          {isHardStart && <span aria-hidden="true"> ●</span>}
          {isHardStart && <span className="sr-only">, exact start,</span>}
        </span>
        <span className="w-full truncate">
          {kindText && `${kindText} · `}
          <span className="sr-only">plays </span>
          {content}
        </span>
      </button>
    </div>
  )
}

/** A takeover is in front of what the schedule would have aired. */
function TakeoverStretch({ title, stretch }: { title: string; stretch: Stretch }) {
  return (
    <p
      className="absolute inset-x-1 z-10 min-h-5 overflow-hidden rounded-sm bg-live px-1.5 py-0.5 text-xs font-semibold text-on-live"
      title={`Takeover: ${title}, ${hoursOf(stretch)}`}
      style={placeOf(stretch)}
    >
      Takeover: {title}
    </p>
  )
}
