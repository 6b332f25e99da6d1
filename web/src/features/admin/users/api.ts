import type { Role } from '@looptide/contracts/common'
import type { AdminUser, AdminUserPage } from '@looptide/contracts/http/users'
import { topics } from '@looptide/contracts/realtime'
import useSWRInfinite from 'swr/infinite'
import { withQuery } from '../../../lib/api/api.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { api } from '../../../lib/clients.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'

const PAGE_SIZE = 50

/**
 * Users by handle, page by page. `q` searches handles, artist names and emails. Reloaded after each change by another
 * admin.
 */
export function useUsers(q: string) {
  const pages = useSWRInfinite(
    (_index: number, previous: AdminUserPage | null) => {
      if (previous && previous.nextCursor === null) return null
      const cursor = previous?.nextCursor ?? undefined
      return withQuery('/api/users', { q: q || undefined, limit: PAGE_SIZE, cursor })
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
    users: pages.data?.flatMap(({ items }) => items),
    error: pages.error as unknown,
    hasMore: typeof pages.data?.at(-1)?.nextCursor === 'string',
    isLoadingMore: pages.isValidating,
    loadMore: () => void pages.setSize((size) => size + 1),
    reload,
  }
}

/** Changes a user's role; a guarded action. */
export const setRole = (userId: string, role: Role): Promise<AdminUser> =>
  api.put<AdminUser>(`/api/users/${encodeURIComponent(userId)}/role`, { role })
