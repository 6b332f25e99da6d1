import type { PreviewProgramme, ScheduleBreach } from '@looptide/contracts/http/schedules'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { Button } from '../../../ui/button.tsx'
import { RULE_LABELS } from '../../admin/rule-labels.ts'
import { blockOf, programmeTitle, reasonText } from '../model/sentences.ts'
import { dateIn, dateText, exactTimeIn } from '../model/zoned-time.ts'

/** Programmes with their reasons and the rules that were relaxed, with a heading for each date. */
export function ProgrammeList(props: {
  label: string
  document: ScheduleDocument
  programmes: readonly PreviewProgramme[]
  breaches?: readonly ScheduleBreach[]
  isBusy?: boolean
  /** Excludes a video for the rest of the week. */
  onExclude?: (videoId: string, title: string) => void
}) {
  const { document, programmes, breaches = [] } = props
  const { timeZone } = document
  const details = new Map(breaches.map(({ startsAt, rule, detail }) => [`${startsAt} ${rule}`, detail]))
  const dates = programmes.map(({ startsAt }) => dateIn(timeZone, Date.parse(startsAt)))
  return (
    <ol
      aria-label={props.label}
      aria-busy={props.isBusy}
      className="divide-y divide-line/50 overflow-hidden rounded-lg border border-line/70 bg-panel"
    >
      {programmes.map((programme, index) => (
        <li key={`${programme.startsAt} ${programme.kind}`}>
          {dates[index] !== dates[index - 1] && (
            <p className="bg-raised px-4 py-1.5 text-sm font-semibold">{dateText(dates[index] ?? '')}</p>
          )}
          <Line
            document={document}
            programme={programme}
            notes={programme.reason.relaxed.map(
              (rule) => details.get(`${programme.startsAt} ${rule}`) ?? `Relaxed: ${RULE_LABELS[rule]}`,
            )}
            onExclude={props.onExclude}
          />
        </li>
      ))}
    </ol>
  )
}

function Line(props: {
  document: ScheduleDocument
  programme: PreviewProgramme
  /** Why each relaxed rule was relaxed. */
  notes: readonly string[]
  onExclude: ((videoId: string, title: string) => void) | undefined
}) {
  const { document, programme, notes, onExclude } = props
  const { startsAt, videoId, artistName, reason } = programme
  const title = programmeTitle(programme)
  const colour = blockOf(document, reason)?.colour
  return (
    <div
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-l-4 border-line py-1.5 pr-2 pl-3"
      style={colour ? { borderLeftColor: colour } : undefined}
    >
      <time dateTime={startsAt} className="w-24 shrink-0 whitespace-nowrap text-sm text-muted tabular-nums">
        {exactTimeIn(document.timeZone, Date.parse(startsAt))}
      </time>
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-sm wrap-anywhere font-medium">
          {title} {artistName && <span className="font-normal text-muted">{artistName}</span>}
        </p>
        <p className="text-sm break-words text-muted">{reasonText(document, programme)}</p>
        {notes.map((note) => (
          <p key={note} className="text-sm font-medium break-words">
            <span aria-hidden="true">⚠ </span>
            {note}
          </p>
        ))}
      </div>
      {onExclude && videoId && (
        <Button
          tone="plain"
          icon="ban"
          className="px-3"
          aria-label={`Exclude this week: ${title}`}
          onClick={() => onExclude(videoId, title)}
        >
          <span className="max-sm:sr-only">Exclude this week</span>
        </Button>
      )}
    </div>
  )
}
