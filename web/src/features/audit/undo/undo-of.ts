import type { AuditAction } from '@looptide/contracts/audit-actions'
import type { AuditEntry } from '@looptide/contracts/http/admin'
import type { UpdateChannelBody } from '@looptide/contracts/http/channels'
import type { ChatSettings } from '@looptide/contracts/http/chat'
import type { EmbedSettings } from '@looptide/contracts/http/embeds'
import type { UpdateFollowedListBody } from '@looptide/contracts/http/followed-lists'
import type { AddRequestExclusionBody, RequestSettings } from '@looptide/contracts/http/requests'
import { DEFAULT_THEME, type SaveThemeBody } from '@looptide/contracts/http/themes'
import type { AddRestrictionBody } from '@looptide/contracts/http/users'
import type { EditVideoBody } from '@looptide/contracts/http/video-edits'
import type { CreateFilterBody, UpdateFilterBody } from '@looptide/contracts/http/video-filters'
import type { AddCurationBody, UpdateCurationBody } from '@looptide/contracts/http/videos'
import { type Facts, factsIn, firstText } from '../audit-facts.ts'
import { isKnownAction } from '../audit-labels.ts'
import { PLAYLIST_UNDO } from './undo-playlist.ts'
import { type Client, fields, findById, same, type Undo, type UndoRule } from './undo-rule.ts'

/** The input of lists that are read page by page. */
const FULL_PAGE = { query: { limit: 100 } } as const

const THEME_FIELDS = Object.keys(DEFAULT_THEME)

const logEdit: UndoRule = ({ targetId, details }) => {
  const editId = firstText(factsIn(details).editId)
  if (editId === undefined) return undefined
  return {
    isDone: (later) =>
      later.some((other) => other.action === 'log.undo' && factsIn(other.details).editId === editId),
    send: async ({ api }) => {
      await api.call('DELETE /api/channels/:id/log/edits/:editId', { params: { id: targetId, editId } })
      return true
    },
  }
}

const PLACE = ['videoId', 'sectionType', 'sectionName']
const EXCLUDED = ['videoId', 'artistName']

const restrict = (
  { api }: Client,
  userId: string,
  before: Facts,
  replaces: string | null,
): Promise<unknown> => {
  const { restrictionType, reason, expiresAt } = before
  const body = { restrictionType, reason, expiresAt, replaces } as AddRestrictionBody
  return api.call('POST /api/users/:id/restrictions', { params: { id: userId }, body })
}

const readExclusions = async ({ api }: Client, id: string) =>
  (await api.call('GET /api/channels/:id/requests/exclusions', { params: { id } })).items

