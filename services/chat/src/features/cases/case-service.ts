import type { Role } from '@looptide/contracts/common'
import type {
  ChatCaseDetails,
  ChatCasePage,
  DecideCaseBody,
  DecidedCase,
  ListCasesQuery,
} from '@looptide/contracts/http/chat-cases'
import { may } from '@looptide/contracts/permissions'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import type { RequestUser } from '@looptide/service-kit/identity/request-user'
import type { Kysely, Selectable } from 'kysely'
import type { Database, ReportCasesTable } from '../../db/schema.ts'
import { findActiveRestrictions } from '../users/user-repository.ts'
import {
  countWaiting,
  decisionsAbout,
  findCase,
  findCaseRow,
  listCases,
  messagesAround,
} from './case-repository.ts'
import { decideAppeal, decideReport } from './decide-case.ts'
import { presentCase, presentDecision } from './present-case.ts'
import { reportsOfCase } from './report-repository.ts'

const PAGE_SIZE = 50
const MAX_COUNT = 100
const SHOWN_REPORTS = 20
const SHOWN_DECISIONS = 10

type Moderator = Pick<RequestUser, 'id' | 'role'>

/** Reported messages and appeals, for moderators. Cases about their own messages do not exist for them: others decide. */
export class CaseService {
  readonly #db: Kysely<Database>
  readonly #roleOf: (userId: string) => Role

  constructor(db: Kysely<Database>, roleOf: (userId: string) => Role) {
    this.#db = db
    this.#roleOf = roleOf
  }

  /** A page of cases, with the number of those that wait. Errors: `invalid_cursor`. */
  async list(by: Moderator, { state = 'waiting', cursor }: ListCasesQuery): Promise<ChatCasePage> {
    const after = cursor === undefined ? undefined : decodeCursor(cursor, ['string'])[0]
    const [rows, waiting] = await Promise.all([
      listCases(this.#db, { state, exceptAuthor: by.id, after, limit: PAGE_SIZE + 1 }),
      countWaiting(this.#db, by.id, MAX_COUNT),
    ])
    return { ...toPage(rows, PAGE_SIZE, presentCase, ({ id }) => [id]), waiting }
  }

  /** A case with what moderators need to decide. `not_found` for an unknown one, and about the moderator's own message. */
  async read(by: Moderator, id: string): Promise<ChatCaseDetails> {
    const row = await findCaseRow(this.#db, id)
    if (row === undefined || row.authorUserId === by.id) throw errors.notFound('This case')
    const [reports, context, earlier, restrictions] = await Promise.all([
      reportsOfCase(this.#db, id, SHOWN_REPORTS),
      messagesAround(this.#db, row.channelId, row.seq),
      decisionsAbout(this.#db, row.authorUserId, { limit: SHOWN_DECISIONS + 1, against: false }),
      findActiveRestrictions(this.#db, row.authorUserId),
    ])
    return {
      ...presentCase(row),
      mayTimeOut:
        this.#mayRestrict(by, row) &&
        !restrictions.some(({ restrictionType }) => restrictionType === 'chat_banned'),
      reports: reports.map(({ reason, text, reportedAt }) => ({
        reason,
        text,
        reportedAt: reportedAt.toISOString(),
      })),
      context: context.map(({ createdAt, isDeleted, ...message }) => ({
        ...message,
        createdAt: createdAt.toISOString(),
        isRemoved: isDeleted,
      })),
      earlier: earlier
        .filter((other) => other.id !== id)
        .slice(0, SHOWN_DECISIONS)
        .map(presentDecision),
      restrictions: restrictions.map(({ restrictionType, expiresAt }) => ({
        restrictionType,
        expiresAt: expiresAt?.toISOString() ?? null,
      })),
    }
  }

  /**
   * Decides a case or an appeal. Removes the message unless it stays, and has auth time its author out; a reversed decision
   * undoes both. Throws `not_found`, `conflict` if the case is decided, or waits for another kind of decision, and
   * `forbidden` to restrict an author whom the moderator may not.
   */
  async decide(
    by: Moderator,
    id: string,
    { decision, reason: given }: DecideCaseBody,
    cause: Cause,
  ): Promise<DecidedCase> {
    return this.#db.transaction().execute(async (trx) => {
      const found = await findCase(trx, id, { forUpdate: true })
      if (found === undefined || found.authorUserId === by.id) throw errors.notFound('This case')
      if (decision === 'restrict' && !this.#mayRestrict(by, found))
        throw errors.notAllowed('Only an admin can time out a member of staff.')
      const reason = given ?? null
      const isAppeal = decision === 'uphold' || decision === 'reverse'
      if (found.state !== (isAppeal ? 'appealed' : 'open'))
        throw errors.conflict('Another moderator has decided this meanwhile.')
      const unreversed = isAppeal
        ? await decideAppeal(trx, found, { outcome: decision, reason, by: by.id }, this.#roleOf, cause)
        : await decideReport(trx, found, { decision, reason, by: by.id }, cause)
      const row = await findCaseRow(trx, id)
      if (row === undefined) throw errors.notFound('This case')
      return { ...presentCase(row), unreversed }
    })
  }

  /** As auth decides it: only admins restrict those who moderate. */
  #mayRestrict(
    { role }: Moderator,
    { authorUserId }: Pick<Selectable<ReportCasesTable>, 'authorUserId'>,
  ): boolean {
    return may(role, 'users:manage') || !may(this.#roleOf(authorUserId), 'chat:moderate')
  }
}
