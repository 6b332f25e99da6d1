import type { LogEditBody, LogEditResult } from '@looptide/contracts/http/log'
import { count } from '../count.ts'
import type { Session } from '../session.ts'
import { PLAN, type StationApi } from '../station-api.ts'
import { table } from '../table.ts'
import type { AddCommands } from './add-commands.ts'

interface EditOptions {
  /** A programme's id, as in the list. */
  before?: string
  dryRun?: boolean
}

/** Adds `log`. */
export const addLogCommands: AddCommands = (program, act) => {
  const log = program
    .command('log')
    .description('the programmes of the next 24 hours of a channel with a schedule')
  log
    .command('list')
    .description('list them, and the edits in effect')
    .argument('<channel>')
    .action(act((session, channel: string) => list(session, channel)))
  addEditCommands(log, act)
  log
    .command('undo')
    .description('undo an edit')
    .argument('<channel>')
    .argument('<edit>')
    .action(act((session, channel: string, editId: string) => undo(session, channel, editId)))
}

const addEditCommands: AddCommands = (log, act) => {
  const edit = (name: LogEditBody['action'], description: string) =>
    log
      .command(name)
      .description(description)
      .option('--dry-run', 'show what would change; change nothing')
      .argument('<channel>')
  const where = ['--before <programme>', 'its id, as in `log list`; default: next'] as const
  edit('insert', 'play a video')
    .argument('<video>', 'its id')
    .option(...where)
    .action(
      act((session, channel: string, videoId: string, options: EditOptions) =>
        change(session, channel, { action: 'insert', videoId, ...given(options) }),
      ),
    )
  edit('skip', 'leave a programme out')
    .argument('<programme>')
    .action(
      act((session, channel: string, programmeId: string, options: EditOptions) =>
        change(session, channel, { action: 'skip', programmeId, ...given(options) }),
      ),
    )
  edit('swap', 'exchange two programmes')
    .argument('<programme>')
    .argument('<other>')
    .action(
      act((session, channel: string, programmeId: string, other: string, options: EditOptions) =>
        change(session, channel, { action: 'swap', programmeId, with: other, ...given(options) }),
      ),
    )
  edit('move', 'play a programme at another place')
    .argument('<programme>')
    .option(...where)
    .action(
      act((session, channel: string, programmeId: string, options: EditOptions) =>
        change(session, channel, { action: 'move', programmeId, ...given(options) }),
      ),
    )
}

const given = ({ before, dryRun }: EditOptions) => ({ ...(before && { before }), ...(dryRun && { dryRun }) })

const logOf = (station: StationApi, id: string) =>
  station.callVersioned('GET /api/channels/:id/log', { params: { id } })

async function list(session: Session, channel: string): Promise<void> {
  const { value: log } = await logOf(await session.station(), channel)
  const programmes = log.programmes.map((programme) => [
    programme.programmeId,
    programme.startsAt,
    programme.title === null
      ? `(${programme.ident ?? programme.kind} card)`
      : `${programme.artistName} - ${programme.title}`,
    programme.blockName ?? '-',
    [
      programme.isHardStart && 'hard start',
      programme.editId !== null && 'edited',
      !programme.isChangeable && 'fixed',
    ]
      .filter((note) => note !== false)
      .join(', '),
  ])
  const edits = log.edits.map(({ id, action, artistName, title, startsAt }) => [
    id,
    action,
    `${artistName} - ${title}`,
    startsAt,
  ])
  const text = table(['PROGRAMME', 'STARTS', 'VIDEO', 'BLOCK', 'NOTES'], programmes)
  session.report(
    log,
    edits.length === 0 ? text : `${text}\n\n${table(['EDIT', 'ACTION', 'VIDEO', 'PLANNED FOR'], edits)}`,
  )
}

async function change(session: Session, channel: string, body: LogEditBody): Promise<void> {
  const station = await session.station()
  const { etag } = await logOf(station, channel)
  const options = { ...PLAN, ifMatch: etag }
  const result = await station.call(
    'POST /api/channels/:id/log/edits',
    { params: { id: channel }, body },
    options,
  )
  session.report(result, textOf(result))
}

async function undo(session: Session, channel: string, editId: string): Promise<void> {
  const station = await session.station()
  const input = { params: { id: channel, editId } }
  const result = await station.call('DELETE /api/channels/:id/log/edits/:editId', input, PLAN)
  session.report(result, textOf(result))
}

function textOf({ editId, changesCount, changes, breaches, cuts, hardStarts }: LogEditResult): string {
  const rows = changes.map(({ artistName, title, previousStart, startsAt }) => [
    `${artistName} - ${title}`,
    previousStart ?? '-',
    startsAt ?? '-',
  ])
  const lines = [
    table(['VIDEO', 'BEFORE', 'NOW'], rows),
    ...(changesCount > changes.length
      ? [`and ${count(changesCount - changes.length, 'more programme')}`]
      : []),
    ...breaches.map(
      ({ startsAt, artistName, title, rule }) => `${startsAt} ${artistName} - ${title} breaks ${rule}`,
    ),
    ...cuts.map(({ startsAt, title }) => `${startsAt} ${title} is cut short`),
    ...hardStarts.map(({ startsAt, name }) => `${startsAt} ${name} starts as planned`),
    editId === null ? 'Nothing was changed.' : `Edit ${editId}.`,
  ]
  return lines.join('\n')
}