const RULES: Partial<Record<AuditAction, UndoRule>> = {
  ...PLAYLIST_UNDO,
  'channel.update': fields({
    names: ['name', 'description', 'position', 'isActive', 'shuffleEnabled', 'logoUrl', 'requestEvery'],
    read: ({ allPages }, id) => findById(allPages('GET /api/channels', FULL_PAGE), id),
    write: ({ api }, id, before) =>
      api.call('PATCH /api/channels/:id', { params: { id }, body: before as UpdateChannelBody }),
  }),
  'chat_settings.update': fields({
    names: ['slowModeS'],
    read: async ({ api }, id) => ({
      current: await api.call('GET /api/chat/channels/:id/settings', { params: { id } }),
    }),
    write: ({ api }, id, before) =>
      api.call('PATCH /api/chat/channels/:id/settings', { params: { id }, body: before as ChatSettings }),
  }),
  'embeds.update': fields({
    names: ['origins'],
    read: async ({ api }) => {
      const { body, etag } = await api.callVersioned('GET /api/embeds')
      return { current: body, etag }
    },
    write: ({ api }, _, before, { etag }) =>
      api.call('PUT /api/embeds', { body: before as EmbedSettings }, { ifMatch: etag }),
  }),
  'followed_list.update': fields({
    names: ['intake', 'category', 'tag', 'isPaused'],
    read: async ({ api }, id) =>
      findById(
        api.call('GET /api/followed-lists').then(({ items }) => items),
        id,
      ),
    write: ({ api }, id, before) =>
      api.call('PATCH /api/followed-lists/:id', { params: { id }, body: before as UpdateFollowedListBody }),
  }),
  'home.update': fields({
    names: ['isActive', 'position'],
    read: async ({ allVersionedPages }, id) => {
      const { items, etag } = await allVersionedPages('GET /api/curation', FULL_PAGE)
      return { current: items.find((item) => item.id === id), etag }
    },
    write: ({ api }, id, before, { etag }) =>
      api.call(
        'PATCH /api/curation/:id',
        { params: { id }, body: before as UpdateCurationBody },
        { ifMatch: etag },
      ),
  }),
  'home.add': ({ targetId }) => ({
    isDone: (later) => later.some((other) => other.action === 'home.remove' && other.targetId === targetId),
    send: async ({ api }) => {
      await api.call('DELETE /api/curation/:id', { params: { id: targetId } })
      return true
    },
  }),
  'home.remove': ({ before }) => ({
    isDone: (later) => later.some(({ action, after }) => action === 'home.add' && same(after, before, PLACE)),
    send: async ({ api, allVersionedPages }) => {
      const { items } = await allVersionedPages('GET /api/curation', FULL_PAGE)
      if (items.some((item) => same(item, before, PLACE))) return false
      const { videoId, sectionType, sectionName, position, isActive } = factsIn(before)
      const body = { videoId, sectionType, sectionName, position, isActive } as AddCurationBody
      await api.call('POST /api/curation', { body })
      return true
    },
  }),
  'log.insert': logEdit,
  'log.skip': logEdit,
  'log.swap': logEdit,
  'log.move': logEdit,
  'request_settings.update': fields({
    names: ['isOpen'],
    read: async ({ api }, id) => ({
      current: await api.call('GET /api/channels/:id/requests/settings', { params: { id } }),
    }),
    write: ({ api }, id, before) =>
      api.call('PATCH /api/channels/:id/requests/settings', {
        params: { id },
        body: before as RequestSettings,
      }),
  }),
  'request_exclusion.add': ({ targetId, after }) => ({
    isDone: (later) =>
      later.some(
        (other) =>
          other.action === 'request_exclusion.remove' &&
          other.targetId === targetId &&
          same(other.before, after, EXCLUDED),
      ),
    send: async (client) => {
      const known = (await readExclusions(client, targetId)).find((item) => same(item, after, EXCLUDED))
      if (known === undefined) return false
      await client.api.call('DELETE /api/channels/:id/requests/exclusions/:exclusionId', {
        params: { id: targetId, exclusionId: known.id },
      })
      return true
    },
  }),
  'request_exclusion.remove': ({ targetId, before }) => ({
    isDone: (later) =>
      later.some(
        (other) =>
          other.action === 'request_exclusion.add' &&
          other.targetId === targetId &&
          same(other.after, before, EXCLUDED),
      ),
    send: async (client) => {
      if ((await readExclusions(client, targetId)).some((item) => same(item, before, EXCLUDED))) return false
      const { videoId, artistName } = factsIn(before)
      const body = (videoId ? { videoId } : { artistName }) as AddRequestExclusionBody
      await client.api.call('POST /api/channels/:id/requests/exclusions', { params: { id: targetId }, body })
      return true
    },
  }),
  'theme.activate': fields({
    names: THEME_FIELDS,
    read: async ({ api }) => {
      const { body, etag } = await api.callVersioned('GET /api/theme')
      return { current: body, etag }
    },
    write: ({ api }, _, before, { current, etag }) =>
      api.call('PUT /api/theme', { body: { ...current, ...before } as SaveThemeBody }, { ifMatch: etag }),
  }),
  'user.restriction.add': ({ targetId, targetUserId, before }) =>
    targetUserId === null
      ? undefined
      : {
          isDone: (later) =>
            later.some(
              (other) =>
                (other.action === 'user.restriction.remove' && other.targetId === targetId) ||
                (other.action === 'user.restriction.add' && factsIn(other.before).id === targetId),
            ),
          send: async (client) => {
            if (before === null) {
              const params = { id: targetUserId, restrictionId: targetId }
              await client.api.call('DELETE /api/users/:id/restrictions/:restrictionId', { params })
            } else await restrict(client, targetUserId, factsIn(before), targetId)
            return true
          },
        },
  'user.restriction.remove': ({ targetUserId, before }) =>
    targetUserId === null
      ? undefined
      : {
          isDone: (later) =>
            later.some(
              (other) =>
                other.action === 'user.restriction.add' &&
                other.targetUserId === targetUserId &&
                same(other.after, before, ['restrictionType']),
            ),
          send: async (client) => {
            await restrict(client, targetUserId, factsIn(before), null)
            return true
          },
        },
  'video.edit': fields({
    names: ['title', 'artistName', 'genre', 'category', 'thumbnailUrl', 'tags', 'startAtMs', 'endAtMs'],
    read: async ({ api }, id) => {
      const { body, etag } = await api.callVersioned('GET /api/videos/:id', { params: { id } })
      return { current: body, etag }
    },
    write: ({ api }, id, before, { etag }) =>
      api.call('PATCH /api/videos/:id', { params: { id }, body: before as EditVideoBody }, { ifMatch: etag }),
  }),
  'video.delete': ({ before, details }) => {
    // A job is undone as a whole, by a job.
    if (factsIn(details).jobId !== undefined) return undefined
    const ids = Array.isArray(before) ? before.flatMap((video) => firstText(factsIn(video).id) ?? []) : []
    if (!Array.isArray(before) || ids.length === 0 || ids.length < before.length) return undefined
    return {
      isDone: (later) => {
        const restored = later.flatMap((other) => (other.action === 'video.restore' ? other.before : []))
        const restoredIds = new Set(restored.map((video) => factsIn(video).id))
        return ids.every((id) => restoredIds.has(id))
      },
      send: async ({ api }) => (await api.call('POST /api/videos/restore', { body: { ids } })).count > 0,
    }
  },
  'video_filter.create': ({ targetId }) => ({
    isDone: (later) =>
      later.some((other) => other.action === 'video_filter.delete' && other.targetId === targetId),
    send: async ({ api }) => {
      await api.call('DELETE /api/videos/filters/:id', { params: { id: targetId } })
      return true
    },
  }),
  'video_filter.update': fields({
    names: ['name', 'filter'],
    read: async ({ api }, id) =>
      findById(
        api.call('GET /api/videos/filters').then(({ items }) => items),
        id,
      ),
    write: ({ api }, id, before) =>
      api.call('PATCH /api/videos/filters/:id', { params: { id }, body: before as UpdateFilterBody }),
  }),
  'video_filter.delete': ({ before }) => ({
    isDone: (later) =>
      later.some((other) => other.action === 'video_filter.create' && same(other.after, before, ['name'])),
    send: async ({ api }) => {
      const { name, filter } = factsIn(before)
      await api.call('POST /api/videos/filters', { body: { name, filter } as CreateFilterBody })
      return true
    },
  }),
}

/** Whether the service has shortened a part of the entry, whose values are then not those from before. */
const isShortened = (value: unknown): boolean => 'leftOut' in factsIn(value)

/** How an entry is undone; undefined if it cannot be undone from the log. */
export function undoOf(entry: AuditEntry): Undo | undefined {
  const { action, before, after, isPseudonymised } = entry
  if (!isKnownAction(action) || isPseudonymised || isShortened(before) || isShortened(after)) return undefined
  return RULES[action]?.({ ...entry, targetId: entry.targetId ?? '' })
}
