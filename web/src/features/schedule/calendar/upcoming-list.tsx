import type { Override, ScheduleDocument, Special } from '@looptide/contracts/schedule'
import { Button, IconButton } from '../../../ui/button.tsx'
import { dateOf, startLabel } from '../model/specials.ts'
import { dateText } from '../model/zoned-time.ts'
import type { CalendarActions } from './calendar-actions.ts'

type Entry = { date: string; special: Special } | { date: string; holiday: Override }

/** All specials and holidays from today on, in order of time; past ones are listed after a click. */
export function UpcomingList(props: {
  document: ScheduleDocument
  today: string
  actions: CalendarActions
  onSelect: (date: string) => void
}) {
  const { specials = [], overrides = [] } = props.document
  const entries: Entry[] = [
    ...specials.map((special) => ({ date: special.at, special })),
    ...overrides.map((holiday) => ({ date: holiday.from, holiday })),
  ].sort((a, b) => (a.date < b.date ? -1 : 1))
  const isPast = (entry: Entry) =>
    ('special' in entry ? dateOf(entry.special) : entry.holiday.to) < props.today
  const past = entries.filter(isPast)
  const upcoming = entries.filter((entry) => !isPast(entry))
  return (
    <section aria-labelledby="upcoming" className="grid gap-3">
      <h3 id="upcoming" className="text-lg font-semibold">
        Specials and holidays
      </h3>
      {upcoming.length === 0 && (
        <p className="text-sm text-muted">
          None planned. Choose a day, then add a special, such as a premiere on Friday at 20:00, or a holiday
          with its own blocks.
        </p>
      )}
      <List {...props} entries={upcoming} label="Upcoming specials and holidays" />
      {past.length > 0 && (
        <details>
          <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">
            Past ({past.length})
          </summary>
          <List {...props} entries={past} label="Past specials and holidays" />
        </details>
      )}
    </section>
  )
}

function List(props: {
  entries: readonly Entry[]
  label: string
  actions: CalendarActions
  onSelect: (date: string) => void
}) {
  const { entries, actions } = props
  if (entries.length === 0) return null
  return (
    <ul
      aria-label={props.label}
      className="divide-y divide-line/70 rounded-lg border border-line/70 bg-panel"
    >
      {entries.map((entry) => {
        const isSpecial = 'special' in entry
        const item = isSpecial ? entry.special : entry.holiday
        const name = item.name ?? item.id
        const when = isSpecial
          ? `${dateText(dateOf(entry.special))}, ${startLabel(entry.special)}`
          : rangeText(entry.holiday)
        return (
          <li
            key={`${isSpecial} ${item.id}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2"
          >
            <button
              type="button"
              onClick={() => props.onSelect(isSpecial ? dateOf(entry.special) : entry.holiday.from)}
              className="lift grid min-h-11 min-w-0 flex-1 basis-60 content-center rounded-sm text-left"
            >
              <span className="font-medium wrap-anywhere">{name}</span>
              <span className="text-sm text-muted">
                {isSpecial ? 'Special' : 'Holiday'} · {when}
              </span>
            </button>
            <div className="flex flex-wrap gap-1">
              {isSpecial && (
                <Button
                  tone="plain"
                  className="px-3"
                  aria-label={`Repeat ${name}`}
                  onClick={() => actions.repeatSpecial(entry.special)}
                >
                  Repeat
                </Button>
              )}
              <Button
                tone="plain"
                className="px-3"
                aria-label={`Edit ${name}`}
                onClick={() =>
                  isSpecial ? actions.editSpecial(entry.special) : actions.editHoliday(entry.holiday)
                }
              >
                Edit
              </Button>
              <IconButton
                icon="remove"
                label={`Remove ${name}`}
                onClick={() =>
                  isSpecial ? actions.removeSpecial(entry.special) : actions.removeHoliday(entry.holiday)
                }
              />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

const rangeText = ({ from, to }: Override): string =>
  from === to ? dateText(from) : `${dateText(from)} to ${dateText(to)}`
