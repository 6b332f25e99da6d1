import type { LastEditorQuery } from '@looptide/contracts/http/admin'
import { topics } from '@looptide/contracts/realtime'
import { useCall } from '../../../lib/api/use-call.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { useProfiles } from '../audit/api.ts'

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
