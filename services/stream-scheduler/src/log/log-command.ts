import type { LogEditBody } from '@looptide/contracts/http/log'
import { isChangeable, type LogCommand } from '@looptide/planner/log-commands'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { ProgrammeRow } from '../db/schema.ts'
import { programmeId } from '../timeline/programme-id.ts'

/** A command of the planner, and the programme whose place it changes first. */
interface NamedCommand {
  command: LogCommand
  programme: ProgrammeRow
}

/**
 * The command that a request names by programmes. Throws `conflict` for a programme that is not in `rows` or that has
 * started (`fixed`), and `unprocessable` for one that starts at `untilMs` (epoch ms) or later, or cannot be changed.
 */
export function commandOf(
  body: LogEditBody,
  rows: readonly ProgrammeRow[],
  fixed: ProgrammeRow,
  untilMs: number,
): NamedCommand {
  const find = (id: string) => {
    const index = rows.findIndex((row) => programmeId(row) === id)
    const programme = rows[index]
    if (programme === undefined) throw errors.conflict('The log has changed. Please reload.')
    if (programme.seq <= fixed.seq) throw errors.conflict('This programme has already started.')
    if (programme.startsAtMs >= untilMs || !isChangeable(programme)) throw unchangeable()
    return { index, programme }
  }
  /** Where a video goes: to the place of a programme, or of the next one that can be changed. */
  const place = (id: string | undefined) => {
    if (id !== undefined) return find(id)
    const index = rows.findIndex((row) => row.seq > fixed.seq && isChangeable(row))
    const programme = rows[index]
    if (programme === undefined) throw unchangeable()
    return { index, programme }
  }
  switch (body.action) {
    case 'insert': {
      const { index, programme } = place(body.before)
      return { command: { action: 'insert', videoId: body.videoId, before: index }, programme }
    }
    case 'skip': {
      const { index, programme } = find(body.programmeId)
      return { command: { action: 'skip', programme: index }, programme }
    }
    case 'swap': {
      const [one, other] = [find(body.programmeId), find(body.with)]
      if (one.index === other.index) throw unchangeable()
      return {
        command: { action: 'swap', programme: one.index, with: other.index },
        programme: one.programme,
      }
    }
    case 'move': {
      const [moved, before] = [find(body.programmeId), place(body.before)]
      if (moved.index === before.index) throw unchangeable()
      const command = { action: 'move' as const, programme: moved.index, before: before.index }
      return { command, programme: moved.programme }
    }
  }
}

const unchangeable = () => new AppError('unprocessable', 'This programme cannot be changed.')
