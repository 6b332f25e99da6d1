import type { Role } from '@looptide/contracts/common'
import type { AdminUser, EndedSessions } from '@looptide/contracts/http/users'
import { topics } from '@looptide/contracts/realtime'
import { useListPage } from '../../../lib/api/use-list-page.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { api } from '../../../lib/clients.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'

const PAGE_SIZE = 50

/**
 * Users by handle, page by page. `q` searches handles, artist names and emails. Reloaded after each change by another
 * admin.
 */
export function useUsers(q: string) {
  const { pages, ...list } = useListPage(
    'GET /api/users',
    { query: { q: q || undefined, limit: PAGE_SIZE } },
    { keepPreviousData: true, revalidateFirstPage: false, revalidateOnFocus: false },
  )
  const reload = useReload(pages)
  useTopic(
    'audit',
    topics.audit,
    {
      entry: ({ entry }) => {
        if (entry.action?.startsWith('user.')) reload()
      },
    },
    reload,
  )
  return { ...list, reload }
}

/** Changes a user's role; a guarded action. */
export const setRole = (userId: string, role: Role): Promise<AdminUser> =>
  api.call('PUT /api/users/:id/role', { params: { id: userId }, body: { role } })

/** Ends all sessions of a user. */
export const endSessions = (userId: string): Promise<EndedSessions> =>
  api.call('DELETE /api/users/:id/sessions', { params: { id: userId } })

/** Demands a new password of a user; a guarded action. */
export const resetPassword = (userId: string): Promise<void> =>
  api.call('POST /api/users/:id/password-reset', { params: { id: userId } })
