import type { Role } from '@looptide/contracts/common'
import { PERSONAL_TOKENS_PER_USER } from '@looptide/contracts/credential-limits'
import type { PersonalToken } from '@looptide/contracts/http/personal-tokens'
import { useState } from 'react'
import { dialogPart } from '../../../lib/browser/part.tsx'
import { failureText } from '../../../lib/failures.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { useTokens } from './use-tokens.tsx'

const CreateTokenDialog = dialogPart(
  async () => (await import('./create-token-dialog.tsx')).CreateTokenDialog,
)

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
      {isCreating && <CreateTokenDialog role={role} create={create} onClose={() => setCreating(false)} />}
      {confirmation}
    </>
  )
}

/** A token of the list: name, scopes, end and last use. */
function TokenRow({ token, onRevoke }: { token: PersonalToken; onRevoke: () => void }) {
  const { name, scopes, expiresAt, lastUsedAt } = token
  const nowMs = Date.now()
  const isExpired = Date.parse(expiresAt) <= nowMs
  const end = new Date(expiresAt).toLocaleDateString(dateLocale, { dateStyle: 'medium' })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line/70 bg-panel px-4 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{name}</p>
        <p className="text-sm text-muted">{scopes.join(', ')}</p>
        <p className="text-sm text-muted">
          {isExpired ? <span className="font-semibold text-text">Expired {end}</span> : `Expires ${end}`} ·{' '}
          {lastUsedAt === null ? 'not used yet' : `last used ${timeAgo(lastUsedAt, nowMs)}`}
        </p>
      </div>
      <Button
        tone="plain"
        aria-label={`${isExpired ? 'Remove' : 'Revoke'} ${name}`}
        className="-mx-3"
        onClick={onRevoke}
      >
        {isExpired ? 'Remove' : 'Revoke'}
      </Button>
    </li>
  )
}
