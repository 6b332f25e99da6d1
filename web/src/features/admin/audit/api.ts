import type { AuditActions, AuditEntry, AuditExportBody, AuditPage } from '@looptide/contracts/http/admin'
import type { AdminUserPage, Profile, ProfileLookUp } from '@looptide/contracts/http/users'
import { topics } from '@looptide/contracts/realtime'
import { useState } from 'react'
import useSWR from 'swr'
import useSWRInfinite from 'swr/infinite'
import { withQuery } from '../../../lib/api.ts'
import { api } from '../../../lib/clients.ts'
import { useReload } from '../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../lib/use-topic.ts'
import { type AuditFilter, isWithin } from './audit-filter.ts'

const PAGE = 50
/** So many of those that arrived by themselves are kept. */
const FRESH_KEPT = 500
/** As many people as one look-up takes. */
const PEOPLE_AT_ONCE = 100

/** The log, newest first, page by page. What happens while one looks appears at the top by itself. */
export function useAudit(filter: AuditFilter) {
  const pages = useSWRInfinite(
    (_index: number, previous: AuditPage | null) => {
      if (previous && previous.nextCursor === null) return null
      const cursor = previous?.nextCursor ?? undefined
      return withQuery('/api/audit', { ...filter, limit: PAGE, cursor })
    },
    (path: string) => api.get<AuditPage>(path),
    { revalidateFirstPage: false, revalidateOnFocus: false },
  )
  // Beside the pages, since those are read from what was fetched whenever another one is added.
  const [fresh, setFresh] = useState<readonly AuditEntry[]>([])
  const reload = useReload(pages)
  useTopic(
    'admin',
    topics.admin,
    {
      audit: ({ entry }) => {
        const whole = wholeEntry(entry)
        if (whole) setFresh((known) => [whole, ...known].slice(0, FRESH_KEPT))
      },
    },
    reload,
  )
  const read = pages.data?.flatMap(({ items }) => items)
  const isRead = new Set(read?.map(({ id }) => id))
  const unread = fresh.filter((entry) => !isRead.has(entry.id) && isWithin(entry, filter))
  return {
    entries: read && [...unread, ...read],
    error: pages.error as unknown,
    hasMore: typeof pages.data?.at(-1)?.nextCursor === 'string',
    isLoadingMore: pages.isValidating,
    loadMore: () => void pages.setSize((size) => size + 1),
    reload,
  }
}

/** The actions that the log has lines of; a new kind of deed is among them as soon as it happens. */
export function useRecordedActions(): readonly string[] {
  const { data, mutate } = useSWR('/api/audit/actions', (path: string) => api.get<AuditActions>(path), {
    revalidateOnFocus: false,
  })
  // Beside the answer: the socket may be faster than the log.
  const [fresh, setFresh] = useState<readonly string[]>([])
  useTopic(
    'admin',
    topics.admin,
    {
      audit: ({ entry: { action } }) => {
        if (action) setFresh((known) => (known.includes(action) ? known : [...known, action]))
      },
    },
    () => void mutate(),
  )
  return [...(data?.items ?? []), ...fresh]
}

/** What the socket tells of an entry is enough for a line, or is no entry. */
function wholeEntry(entry: Partial<AuditEntry>): AuditEntry | undefined {
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
    ...entry,
    id,
    action,
    createdAt,
  }
}

/** The profiles of those whom the entries name, by their ids; who is gone is not among them. */
export function useProfiles(
  entries: readonly Pick<AuditEntry, 'adminUserId' | 'targetUserId'>[],
): ReadonlyMap<string, Profile> {
  const named = entries.flatMap(({ adminUserId, targetUserId }) => [adminUserId, targetUserId])
  const ids = [...new Set(named)].filter((id) => id !== null).sort()
  const { data = [] } = useSWR(
    ids.length === 0 ? null : ['/api/profiles/lookup', ids.join()],
    () => lookUp(ids),
    { keepPreviousData: true, revalidateOnFocus: false },
  )
  return new Map(data.map((profile) => [profile.userId, profile]))
}

async function lookUp(ids: readonly string[]): Promise<Profile[]> {
  const found: Profile[] = []
  for (let from = 0; from < ids.length; from += PEOPLE_AT_ONCE) {
    const query = { ids: ids.slice(from, from + PEOPLE_AT_ONCE).join() }
    found.push(...(await api.get<ProfileLookUp>('/api/profiles/lookup', { query })).items)
  }
  return found
}

/** A few people whose handle or artist name holds the text; nobody for no text. */
export function usePeopleNamed(text: string) {
  return useSWR(
    text === '' ? null : ['/api/users', 'named', text],
    ([path]) => api.get<AdminUserPage>(path, { query: { q: text, limit: 10 } }),
    { keepPreviousData: true, revalidateOnFocus: false },
  )
}

/** The log as a file; `isCut` when there is more of it than one file holds. */
export async function exportAudit(wish: AuditExportBody): Promise<{ file: Blob; isCut: boolean }> {
  const { file, headers } = await api.postForFile('/api/audit/export', wish, { timeoutMs: 120_000 })
  return { file, isCut: headers.get('x-truncated') === 'true' }
}
