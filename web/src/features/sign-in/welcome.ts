import { api, authClient } from '../../lib/clients.ts'
import { toast } from '../../ui/toast.ts'

/** docs/product/viewer.md §8. Nothing while the second step is still to come. */
export function welcomeBack(): void {
  if (authClient.state().status === 'second-factor') return
  toast({ title: 'Welcome back!', description: "You've successfully signed in.", tone: 'success' })
}

const SUGGESTION_MS = 15_000

/**
 * After a confirmed sign-up: says so if the account has no password. The password of the sign-up is discarded if the
 * confirmation comes from another browser or network.
 */
export async function suggestPassword(): Promise<void> {
  if (authClient.state().status === 'second-factor') return
  const me = await api.call('GET /api/me').catch(() => undefined)
  if (me === undefined || me.hasPassword) return
  toast({
    title: 'Choose a password',
    description: 'Your account has no password yet. You can choose one in your profile.',
    durationMs: SUGGESTION_MS,
  })
}
