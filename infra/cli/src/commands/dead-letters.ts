import type { DeadLetter } from '@looptide/contracts/http/admin'
import { SERVICES, type ServiceName } from '@looptide/contracts/service-names'
import { Argument } from 'commander'
import { count } from '../count.ts'
import { fault, usageError } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { Refusal, type StationApi } from '../station-api.ts'
import { table } from '../table.ts'
import type { AddCommands } from './add-commands.ts'

type Letter = DeadLetter & { service: ServiceName }

const service = (required: boolean): Argument =>
  new Argument(required ? '<service>' : '[service]', 'the service that could not process the event').choices(
    SERVICES,
  )

/** Adds `dead-letters`. */
export const addDeadLetterCommands: AddCommands = (program, act) => {
  const letters = program
    .command('dead-letters')
    .description('events that a service could not process in five attempts')
  letters
    .command('list')
    .description('list dead letters that were not replayed, newest first')
    .addArgument(service(false))
    .option('--all', 'include those that were replayed')
    .action(
      act((session, name: ServiceName | undefined, options: { all?: boolean }) =>
        list(session, name, options.all === true),
      ),
    )
  letters
    .command('show')
    .description('show a dead letter with its event and error')
    .addArgument(service(true))
    .argument('<id>')
    .action(act((session, name: ServiceName, id: string) => show(session, name, id)))
  letters
    .command('replay')
    .description('process dead letters again; each event is applied at most once')
    .addArgument(service(true))
    .argument('[ids...]')
    .option('--all', 'all that were not replayed, oldest first')
    .action(
      act((session, name: ServiceName, ids: string[], options: { all?: boolean }) =>
        replay(session, name, ids, options.all === true),
      ),
    )
  letters
    .command('drop')
    .description('delete a dead letter; its event is never applied')
    .addArgument(service(true))
    .argument('<id>')
    .action(act((session, name: ServiceName, id: string) => drop(session, name, id)))
}

async function waiting(station: StationApi, name: ServiceName, all = false): Promise<Letter[]> {
  const found: Letter[] = []
  for await (const letter of station.list(`GET /api/dead-letters/${name}`, {})) {
    if (all || letter.replayedAt === null) found.push({ service: name, ...letter })
  }
  return found
}

async function list(session: Session, name: ServiceName | undefined, all: boolean): Promise<void> {
  const station = await session.station()
  const found: Letter[] = []
  if (name === undefined) {
    for (const one of SERVICES) found.push(...(await waiting(station, one, all).catch(noneIfAbsent)))
  } else {
    found.push(...(await waiting(station, name, all)))
  }
  const rows = found.map((letter) => [
    letter.service,
    letter.id,
    letter.failedAt,
    letter.subject,
    firstLine(letter.error),
  ])
  session.report(
    found,
    found.length === 0 ? 'No dead letters.' : table(['SERVICE', 'ID', 'FAILED', 'EVENT', 'ERROR'], rows),
  )
}

/** A station runs without some services (`REQUESTS`). */
function noneIfAbsent(failure: unknown): Letter[] {
  if (failure instanceof Refusal && failure.status === 404) return []
  throw failure
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 80)

async function find(station: StationApi, name: ServiceName, id: string): Promise<Letter> {
  const letter = (await waiting(station, name, true)).find((one) => one.id === id)
  if (letter === undefined) throw fault(`${name} has no dead letter ${id}.`)
  return letter
}

async function show(session: Session, name: ServiceName, id: string): Promise<void> {
  const letter = await find(await session.station(), name, id)
  const { consumer, subject, failedAt, replayedAt, error, envelope } = letter
  session.report(
    letter,
    [
      `${subject}, for ${consumer}`,
      `failed at ${failedAt}${replayedAt === null ? '' : `, replayed at ${replayedAt}`}`,
      error,
      JSON.stringify(envelope, null, 2),
    ].join('\n'),
  )
}

async function replay(session: Session, name: ServiceName, ids: string[], all: boolean): Promise<void> {
  if (all === ids.length > 0) throw usageError('Specify which dead letters: either their ids or --all.')
  const station = await session.station()
  // An event may depend on an earlier one that failed.
  const wanted = all ? (await waiting(station, name)).map(({ id }) => id).reverse() : ids
  for (const id of wanted) {
    await station.call(`POST /api/dead-letters/${name}/:id/replay`, { params: { id: Number(id) } })
    session.note(`Dead letter ${id} is replayed.`)
  }
  session.report({ replayed: wanted }, `${count(wanted.length, 'dead letter')} replayed.`)
}

async function drop(session: Session, name: ServiceName, id: string): Promise<void> {
  const station = await session.station()
  const letter = await find(station, name, id)
  await session.confirm(
    `This permanently deletes the dead letter ${id} (${letter.subject}, for ${letter.consumer}).`,
  )
  await station.call(`DELETE /api/dead-letters/${name}/:id`, { params: { id: Number(id) } })
  session.report({ dropped: id }, `Dead letter ${id} is deleted.`)
}
