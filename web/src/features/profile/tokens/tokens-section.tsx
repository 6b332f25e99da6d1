import type { Role } from '@looptide/contracts/common'
import type { PersonalToken } from '@looptide/contracts/http/personal-tokens'
import { PERSONAL_TOKENS_PER_USER } from '@looptide/contracts/token-limits'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { failureText } from '../failure-text.ts'
import { TokenRow } from './token-row.tsx'
import { useTokens } from './use-tokens.ts'

const CreateTokenDialog = lazy(async () => ({
  default: (await import('./create-token-dialog.tsx')).CreateTokenDialog,
}))

/** The user's personal access tokens: created and revoked. */
export function TokensSection({ role }: { role: Role }) {
  const { data: tokens, error, mutate, create, revoke } = useTokens()
  const [isCreating, setCreating] = useState(false)
  const { confirm, confirmation } = useConfirm()

  if (!tokens && error) {
    return <ErrorNotice text="Your access tokens could not be loaded." onRetry={() => void mutate()} />
  }
  if (!tokens) return <Skeleton className="h-28" />

  const revokeOne = async ({ id, name }: PersonalToken) => {
    try {
      await revoke(id)
      toast({ title: 'Access Token Revoked', description: name, tone: 'success' })
    } catch (failure) {
      toast({
        title: 'Error',
        description: failureText(failure, 'Failed to revoke the token.'),
        tone: 'error',
      })
    }
  }
  return (
    <>
      {tokens.length === 0 ? (
        <p className="text-sm text-muted">You have no access tokens.</p>
      ) : (
        <ul aria-label="Access tokens" className="grid gap-2">
          {tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onRevoke={() =>
                confirm({
                  title: `Revoke ${token.name}?`,
                  confirmLabel: 'Revoke Token',
                  text: 'Programs that use it stop working immediately. This cannot be undone.',
                  onConfirm: () => revokeOne(token),
                })
              }
            />
          ))}
        </ul>
      )}
      {tokens.length >= PERSONAL_TOKENS_PER_USER ? (
        <p className="text-sm text-muted">
          You have {PERSONAL_TOKENS_PER_USER} access tokens, the maximum. Revoke one before you create
          another.
        </p>
      ) : (
        <Button className="justify-self-start" onClick={() => setCreating(true)}>
          New Token
        </Button>
      )}
      {isCreating && (
        <Suspense>
          <CreateTokenDialog role={role} create={create} onClose={() => setCreating(false)} />
        </Suspense>
      )}
      {confirmation}
    </>
  )
}
