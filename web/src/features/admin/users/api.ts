import type { Role } from '@looptide/contracts/common'
import type { AdminUser, AdminUserPage } from '@looptide/contracts/http/users'
import { topics } from '@looptide/contracts/realtime'
import useSWRInfinite from 'swr/infinite'
import { withQuery } from '../../../lib/api.ts'
import { api } from '../../../lib/clients.ts'
import { useReload } from '../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../lib/use-topic.ts'

const PAGE = 50

/**
 * People by their handles, page by page; `q` searches handles and artist names. What another admin does to somebody
 * shows by itself.
 */
export function usePeople(q: string) {
  const pages = useSWRInfinite(
    (_index: number, previous: AdminUserPage | null) => {
      if (previous && previous.nextCursor === null) return null
      const cursor = previous?.nextCursor ?? undefined
      return withQuery('/api/users', { q: q || undefined, limit: PAGE, cursor })
    },
    (path: string) => api.get<AdminUserPage>(path),
    { keepPreviousData: true, revalidateFirstPage: false, revalidateOnFocus: false },
  )
  const reload = useReload(pages)
  useTopic(
    'admin',
    topics.admin,
    {
      audit: ({ entry }) => {
        if (entry.action?.startsWith('user.')) reload()
      },
    },
    reload,
  )
  return {
    people: pages.data?.flatMap(({ items }) => items),
    error: pages.error as unknown,
    hasMore: typeof pages.data?.at(-1)?.nextCursor === 'string',
    isLoadingMore: pages.isValidating,
    loadMore: () => void pages.setSize((size) => size + 1),
    reload,
  }
}

/** Gives somebody a role; a guarded action. */
export const setRole = (userId: string, role: Role): Promise<AdminUser> =>
  api.put<AdminUser>(`/api/users/${encodeURIComponent(userId)}/role`, { role })
