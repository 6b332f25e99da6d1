import { type Static, Type } from 'typebox'
import { ChannelId, Instant, Nullable, strict, Uuid } from '../common.ts'
import { PreviewProgramme, RelaxableRule } from './schedules.ts'
import { ProgrammeParams } from './simulation.ts'

// The log of a channel with a schedule: the programmes of the next 24 hours, which people may change one by one.

/** Time (ms) from now for which the log is listed and may be edited. */
export const LOG_MS = 24 * 3_600_000
/** Maximum number of edits of a channel that are in effect. */
export const MAX_LOG_EDITS = 100

/** A rule that a programme breaks. The planner itself relaxes only soft rules; a person may break the others too. */
export const LogRule = Type.Union([
  RelaxableRule,
  Type.Literal('excludedArtists'),
  Type.Literal('exclusions'),
  Type.Literal('tagWindows'),
])
export type LogRule = Static<typeof LogRule>

/**
 * A programme of the log.
 *
 * - `isHardStart`: a block or special starts with it to the millisecond.
 * - `isFixed`: it is on the air or starts within seconds. `isChangeable`: it has a video, is not fixed, and no takeover
 *   has planned it.
 * - `editId`: the edit whose video it plays. `breaks`: the rules that this video breaks.
 */
export const LogProgramme = Type.Object({
  programmeId: Type.String(),
  ...PreviewProgramme.properties,
  blockName: Nullable(Type.String()),
  isHardStart: Type.Boolean(),
  isFixed: Type.Boolean(),
  isChangeable: Type.Boolean(),
  editId: Nullable(Uuid),
  breaks: Type.Array(LogRule),
})
export type LogProgramme = Static<typeof LogProgramme>

export const LogAction = Type.Union([
  Type.Literal('insert'),
  Type.Literal('skip'),
  Type.Literal('swap'),
  Type.Literal('move'),
])
export type LogAction = Static<typeof LogAction>

/** An edit that is in effect. `startsAt`: when its programme was planned. `isUndoable`: no later edit builds on it. */
export const LogEdit = Type.Object({
  id: Uuid,
  action: LogAction,
  title: Type.String(),
  artistName: Type.String(),
  startsAt: Instant,
  createdAt: Instant,
  createdBy: Nullable(Uuid),
  isUndoable: Type.Boolean(),
})
export type LogEdit = Static<typeof LogEdit>

/**
 * GET /api/channels/:id/log: the programme on the air and those of the next 24 hours, and the edits in effect, newest
 * first. The `ETag` names the version of the log. 422 `unprocessable` without a published schedule, or off the air.
 */
export const ChannelLog = Type.Object({
  programmes: Type.Array(LogProgramme),
  edits: Type.Array(LogEdit),
})
export type ChannelLog = Static<typeof ChannelLog>

const { programmeId: ProgrammeId } = ProgrammeParams.properties
const DryRun = { dryRun: Type.Optional(Type.Boolean()) }
const Before = { before: Type.Optional(ProgrammeId) }

/**
 * POST /api/channels/:id/log/edits with the log's `If-Match`: one change of the log.
 *
 * - `insert`: plays a video at the place of the programme `before`, which follows. `move`: does so with a programme. Without
 *   `before`: next, after the programme on the air.
 * - `skip`: leaves a programme out. `swap`: exchanges two.
 *
 * Hard starts stay where they are: what follows moves up to the next one, before which the time is filled again. The edit
 * is part of each later plan and ends with its programme. `dryRun`: nothing is changed.
 *
 * 412 `precondition_failed` for an outdated log; 409 `conflict` for a programme that is no longer in it, is on the air or
 * starts within seconds; 422 `unprocessable` for a video that cannot be played or does not fit before the next hard start,
 * a programme that cannot be changed, and beyond {@link MAX_LOG_EDITS}.
 */
export const LogEditBody = Type.Union([
  Type.Object({ action: Type.Literal('insert'), videoId: Uuid, ...Before, ...DryRun }, strict),
  Type.Object({ action: Type.Literal('skip'), programmeId: ProgrammeId, ...DryRun }, strict),
  Type.Object(
    { action: Type.Literal('swap'), programmeId: ProgrammeId, with: ProgrammeId, ...DryRun },
    strict,
  ),
  Type.Object({ action: Type.Literal('move'), programmeId: ProgrammeId, ...Before, ...DryRun }, strict),
])
export type LogEditBody = Static<typeof LogEditBody>

/** A programme that an edit changes. `startsAt` is null if it no longer airs in these hours, `previousStart` if it is new. */
export const LogChange = Type.Object({
  title: Type.String(),
  artistName: Type.String(),
  startsAt: Nullable(Instant),
  previousStart: Nullable(Instant),
})
export type LogChange = Static<typeof LogChange>

/**
 * The effect of an edit, or of undoing one, in the next 24 hours.
 *
 * - `editId`: null for a dry run.
 * - `changes`: the first of `changesCount` programmes that are new, moved or gone, in order.
 * - `breaches`: rules that are broken and were not before. `cuts`: videos that a hard start cuts short and did not before.
 * - `hardStarts`: blocks and specials that start during the changes, unchanged.
 */
export const LogEditResult = Type.Object({
  editId: Nullable(Uuid),
  changesCount: Type.Integer({ minimum: 0 }),
  changes: Type.Array(LogChange, { maxItems: 50 }),
  breaches: Type.Array(
    Type.Object({ rule: LogRule, startsAt: Instant, title: Type.String(), artistName: Type.String() }),
  ),
  cuts: Type.Array(Type.Object({ startsAt: Instant, title: Type.String() })),
  hardStarts: Type.Array(Type.Object({ name: Type.String(), startsAt: Instant })),
})
export type LogEditResult = Static<typeof LogEditResult>

/**
 * DELETE /api/channels/:id/log/edits/:editId: undoes an edit, from the next programme on. 409 `conflict` if a later edit
 * builds on it: undo that one first. 404 once its programme is over.
 */
export const LogEditParams = Type.Object({ id: ChannelId, editId: Uuid }, strict)
