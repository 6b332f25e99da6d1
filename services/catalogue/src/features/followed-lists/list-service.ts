import {
  CHECK_INTERVAL_S,
  type FollowedList,
  type FollowListBody,
  MAX_FOLLOWED_LISTS,
  type UpdateFollowedListBody,
} from '@looptide/contracts/http/followed-lists'
import { parseYoutubeListUrl } from '@looptide/contracts/youtube-url'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { CatalogueDb, CatalogueTrx, FollowedListRow } from '../../db/schema.ts'
import { cleanTags } from '../videos/tags.ts'
import { AUDIT } from '../videos/video-events.ts'
import { listRequest } from './list-checks.ts'
import {
  deleteList,
  insertList,
  listLists,
  lockList,
  lockLists,
  markRequested,
  patchList,
} from './list-repository.ts'

/** Follows YouTube playlists and channels. Every change is audited. The last write wins. */
export class ListService {
  readonly #db: CatalogueDb

  constructor(db: CatalogueDb) {
    this.#db = db
  }

  async list(): Promise<FollowedList[]> {
    return (await listLists(this.#db)).map(presentList)
  }

  /**
   * Follows a playlist or channel; the first check begins at once. Throws `validation_failed` for any other URL, `conflict`
   * if it is followed already, and `unprocessable` if there are too many lists.
   */
  async follow(body: FollowListBody, cause: Cause): Promise<FollowedList> {
    const source = parseYoutubeListUrl(body.url)
    if (source === null) {
      throw errors.validation('Enter the URL of a YouTube playlist or channel.', [
        { path: '/url', message: 'is not the URL of a YouTube playlist or channel' },
      ])
    }
    return this.#db.transaction().execute(async (trx) => {
      await lockLists(trx)
      const known = await listLists(trx)
      if (known.some((row) => row.sourceKind === source.kind && row.sourceName === source.id)) {
        throw errors.conflict('This list is already followed.')
      }
      if (known.length >= MAX_FOLLOWED_LISTS) {
        const message = `At most ${MAX_FOLLOWED_LISTS} lists can be followed. Stop following one first.`
        throw new AppError('unprocessable', message)
      }
      const added = await insertList(trx, {
        id: newId(),
        url: body.url.trim(),
        sourceKind: source.kind,
        sourceName: source.id,
        intake: body.intake ?? 'submissions',
        category: body.category ?? 'YouTube Playlist',
        tag: cleanTag(body.tag),
        onlyNew: body.onlyNew ?? false,
        nextCheckAt: new Date(),
        createdBy: cause.actorId ?? null,
      })
      const row = await request(trx, added, cause)
      await audit(trx, 'followed_list.create', { before: null, after: row }, cause)
      return presentList(row)
    })
  }

  /** Changes, pauses or resumes a list. A resumed list is checked at once. Throws `not_found`. */
  async update(id: string, change: UpdateFollowedListBody, cause: Cause): Promise<FollowedList> {
    return this.#db.transaction().execute(async (trx) => {
      const before = await lockList(trx, id)
      if (before === undefined) throw errors.notFound('This list')
      const { isPaused = before.isPaused } = change
      const changed = await patchList(trx, id, {
        intake: change.intake ?? before.intake,
        category: change.category ?? before.category,
        tag: change.tag === undefined ? before.tag : cleanTag(change.tag),
        isPaused,
        ...(isPaused ? { requestedAt: null } : {}),
      })
      const after = before.isPaused && !isPaused ? await request(trx, changed, cause) : changed
      await audit(trx, 'followed_list.update', { before, after }, cause)
      return presentList(after)
    })
  }

  /** Stops following a list; its videos stay. Throws `not_found`. */
  async delete(id: string, cause: Cause): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const before = await deleteList(trx, id)
      if (before === undefined) throw errors.notFound('This list')
      await audit(trx, 'followed_list.delete', { before, after: null }, cause)
    })
  }

  /** Checks a list now. Throws `not_found`, `conflict` if it is paused, and `rate_limited` within a minute of a check. */
  async check(id: string, cause: Cause): Promise<FollowedList> {
    return this.#db.transaction().execute(async (trx) => {
      const list = await lockList(trx, id)
      if (list === undefined) throw errors.notFound('This list')
      if (list.isPaused) throw errors.conflict('This list is paused. Resume it first.')
      const waitMs = CHECK_INTERVAL_S * 1000 - (Date.now() - lastCheckMs(list))
      if (waitMs > 0) {
        throw new AppError('rate_limited', 'This list was checked a moment ago.', { retryAfterMs: waitMs })
      }
      const row = await request(trx, list, cause)
      await audit(trx, 'followed_list.check', { before: null, after: row }, cause)
      return presentList(row)
    })
  }
}

/** Asks the metadata worker to read a list. */
async function request(trx: CatalogueTrx, list: FollowedListRow, cause: Cause): Promise<FollowedListRow> {
  await appendEvents(trx, [listRequest(list, Date.now())], cause)
  return markRequested(trx, list.id)
}

/** Epoch ms of the last request or answer; 0 if there is none. */
const lastCheckMs = ({ requestedAt, checkedAt }: FollowedListRow): number =>
  Math.max(requestedAt?.getTime() ?? 0, checkedAt?.getTime() ?? 0)

/** The tag on one line. Throws `validation_failed` if nothing is left of it. */
function cleanTag(text: string): string {
  const [tag = ''] = cleanTags([text])
  if (tag === '') throw errors.validation('Enter a tag.', [{ path: '/tag', message: 'is blank' }])
  return tag
}

type ListAction = 'create' | 'update' | 'delete' | 'check'

async function audit(
  trx: CatalogueTrx,
  action: `followed_list.${ListAction}`,
  { before, after }: { before: FollowedListRow | null; after: FollowedListRow | null },
  cause: Cause,
): Promise<void> {
  const targetId = (after ?? before)?.id
  const entry = {
    action,
    targetType: 'followed_list',
    targetId,
    before: before && auditFacts(before),
    after: after && auditFacts(after),
  }
  await appendAudit(trx, AUDIT, entry, cause)
}

const auditFacts = ({ url, title, intake, category, tag, isPaused }: FollowedListRow) => ({
  name: title ?? url,
  url,
  intake,
  category,
  tag,
  isPaused,
})

const presentList = (row: FollowedListRow): FollowedList => ({
  id: row.id,
  url: row.url,
  kind: row.sourceKind === 'playlist' ? 'playlist' : 'channel',
  title: row.title,
  intake: row.intake,
  category: row.category,
  tag: row.tag,
  isPaused: row.isPaused,
  isChecking: !row.isPaused && row.requestedAt !== null,
  itemCount: row.itemCount,
  newCount: row.newCount,
  lastNewAt: row.lastNewAt?.toISOString() ?? null,
  checkedAt: row.checkedAt?.toISOString() ?? null,
  nextCheckAt: row.isPaused ? null : row.nextCheckAt.toISOString(),
  problem:
    row.problemCode === null
      ? null
      : {
          code: row.problemCode,
          message: row.problemMessage ?? '',
          since: (row.problemSince ?? row.createdAt).toISOString(),
          continuesAt: row.problemContinuesAt?.toISOString() ?? null,
        },
  createdAt: row.createdAt.toISOString(),
})
