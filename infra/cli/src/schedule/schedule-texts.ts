import type { PreviewProgramme, PublishPreview, PublishResult } from '@looptide/contracts/http/schedules'
import type { ScheduleProblem } from '@looptide/contracts/schedule'
import { count } from '../count.ts'
import { table } from '../table.ts'
import { changeLine, type DocumentChange } from './document-changes.ts'
import type { ScheduleFile } from './schedule-yaml.ts'

/** Most changed programmes that are listed. */
const MAX_LISTED = 10

/** A difference between a file and the published schedule. */
export interface Comparison {
  /** The published version; 0 without a schedule. */
  version: number
  changes: DocumentChange[]
  onAir: PublishPreview
}

/** Each problem with its line in the file. */
export const problemLines = (problems: readonly ScheduleProblem[], file: ScheduleFile): string =>
  problems
    .map(({ path, message }) => `line ${file.lineOf(path)}: ${path === '' ? '' : `${path}: `}${message}`)
    .join('\n')

/** A comparison of schedules as lines: the changes of the document, then programmes before and after, in local time. */
export function comparisonText({ version, changes, onAir }: Comparison, timeZone: string): string {
  const published = version === 0 ? 'an empty schedule' : `version ${version}`
  const lines =
    changes.length === 0
      ? [`The file does not differ from ${published}.`]
      : [`Compared with ${published}:`, ...changes.map((change) => `  ${changeLine(change)}`)]
  const rows = Array.from({ length: Math.min(MAX_LISTED, Math.max(onAir.before.length, onAir.after.length)) })
  const programmes = rows.map((_, index) =>
    [onAir.before[index], onAir.after[index]].map((one) =>
      one === undefined ? '' : onAirText(one, timeZone),
    ),
  )
  return [
    ...lines,
    changeText(onAir, timeZone),
    ...(rows.length === 0 ? [] : [table(['NOW', 'THEN'], programmes)]),
  ].join('\n')
}

/** What a publication changes on the air. */
export function changeText(
  { changes, changesFrom }: Pick<PublishResult, 'changes' | 'changesFrom'>,
  timeZone: string,
): string {
  if (changesFrom === null) return 'Nothing changes on the air.'
  return `On the air: ${count(changes, 'programme')} from ${localTime(changesFrom, timeZone)} (${timeZone}).`
}

const onAirText = (programme: PreviewProgramme, timeZone: string): string =>
  `${localTime(programme.startsAt, timeZone)}  ${titleOf(programme)}`

const titleOf = ({ kind, ident, title, artistName }: PreviewProgramme): string =>
  kind === 'video' ? `${artistName} - ${title}` : `(${ident ?? kind} card)`

/** Programmes as lines, in local time, with what was cut or relaxed for them. */
export function programmesText(programmes: readonly PreviewProgramme[], timeZone: string): string {
  const rows = programmes.map((programme) => {
    const { startsAt, cut, reason } = programme
    const notes = [...(cut ? ['cut short'] : []), ...reason.relaxed.map((rule) => `relaxed: ${rule}`)]
    return [
      localTime(startsAt, timeZone),
      titleOf(programme),
      reason.blockId ?? reason.specialId ?? '-',
      reason.source ?? '-',
      notes.join(', '),
    ]
  })
  return table([`START (${timeZone})`, 'PROGRAMME', 'BLOCK', 'SOURCE', 'NOTES'], rows)
}

/** Such as `2026-11-27 20:00:00`. An unknown time zone shows UTC. */
function localTime(instant: string, timeZone: string): string {
  return new Date(instant).toLocaleString('sv-SE', { timeZone: isKnown(timeZone) ? timeZone : 'UTC' })
}

function isKnown(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('sv-SE', { timeZone })
    return true
  } catch {
    return false
  }
}
