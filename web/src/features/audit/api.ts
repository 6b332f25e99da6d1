import type { AuditEntry, AuditExportBody, LastEditorQuery } from '@looptide/contracts/http/admin'
import type { Profile } from '@looptide/contracts/http/users'
import { topics } from '@looptide/contracts/realtime'
import { useState } from 'react'
import useSWR from 'swr'
import { keyOf, useCall } from '../../lib/api/use-call.ts'
import { useListPage } from '../../lib/api/use-list-page.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { api } from '../../lib/clients.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useSession } from '../../lib/session/session.tsx'
import { type AuditFilter, matchesFilter } from './audit-filter.ts'

const PAGE_SIZE = 50
/** Maximum number of pushed entries kept in memory. */
const MAX_PUSHED = 500
/** Maximum number of profiles per lookup request. */
const MAX_PROFILES_PER_REQUEST = 100

/** The audit log, newest first, page by page. New entries are pushed and appear at the top. */
export function useAudit(filter: AuditFilter) {
  const { pages, ...list } = useListPage(
    'GET /api/audit',
    { query: { ...filter, limit: PAGE_SIZE } },
    { revalidateFirstPage: false, revalidateOnFocus: false },
  )
  // Kept outside the pages: loading another page rebuilds them from the responses.
  const [pushed, setPushed] = useState<readonly AuditEntry[]>([])
  const reload = useReload(pages)
  useTopic(
    'audit',
    topics.audit,
    {
      entry: ({ entry }) => {
        const complete = completeEntry(entry)
        if (complete) setPushed((known) => [complete, ...known].slice(0, MAX_PUSHED))
      },
    },
    reload,
  )
  const loaded = list.items
  const loadedIds = new Set(loaded?.map(({ id }) => id))
  const added = pushed.filter((entry) => !loadedIds.has(entry.id) && matchesFilter(entry, filter))
  return { ...list, items: loaded && [...added, ...loaded], reload }
}

/** The actions that occur in the log. An action that occurs for the first time is pushed. */
export function useRecordedActions(): readonly string[] {
  const { data, mutate } = useCall('GET /api/audit/actions', {}, { revalidateOnFocus: false })
  // Kept outside the response: a push may arrive before the log contains the entry.
  const [pushed, setPushed] = useState<readonly string[]>([])
  useTopic(
    'audit',
    topics.audit,
    {
      entry: ({ entry: { action } }) => {
        if (action) setPushed((known) => (known.includes(action) ? known : [...known, action]))
      },
    },
    () => void mutate(),
  )
  return [...(data?.items ?? []), ...pushed]
}

/** Fills in the optional fields of a pushed entry; undefined when a required one is missing. */
function completeEntry(entry: Partial<AuditEntry>): AuditEntry | undefined {
  const { id, action, createdAt } = entry
  if (!id || !action || !createdAt) return undefined
  return {
    adminUserId: null,
    targetType: null,
    targetId: null,
    targetUserId: null,
    details: null,
    before: null,
    after: null,
    isPseudonymised: false,
    ...entry,
    id,
    action,
    createdAt,
  }
}

/** Profiles of the users that the entries name, by user id; null for deleted accounts, undefined until it is loaded. */
export function useProfiles(
  entries: readonly Pick<AuditEntry, 'adminUserId' | 'targetUserId'>[],
): ReadonlyMap<string, Profile | null> {
  const named = entries.flatMap(({ adminUserId, targetUserId }) => [adminUserId, targetUserId])
  const ids = [...new Set(named)].filter((id) => id !== null).sort()
  const input = { query: { ids: ids.join() } }
  const { data = [] } = useSWR(
    ids.length === 0 ? null : keyOf('GET /api/profiles/lookup', input, { shape: 'derived' }),
    () => lookUp(ids),
    { keepPreviousData: true, revalidateOnFocus: false },
  )
  return new Map(data)
}

/** The handle or artist name of a user; "…" until the profile is loaded. */
export const nameOfProfile = (profile: Profile | null | undefined): string =>
  profile === undefined ? '…' : (profile?.handle ?? profile?.artistName ?? 'Unknown user')

/** As {@link nameOfProfile}, a handle with its @. */
export const handleOfProfile = (profile: Profile | null | undefined): string =>
  profile?.handle ? `@${profile.handle}` : nameOfProfile(profile)

async function lookUp(ids: readonly string[]): Promise<[string, Profile | null][]> {
  const found: Profile[] = []
  for (let from = 0; from < ids.length; from += MAX_PROFILES_PER_REQUEST) {
    const query = { ids: ids.slice(from, from + MAX_PROFILES_PER_REQUEST).join() }
    found.push(...(await api.call('GET /api/profiles/lookup', { query })).items)
  }
  const profiles = new Map(found.map((profile) => [profile.userId, profile]))
  return ids.map((id) => [id, profiles.get(id) ?? null])
}

/** At most ten users whose handle or artist name contains the text; none for an empty text. */
export function useUserSuggestions(text: string) {
  return useCall('GET /api/users', text === '' ? null : { query: { q: text, limit: 10 } }, {
    keepPreviousData: true,
    revalidateOnFocus: false,
  })
}

/** Exports the log as a file. `isTruncated`: the filter matches more entries than one file holds. */
export async function exportAudit(body: AuditExportBody): Promise<{ file: Blob; isTruncated: boolean }> {
  const { file, headers } = await api.callForFile('POST /api/audit/export', { body }, { timeoutMs: 120_000 })
  return { file, isTruncated: headers.get('x-truncated') === 'true' }
}

/** Name of the user who made the last recorded change, as {@link useEditorName}. */
export function useLastEditor(subject: LastEditorQuery['subject'], targetId?: string): string | undefined {
  const response = useCall('GET /api/audit/last-editor', { query: { subject, targetId } })
  // A change is recorded shortly after it is made.
  const reload = useReload(response)
  useTopic(
    'admin',
    topics.admin,
    {
      change: ({ action }) => {
        if (action.startsWith(`${subject}.`)) reload()
      },
    },
    reload,
  )
  return useEditorName(response.data?.userId)
}

/** Handle or artist name of another user. Undefined for the user's own account, and if there is none. */
export function useEditorName(editorId: string | null | undefined): string | undefined {
  const { userId } = useSession()
  const others = editorId && editorId !== userId ? editorId : null
  const profile = useProfiles([{ adminUserId: others, targetUserId: null }]).get(others ?? '')
  return profile?.handle ? `@${profile.handle}` : (profile?.artistName ?? undefined)
}
